"""An event that waits, for the officer who decides on it: its sections as understood, what was found in each, what is
said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db.models import Max

from crosstable.fixes.places import place_of
from crosstable.model import Event as Document
from crosstable.model import Finding, Level, Player, Section
from crosstable.office.ledger import pending_sections, revisions
from crosstable.office.ledger.models import Event, Submission
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.notices.messages import Said, conversation
from crosstable.office.people.rights import Actor, require, user_name
from crosstable.office.queries.draft_preview import Part
from crosstable.office.queries.review_ratings import NONE, Ratings, ratings_if_accepted
from crosstable.office.queries.since_review import Since, since_review
from crosstable.office.reports import raw_cells, row_comments, similar_events
from crosstable.office.reports.crosstable_cells import Cell, by_number
from crosstable.office.reports.enrolment import ID_TO_COME
from crosstable.office.reports.events import find
from crosstable.office.reports.review_queue import review as reviewed
from crosstable.office.reports.row_comments import Thread
from crosstable.office.reports.summaries import SectionLine
from crosstable.office.storage.database import reading
from crosstable.words.findings import Line, grouped

#: So many errors and warnings of a section are shown below their rows; more stand above the table, by kind
BESIDE = 40


@dataclass(frozen=True, slots=True)
class Entry:
    player: Player
    cells: tuple[Cell, ...]
    score: float
    bad: frozenset[int] = frozenset()  # rounds that a finding is about
    named: bool = False  # whether a finding is about the player
    typed: Mapping[int, str] = field(default_factory=dict)  # round → the cell as the file has it
    changed: frozenset[int] = frozenset()  # rounds with another result since the officer's last review
    renamed: bool = False  # another player stands in the row since then
    lines: tuple[Line, ...] = ()  # errors and warnings about it, shown below the row
    threads: tuple[Thread, ...] = ()  # what was said about it
    numbers: tuple[Numbers, ...] = ()  # before and after, one for each pool of the section, if the report is accepted


@dataclass(frozen=True, slots=True)
class SectionPage:
    line: SectionLine
    section: Section  # as understood
    findings: tuple[Finding, ...]
    lines: tuple[Line, ...]  # the same in words, many of a kind in one
    entries: tuple[Entry, ...]
    threads: tuple[Thread, ...] = ()  # what was said about its rows
    whole: tuple[Line, ...] = ()  # those lines that are not shown below a row
    pools: tuple[str, ...] = ()  # in which the rows have ratings

    @property
    def unresolved(self) -> int:
        return sum(one.resolved is None for one in self.threads)

    @property
    def rounds(self) -> range:
        return range(1, _rounds(self.section) + 1)

    @property
    def columns(self) -> int:
        """Number, player, rounds and score, then before and after with the change in each pool."""
        return 3 + len(self.rounds) + self.rating_columns

    @property
    def rating_columns(self) -> int:
        return 2 * len(self.pools)

    @property
    def concerned(self) -> tuple[Entry, ...]:
        """The rows that errors and warnings are about: an officer decides on these."""
        return tuple(one for one in self.entries if one.bad or one.named)

    @property
    def lost_threads(self) -> tuple[Thread, ...]:
        """Of rows that the report no longer has."""
        rows = {one.player.number for one in self.entries}
        return tuple(one for one in self.threads if one.number not in rows)


@dataclass(frozen=True, slots=True)
class Alike:
    """An event with much the same players and games."""

    number: str
    rated: bool
    submission: int | None  # its newest file, from which a correction of it begins


@dataclass(frozen=True, slots=True)
class ReviewPage:
    number: str
    name: str
    place: str
    start: date
    end: date
    status: str
    by: str
    at: datetime
    revision: int
    submission: int | None
    players: int
    games: int
    findings: tuple[Finding, ...]  # of the event as a whole
    lines: tuple[Line, ...]
    sections: tuple[SectionPage, ...]
    ready: tuple[int, ...]
    said: tuple[Said, ...]
    alike: tuple[Alike, ...] = ()
    since: Since | None = None  # what changed since this officer's last review
    ratings: Ratings = NONE

    @property
    def unresolved(self) -> int:
        """Comments on rows that are not resolved."""
        return sum(one.unresolved for one in self.sections)

    @property
    def waits(self) -> bool:
        """Whether there is something to decide."""
        return self.status == Event.SUBMITTED or any(one.line.rated for one in self.sections)

    @property
    def asks(self) -> bool:
        """Whether the director can still be asked about a row."""
        return self.waits and self.submission is not None

    @property
    def checks(self) -> int:
        """Warnings, of the event and of sections that are not rated."""
        return sum(one.line.warnings for one in self.open_sections) + sum(
            one.level is Level.WARNING for one in self.findings
        )

    @property
    def errors(self) -> int:
        return sum(one.line.errors for one in self.sections) + sum(one.level is Level.ERROR for one in self.findings)

    @property
    def newcomers(self) -> int:
        """New members to whom accepting gives an id."""
        return sum(finding.code == ID_TO_COME.name for one in self.open_sections for finding in one.findings)

    @property
    def sent_back(self) -> tuple[SectionPage, ...]:
        """Those that went back to their director and have not come again."""
        return tuple(one for one in self.open_sections if one.line.sent_back)

    @property
    def rest(self) -> bool:
        """Whether there is more than one section, so that one of them can go back alone."""
        return len(self.sections) > 1

    @property
    def may_accept(self) -> bool:
        """What went back can still be rated, if it has no errors and the office thinks otherwise."""
        return bool(self.ready) or any(not one.line.errors for one in self.sent_back)

    @property
    def open_sections(self) -> tuple[SectionPage, ...]:
        return tuple(one for one in self.sections if not one.line.rated)


@reading()  # several questions about one moment
def review(actor: Actor, number: str, *, rate: bool = False) -> ReviewPage:
    """Return everything that the decision needs. `rate`: with the ratings that accepting would give."""
    require(actor, "event.review")
    row = find(number)
    (waiting,) = reviewed(actor, number)
    revision = revisions.in_force(id=row.id)
    document = revisions.document(id=row.id)
    sent = Submission.objects.filter(event=row, outcome="queued").order_by("-id").values_list("id", "author").first()
    lines = {one.number: one for one in waiting.sections}
    since, threads = since_review(actor, row), row_comments.threads(actor, row)
    rated = [one.number for one in waiting.sections if one.rated]
    ratings = ratings_if_accepted(row, document, waiting.ready, rated) if rate and _waits(row, rated) else NONE
    sections = [
        _section(
            document,
            lines[one.number],
            found=tuple(found for found in waiting.findings if pending_sections.section_of(found) == one.number),
            since=since,
            threads=tuple(thread for thread in threads if thread.section == one.number),
            ratings=ratings.parts.get(one.number),
        )
        for one in document.sections
    ]
    whole = tuple(one for one in waiting.findings if pending_sections.section_of(one) is None)
    return ReviewPage(
        number=row.number,
        name=row.name or f"Event {row.number}",
        place=", ".join(part for part in (row.city, row.state) if part),
        start=row.start,
        end=row.end,
        status=row.status,
        by=user_name(sent[1]) if sent else revision.author,
        at=revision.at,
        revision=revision.number,
        submission=sent[0] if sent else None,
        players=waiting.players,
        games=waiting.games,
        findings=whole,
        lines=tuple(grouped(whole, document)),
        sections=tuple(sections),
        ready=waiting.ready,
        said=tuple(conversation(actor, f"submission:{sent[0]}")) if sent else (),
        alike=_alike(waiting.findings),
        since=since if since and since.differences else None,
        ratings=ratings,
    )


def _waits(row: Event, rated: Sequence[int]) -> bool:
    return row.status == Event.SUBMITTED or bool(rated)


def _section(
    document: Document,
    line: SectionLine,
    *,
    found: tuple[Finding, ...],
    since: Since | None,
    threads: tuple[Thread, ...],
    ratings: Part | None,
) -> SectionPage:
    (section,) = (one for one in document.sections if one.number == line.number)
    cells = by_number(section, _rounds(section))
    rounds_in_doubt, named = _in_doubt(found, document)
    typed = raw_cells.cells((one, place_of(one, document)) for one in found)
    beside = _beside_rows(section, found, document)
    numbers = {one.player.number: one.numbers for one in ratings.rows} if ratings else {}
    entries = tuple(
        Entry(
            one,
            *cells[one.number],
            bad=rounds_in_doubt.get(one.number, frozenset()),
            named=one.number in named,
            typed={turn: text for (number, turn), text in typed.items() if number == one.number},
            changed=since.rounds(section.number, one.number) if since else frozenset(),
            renamed=bool(since and since.named(section.number, one.number)),
            lines=tuple(grouped(beside.get(one.number, ()), document)),
            threads=tuple(thread for thread in threads if thread.number == one.number),
            numbers=numbers.get(one.number, ()),
        )
        for one in section.players
    )
    shown = [one for some in beside.values() for one in some]
    return SectionPage(
        line,
        section,
        found,
        tuple(grouped(found, document)),
        entries,
        threads=threads,
        whole=tuple(grouped([one for one in found if one not in shown], document)),
        pools=ratings.pools if ratings else (),
    )


def _beside_rows(section: Section, found: Sequence[Finding], document: Document) -> dict[int, list[Finding]]:
    """Return number → the errors and warnings that are shown below that row; none where they are too many to read."""
    rows = {one.number for one in section.players}
    beside: dict[int, list[Finding]] = {}
    for one in found:
        players = [number for number in place_of(one, document).players if number in rows]
        if players and one.level is not Level.NOTICE:
            beside.setdefault(players[0], []).append(one)
    return beside if sum(map(len, beside.values())) <= BESIDE else {}


def _alike(found: Iterable[Finding]) -> tuple[Alike, ...]:
    numbers = [similar_events.named_in(one) for one in found if one.code == similar_events.ALIKE]
    rows = Event.objects.filter(number__in=numbers).annotate(file=Max("submissions__id")).order_by("number")
    columns = rows.values_list("number", "status", "file")
    return tuple(Alike(number, status == Event.ACCEPTED, file) for number, status, file in columns)


def _rounds(section: Section) -> int:
    return max((game.round for game in section.games), default=0)


def _in_doubt(found: Iterable[Finding], event: Document) -> tuple[dict[int, frozenset[int]], set[int]]:
    """Return (number → the rounds in doubt, the numbers in doubt) by errors and warnings: those need a decision."""
    rounds: dict[int, frozenset[int]] = {}
    named: set[int] = set()
    for one in found:
        place = place_of(one, event)
        if one.level is Level.NOTICE:
            continue
        for number in place.players:
            if place.round is None:
                named.add(number)
            else:
                rounds[number] = rounds.get(number, frozenset()) | {place.round}
    return rounds, named
