"""What became of what a director sent: the next step first, then what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.dateparse import parse_datetime

from crosstable.model import Finding, errors
from crosstable.office.audit.log import details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import revisions
from crosstable.office.ledger.models import Event, Section, Submission
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, require, user_name
from crosstable.office.queries.deciders import Step
from crosstable.office.reports import fixing, resubmitting, sending, submission_status, summaries
from crosstable.office.reports.events import in_force
from crosstable.office.reports.submissions import REFUSED, SAME, UNREADABLE, own_files, visible
from crosstable.office.reports.summaries import SectionLine
from crosstable.office.storage import clock
from crosstable.office.storage.database import reading
from crosstable.words.findings import grouped, plural

#: Whose step is next
YOURS, OFFICES, NOBODYS = "yours", "the office’s", "none"


@dataclass(frozen=True, slots=True)
class Line:
    """A file in the list of files that were sent."""

    number: int
    name: str
    file: str
    event: str
    at: datetime
    state: str
    whose: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Page:
    """Return one submission, for its sender."""

    line: Line
    todo: tuple[str, ...]  # what needs fixing, with names
    happened: tuple[Step, ...]
    sections: tuple[SectionLine, ...]
    mends: tuple[fixing.Line, ...]
    rated: bool
    newer: int | None  # a later file of the same event
    earlier: tuple[int, ...]  # the files of the same event before it, the first one first
    asked: bool  # whether the office waits for an answer
    may_mend: bool
    may_take_back: bool
    may_close: bool  # the office refused it, and the director may leave it at that
    may_correct: bool


@reading()  # several questions about one moment
def submissions(actor: Actor, count: int = 200) -> list[Line]:
    """Return what this person has sent, the newest first; of an event that was sent again, the last file."""
    require(actor, "submission.read")
    seen: set[int] = set()
    found = []
    rows = list(own_files(actor).select_related("event").defer("data").order_by("-id")[: 2 * count])
    asked = messages.unanswered([submission_status.about(row) for row in rows])
    for row in rows:
        if row.event_id is not None and row.outcome != REFUSED:
            if row.event_id in seen:
                continue
            seen.add(row.event_id)
        found.append(_line(actor, row, asked))
    return found[:count]


def _line(actor: Actor, row: Submission, asked: Mapping[str, datetime]) -> Line:
    """`asked`: what the office asked about, and when."""
    event = row.event
    state, whose, words = _state(actor, row, event)
    if question := submission_status.question(row, event, asked):
        whose, words = YOURS, question if whose == OFFICES else f"{question} {words}"
    name = event.name if event is not None and row.outcome != REFUSED else row.file_name
    return Line(
        number=row.id,
        name=name or row.file_name,
        file=row.file_name,
        event=event.number if event else "",
        at=row.at,
        state=state,
        whose=whose,
        next_step=words,
    )


def _state(actor: Actor, row: Submission, event: Event | None) -> tuple[str, str, str]:
    """Status, whose step is next, and which."""
    if row.outcome == UNREADABLE or event is None:
        return "Not read", YOURS, "No event could be read from it. Fix the file and send it again."
    if row.outcome == REFUSED:
        return "Not taken", YOURS, f"The office has another event {event.number}: ask for a correction of that one."
    if event.status == Event.ACCEPTED and not event.held:
        return "Rated", NOBODYS, "It is rated. There is nothing to do."
    if event.status == Event.REFUSED:
        return "Refused", YOURS, f"The office refused it: {_reason(event)} Fix it and send it again, or close it."
    if event.status == Event.WITHDRAWN:
        return _withdrawn(actor, event)
    return _waits(row, event)


def _reason(event: Event) -> str:
    reason = in_force(event).reason
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."


def _withdrawn(actor: Actor, event: Event) -> tuple[str, str, str]:
    if resubmitting.may_send_again(actor, event):
        return "Taken back", NOBODYS, "You took it back. You can still read it, fix it and send it again."
    return "Withdrawn", NOBODYS, f"The office withdrew it: {_reason(event)}"


def _waits(row: Submission, event: Event) -> tuple[str, str, str]:
    summary = summaries.of_row(event, in_force(event), public=True)
    wrong = summary.whole + sum(one.errors for one in summary.waiting)
    rated = [one.name for one in summary.sections if one.rated]
    state = "Rated in part" if rated else "Waits for review"
    done = f"Rated: {', '.join(rated)}. " if rated else ""
    if back := summaries.back_words(summary.sections):
        return state, YOURS, f"{done}{back}"
    if not wrong:
        return state, OFFICES, f"{done}It waits for review. {_questions(row) or 'There is nothing to do.'}"
    first = f"{wrong} thing{' needs' if wrong == 1 else 's need'} fixing"
    good = f" The office can rate {', '.join(_names(summary))} meanwhile." if summary.ready and not rated else ""
    return state, YOURS, f"{done}{first}; only you know what was played.{good}"


def _names(summary: summaries.Summary) -> list[str]:
    return [one.name for one in summary.sections if one.number in summary.ready]


@reading()  # several questions about one moment
def page(actor: Actor, number: int) -> Page:
    """Return the page; raise NoSubmission where there is none for this actor."""
    status = submission_status.status(actor, number)
    row = visible(actor).select_related("event").get(id=number)
    event = row.event if row.outcome != REFUSED else None
    newer = own_files(actor).filter(event=event, id__gt=row.id).order_by("-id").first() if event is not None else None
    asked = messages.unanswered([submission_status.about(row)])
    own = user_name(row.author) == actor.user
    open_ = own and newer is None and (event is None or resubmitting.may_send_again(actor, event))
    return Page(
        line=_line(actor, row, asked),
        todo=_todo(event, status.findings),
        happened=tuple(_happened(row, event)),
        sections=status.sections or _rated_sections(event),
        mends=tuple(sending.mends_of(actor, number)),
        rated=event is not None and event.status == Event.ACCEPTED,
        newer=newer.id if newer else None,
        earlier=_earlier(actor, row, event),
        asked=bool(submission_status.question(row, event, asked)),
        may_mend=open_,
        may_take_back=own and newer is None and event is not None and event.status == Event.SUBMITTED,
        may_close=own and newer is None and event is not None and event.status == Event.REFUSED,
        may_correct=own and event is not None and event.status == Event.ACCEPTED,
    )


def _earlier(actor: Actor, row: Submission, event: Event | None) -> tuple[int, ...]:
    if event is None:
        return ()
    return tuple(own_files(actor).filter(event=event, id__lt=row.id).order_by("id").values_list("id", flat=True))


def said(actor: Actor, shown: Page) -> list[messages.Said]:
    """Return what was written about a report, also while it was an earlier file:
    what the office asked stays in sight.
    """
    numbers = (*shown.earlier, shown.line.number)
    return [one for number in numbers for one in messages.conversation(actor, f"submission:{number}")]


def asked_in(replaces: str) -> list[str]:
    """Return what the office asked for when the event, or sections of it, came back: for the draft that fixes it."""
    row = Event.objects.filter(number=replaces).first() if replaces else None
    if row is None:
        return []
    if row.status == Event.REFUSED:
        return [_reason(row)]
    lines = summaries.of_row(row, in_force(row), public=True).sections
    return [f"{one.name}: {one.sent_back}" for one in lines if one.sent_back and not one.rated]


def _todo(event: Event | None, found: Sequence[Finding]) -> tuple[str, ...]:
    document = revisions.document(id=event.id) if event is not None else None
    return tuple(one.text for one in grouped(errors(tuple(found)), document))


def _rated_sections(event: Event | None) -> tuple[SectionLine, ...]:
    if event is None or event.status != Event.ACCEPTED:
        return ()
    names = Section.objects.filter(event=event).order_by("number").values_list("number", "name")
    summary = summaries.of_row(event, in_force(event), public=True)
    sizes = {one.number: one for one in summary.sections}
    return tuple(
        SectionLine(number, name or f"Section {number}", *_size(sizes.get(number)), 0, 0, True)
        for number, name in names
    )


def _size(line: SectionLine | None) -> tuple[int, int]:
    return (line.players, line.games) if line else (0, 0)


_TITLES = {
    "event.submit": "Received",
    "event.accept": "Rated",
    "event.correct": "Corrected",
    "event.withdraw": "Withdrawn",
    "event.refuse": "Refused",
}


def _happened(row: Submission, event: Event | None) -> list[Step]:
    """From the log: what was received, and every decision on the event since."""
    words = f"File {row.file_name}, {len(row.data):,} bytes; original file saved. {_found(row)}"
    steps = [Step(row.at, "Received and checked", "", words)]
    if event is None or row.outcome == SAME:
        return steps
    one = Q(subject=f"event:{event.number}", action__in=_TITLES)
    many = Q(action="event.accept", subject__startswith="events:", details__contains=f'"event":"{event.number}"')
    for entry in AuditEntry.objects.filter(one | many, at__gt=clock.stamp(row.at)).order_by("seq"):
        at = parse_datetime(entry.at)
        own = details_of(entry).get("file") == row.sha256 and entry.action == "event.submit"
        if at is not None and not own:
            steps.append(_step(entry, at))
    return steps


def _step(entry: AuditEntry, at: datetime) -> Step:
    details = details_of(entry)
    held = details.get("held")
    words = entry.reason if entry.action != "event.submit" else ""
    title = _TITLES[entry.action]
    if back := details.get("sent_back"):
        title, words = "Sent back", f"Section {', '.join(map(str, back))}: {words}"
    if held:
        title, words = "Rated in part", f"Section {', '.join(map(str, held))} waits. {words}".strip()
    return Step(at, title, entry.actor, words)


def _found(row: Submission) -> str:
    wrong, odd = _count(row, "error"), _count(row, "warning")
    if not wrong:
        return _questions(row) or "Nothing to fix."
    return f"{plural(wrong, 'thing').capitalize()} to fix, {odd or 'none'} to look at."


def _questions(row: Submission) -> str:
    """Return what the director left unanswered, which the officer decides."""
    odd = _count(row, "warning")
    return f"The officer sees {plural(odd, 'thing')} to look at." if odd else ""


def _count(row: Submission, level: str) -> int:
    return [one["level"] for one in row.findings].count(level)
