"""What speaks against rating an event: one answer for submit, review, accept and correct.

The gate (`crosstable.checks.gate`) decides for everybody. An office asks its systems itself, with the ledger's own
ratings in place, and adds what only it can know: ids that the ledger cannot take, and the same event twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date

from crosstable.checks import gate, in_order
from crosstable.checks.members import transposed
from crosstable.errors import EventRejected
from crosstable.formats.base import Reading
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.model import Event, Finding, errors
from crosstable.office.ledger import documents, models, pending_sections
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.office_settings import office, our_federation
from crosstable.office.reports import enrolment, reported_ratings, schedule, similar_events
from crosstable.office.reports.ledger_checks import (
    ledger_findings,
    merged_and_met,
    reported_opt_ins,
    undated_findings,
)
from crosstable.office.storage import clock
from crosstable.systems.structure import problems

# The office's register as the checks ask a rating list: whose id stands beside which name.

_NOBODY = {"": ListedPlayer("")}


def members(event: Event | None) -> dict[str, ListedPlayer]:
    """Return the members under the report's ids, and under those with two digits exchanged.

    A withheld name is left out.
    """
    ids = {player.id for section in event.sections for player in section.players if player.id} if event else set()
    if not ids or not Player.objects.exists():
        return {}
    known = _listed(ids)
    near = {other for one in ids - known.keys() if len(one) <= 12 for other in transposed(one)}
    return {**_NOBODY, **known, **_listed(near)}


def _listed(ids: Iterable[str]) -> dict[str, ListedPlayer]:
    rows = Player.objects.filter(number__in=list(ids)).values_list("number", "name", "withheld")
    return {number: ListedPlayer(number, "" if withheld else name) for number, name, withheld in rows}


#: Warnings of the checks that an office tells as errors: no one reads the same thing twice
_STRONGER = {"missing-id": "no-id"}


def of_file(reading: Reading) -> list[Finding]:
    """Return what reading and checking a file found, and what review will refuse with the ledger's ratings in place.

    Nothing in it rests on a rating that would tell an age: directors read it.
    """
    found = _checked(reading, _refused, clock.today())
    if reading.draft is None:
        return found
    return in_order((*found, *reported_ratings.findings(reading.draft), *reported_ratings.namesakes(reading.draft)))


def of_draft(reading: Reading) -> list[Finding]:
    """Return what submitting and review will find in a report that its director still works on."""
    received = _if_before_its_end(reading.draft, clock.today())
    found = gate.examine(
        reading, members=members(reading.draft), received=received, ask=_refused, federation=our_federation()
    ).findings
    return found if reading.draft is None else in_order((*found, *reported_ratings.namesakes(reading.draft)))


def _refused(event: Event) -> list[Finding]:
    """Return what review will refuse, all of it at once: a section that is not whole does not keep the others from
    being looked at.
    """
    found = [*problems(event), *enrolment.wrong_ids(event), *enrolment.ids_to_come(event)]
    whole = [section for section in event.sections if not problems(replace(event, sections=(section,)))]
    if event.start is None or event.end is None:
        found += errors(undated_findings(office(), event))
    elif whole:
        part = replace(event, sections=tuple(whole))
        found += errors([*merged_and_met(part), *ledger_findings(office(), part, public=True)])
        found += reported_opt_ins(part)
    return found


def of_reading(revision: models.Revision) -> tuple[Finding, ...]:
    """Return what reading the file of this revision found."""
    return tuple(documents.finding_from_json(one) for one in revision.findings)


class Review:
    """Everything that a reviewer should know about an event; what officers and directors read alike is looked up once.

    `read`: what reading the file found; `came`: the day on which it came in.
    """

    def __init__(
        self,
        row: models.Event,
        event: Event,
        read: Sequence[Finding],
        lookout: similar_events.Lookout,
        came: date | None = None,
    ) -> None:
        self._row, self._event, self._read, self._came = row, event, read, came
        self.alike = lookout.alike(row, event)
        self._for_all = [
            *enrolment.newcomers(event),
            *reported_ratings.findings(event),
            *reported_ratings.namesakes(event),
        ]

    def findings(self, *, public: bool) -> list[Finding]:
        """Return the findings in order. `public`: without what rests on a birth date, as directors read them."""
        found = _everything(self._row, self._event, self._read, public=public, came=self._came)
        found += [*similar_events.possible_duplicates(self._row, self.alike, public=public), *self._for_all]
        return in_order(tuple(dict.fromkeys(found)))


def wrong_sections(row: models.Event, event: Event, read: Sequence[Finding]) -> set[int | None]:
    """Return the sections with errors; None among them if the event as a whole has one, which holds up everything."""
    return {pending_sections.section_of(finding) for finding in errors(_everything(row, event, read))}


def refuse(row: models.Event, event: Event, read: Sequence[Finding]) -> None:
    """Refuse an event with errors: EventRejected with all of them, as review shows them.

    `event`: the sections that are to be rated. A history's events were rated long ago: they only have to be whole.
    """
    read = pending_sections.findings_without(read, pending_sections.numbers(row))
    if schedule.is_history(row):
        found = [*read, *problems(event), *similar_events.refused_as_same(row)]
    else:
        verdict = gate.examine(Reading("", event, tuple(read)), ask=problems, federation=our_federation())
        found = [*verdict.findings, *similar_events.refused_as_same(row)]
        if errors(found):
            found = _everything(row, event, read)
    if errors(found):
        raise EventRejected(errors(found))


def refuse_by_ledger(row: models.Event, event: Event) -> None:
    """Refuse what the office's systems refuse, with the ratings that the ledger holds.

    Histories were rated long ago.
    """
    found = merged_and_met(event)
    if not schedule.is_history(row):
        found += errors(ledger_findings(office(), event, schedule.first_position(row), row.id))
    if found:
        raise EventRejected(found)


def _everything(
    row: models.Event, event: Event, read: Sequence[Finding], *, public: bool = False, came: date | None = None
) -> list[Finding]:
    def ask(event: Event) -> list[Finding]:
        found = [*problems(event), *enrolment.wrong_ids(event), *enrolment.ids_to_come(event)]
        wrong = {pending_sections.section_of(finding) for finding in errors(found)}
        whole = pending_sections.without(event, {number for number in wrong if number is not None})
        if None not in wrong and whole.sections:  # the others may be rated without a section that is wrong
            found += [*merged_and_met(whole), *ledger_findings(office(), whole, public=public)]
        return found

    found = _checked(Reading("", event, tuple(read)), ask, came)
    return found if public else [*found, *similar_events.refused_as_same(row)]


def _checked(reading: Reading, ask: Callable[[Event], Sequence[Finding]], came: date | None) -> list[Finding]:
    """Through the gate, ids and names held against the register. Who is new there is told as new, not as unknown."""
    received = _if_before_its_end(reading.draft, came)
    found = gate.examine(
        reading, members=members(reading.draft), received=received, ask=ask, federation=our_federation()
    ).findings
    wrong = {finding.code for finding in errors(found)}
    told = {"unknown-id", *(code for code, stronger in _STRONGER.items() if stronger in wrong)}
    return [finding for finding in found if finding.code not in told]


def _if_before_its_end(event: Event | None, came: date | None) -> date | None:
    """Return the day on which a report came in, where that is before the event's end: such an event is not over.

    Else the day is not told: offices type in events of years ago, and each would be told as late.
    """
    return came if came and event and event.end and event.end > came else None
