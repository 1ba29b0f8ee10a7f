"""An event that waits in a few numbers, stored with its revision: the queue of a whole office reads only these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from crosstable.formats.crosstable import people
from crosstable.model import Event, Finding, Level, Section
from crosstable.office.ledger import documents, models, pending_sections, revisions
from crosstable.office.ledger.revisions import SectionTab, called
from crosstable.office.reports import findings, similar_events
from crosstable.words.findings import message_text
from crosstable.words.places import place_text

RATED, READY, LOOK, MEND, SENT_BACK = "rated", "ready", "look", "mend", "sent back"
#: Where a kept summary has the one that the event's director may read: even a count of errors can tell a birth date
DIRECTORS = "directors"
#: So many findings stand in the queue in words, the gravest first
WORDS = 3


@dataclass(frozen=True, slots=True)
class SectionLine(SectionTab):
    """A section of an event that waits, or that waits in part."""

    games: int
    errors: int
    warnings: int
    rated: bool = False
    sent_back: str = ""  # why, while it waits to come again

    @property
    def state(self) -> str:
        if self.rated:
            return RATED
        if self.sent_back:
            return SENT_BACK
        return MEND if self.errors else LOOK if self.warnings else READY


@dataclass(frozen=True, slots=True)
class Summary:
    """What was found when the event came in, or when it was last corrected."""

    errors: int
    warnings: int
    notices: int
    players: int
    games: int
    sections: tuple[SectionLine, ...]
    words: tuple[str, ...]  # the gravest findings
    whole: int  # errors of the event as a whole, which hold up every section

    @property
    def ready(self) -> tuple[int, ...]:
        """The sections that can be accepted as they are."""
        return () if self.whole else ready(self.sections)

    @property
    def waiting(self) -> tuple[SectionLine, ...]:
        return tuple(one for one in self.sections if not one.rated)


def ready(lines: Iterable[SectionLine]) -> tuple[int, ...]:
    """Return the sections that wait for nothing but the office."""
    return tuple(one.number for one in lines if not (one.rated or one.errors or one.sent_back))


def back_words(lines: Iterable[SectionLine]) -> str:
    """Return what a director whose sections came back does next; nothing where none did."""
    back = [f"{one.name} came back: {one.sent_back}" for one in lines if one.sent_back and not one.rated]
    told = " ".join(one if one.endswith((".", "!", "?")) else f"{one}." for one in back)
    return f"{told} Fix {'it' if len(back) == 1 else 'them'} and send the report again." if back else ""


def of(
    event: Event, found: Sequence[Finding], rated: Sequence[int] = (), back: Mapping[int, str] = MappingProxyType({})
) -> Summary:
    """`found`: everything that review shows. `rated`: the sections that count already; `back`: those sent back, and
    why.
    """
    levels = Counter((pending_sections.section_of(finding), finding.level) for finding in found)
    totals = Counter(finding.level for finding in found)
    return Summary(
        errors=totals[Level.ERROR],
        warnings=totals[Level.WARNING],
        notices=totals[Level.NOTICE],
        players=people(event.sections),
        games=sum(len(one.games) for one in event.sections),
        sections=tuple(_line(one, levels, one.number in rated, back.get(one.number, "")) for one in event.sections),
        words=tuple(f"{place_text(one.place, event)}: {message_text(one, event)}" for one in found[:WORDS]),
        whole=levels[None, Level.ERROR],
    )


def _line(section: Section, levels: Counter[tuple[int | None, Level]], rated: bool, back: str) -> SectionLine:
    return SectionLine(
        number=section.number,
        name=called(section),
        players=people([section]),
        games=len(section.games),
        errors=levels[section.number, Level.ERROR],
        warnings=levels[section.number, Level.WARNING],
        rated=rated,
        sent_back=back,
    )


def keep(row: models.Event, revision: models.Revision, event: Event) -> list[Finding]:
    """Write down what the queue will show of an event that waits, wholly or in part. What an officer would see of it
    now.

    Events that wait and are much like it, or like what it said before, are looked at again: theirs was written down
    earlier.
    """
    lookout = similar_events.Lookout()
    review = _review(row, revision, event, lookout)
    found = _keep(row, revision, event, review)
    before = models.Revision.objects.filter(event=row, number__lt=revision.number).order_by("-number").first()
    others = [documents.unpack(before.document, row.number)] if before else []
    if rated_sections(row, event):  # which the review has left out
        others.append(event)
    _look_again(lookout, {*review.alike, *(one for content in others for one in lookout.alike(row, content))})
    return found


def look_again(row: models.Event, *contents: Event) -> None:
    """Write down anew what the queue shows of the events that wait and are much like this one, in any of these
    states.
    """
    lookout = similar_events.Lookout()
    _look_again(lookout, {one for content in contents for one in lookout.alike(row, content)})


def _look_again(lookout: similar_events.Lookout, alike: Iterable[models.Event]) -> None:
    numbers = [one.id for one in alike]
    for other in models.Event.objects.filter(pending_sections.WAITS, id__in=numbers) if numbers else ():
        revision = revisions.in_force(id=other.id)
        event = documents.unpack(revision.document, other.number)
        _keep(other, revision, event, _review(other, revision, event, lookout))


def _keep(row: models.Event, revision: models.Revision, event: Event, review: findings.Review) -> list[Finding]:
    found = review.findings(public=False)
    public = review.findings(public=True) if found else []
    officers, directors = (asdict(_current(row, event, one)) for one in (found, public))
    revision.summary = officers | {DIRECTORS: directors}
    revision.save(update_fields=["summary"])
    return found


def _current(row: models.Event, event: Event, found: Sequence[Finding]) -> Summary:
    return of(event, found, rated_sections(row, event), pending_sections.sent_back(row))


def waiting_findings(
    row: models.Event, revision: models.Revision, event: Event, lookout: similar_events.Lookout, *, public: bool
) -> list[Finding]:
    """Return everything that a reviewer should know about what is not rated yet."""
    return _review(row, revision, event, lookout).findings(public=public)


def _review(
    row: models.Event, revision: models.Revision, event: Event, lookout: similar_events.Lookout
) -> findings.Review:
    rated = rated_sections(row, event)
    read = pending_sections.findings_without(findings.of_reading(revision), rated)
    return findings.Review(row, pending_sections.without(event, rated), read, lookout, revision.at.date())


def rated_sections(row: models.Event, event: Event) -> tuple[int, ...]:
    """Return the sections that count while others wait."""
    waiting = pending_sections.numbers(row)
    if row.status != models.Event.ACCEPTED or not waiting:
        return ()
    return tuple(one.number for one in event.sections if one.number not in waiting)


def read(summary: dict[str, Any]) -> Summary | None:
    """Return a kept summary; none for a revision that was written before there were any."""
    if not summary:
        return None
    lines = tuple(SectionLine(**one) for one in summary["sections"])
    whole = {name: value for name, value in summary.items() if name != DIRECTORS}
    return Summary(**{**whole, "sections": lines, "words": tuple(summary["words"])})


def of_row(row: models.Event, revision: models.Revision, *, public: bool) -> Summary:
    """Return the saved summary; made now where there is none.

    `public`: without what depends on a birth date, as directors read it.
    """
    kept = read(revision.summary.get(DIRECTORS, {}) if public else revision.summary)
    if kept is not None:
        return kept
    event = documents.unpack(revision.document, row.number)
    return _current(row, event, waiting_findings(row, revision, event, similar_events.Lookout(), public=public))
