"""What waits for an officer: events, corrections, floors, proposals, players' requests; and what runs.

The number of queries does not grow with the queue: what an event's line says stands with its revision
(events.summaries).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter
from typing import Any

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime

from crosstable.office.jobs import running
from crosstable.office.ledger import pending_sections
from crosstable.office.ledger.models import Event, FloorRequest, Revision
from crosstable.office.lists.models import PublishedList
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, require, user_name
from crosstable.office.queries.status import after
from crosstable.office.queries.words import pool
from crosstable.office.reports import summaries
from crosstable.office.reports.summaries import Summary
from crosstable.office.requests import corrections, two_officers
from crosstable.office.requests.models import CorrectionRequest, Request
from crosstable.office.storage import clock
from crosstable.office.storage.database import reading

EVENT, CORRECTION, FLOOR, PROPOSAL, REQUEST = "event", "correction", "floor", "proposal", "request"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that waits."""

    kind: str
    number: str  # the event's id, or the number of the request
    title: str
    facts: str  # place, who sent it, how many players
    since: datetime
    today: date
    words: str
    found: Summary | None = None  # of an event
    asked: datetime | None = None  # when the office wrote last, if no one has answered
    by: str = ""  # of a proposal: who made it

    @property
    def key(self) -> str:
        """What a page or a command calls it."""
        return f"{self.kind}:{self.number}"

    @property
    def days(self) -> int:
        return max(0, (self.today - self.since.date()).days)

    @property
    def some(self) -> bool:
        """Whether some sections can be rated now, and others not."""
        return bool(self.found and self.found.errors and self.found.ready)

    @property
    def group(self) -> str:
        """needs: an officer decides; waits: its director is to do something; clean: nothing was found."""
        if self.found is None:
            return "waits" if self.asked else "needs"
        if self.found.sections and all(one.rated or one.sent_back for one in self.found.sections):
            return "waits"
        if self.some and not self.asked:
            return "needs"
        if self.found.errors or self.asked:
            return "waits"
        return "needs" if self.found.warnings or any(one.rated for one in self.found.sections) else "clean"


@dataclass(frozen=True, slots=True)
class Queue:
    """Sorted by trouble, and the oldest first."""

    lines: tuple[Line, ...]
    jobs: tuple[running.Shown, ...]
    next_list: date | None
    today: date

    @property
    def needs(self) -> list[Line]:
        return [one for one in self.lines if one.group == "needs"]

    @property
    def waits(self) -> list[Line]:
        return [one for one in self.lines if one.group == "waits"]

    @property
    def clean(self) -> list[Line]:
        return [one for one in self.lines if one.group == "clean"]

    def after(self, decided: str, actor: Actor) -> Line | None:
        """Return what an officer who has decided on one thing (its key) reviews next: what needs a decision, then
        what is clean.

        What is still open of the thing decided, and the officer's own proposals, are not offered.
        """
        for one in (*self.needs, *self.clean):
            if one.key != decided and not (one.kind == PROPOSAL and one.by == actor.name):
                return one
        return None

    @property
    def days_left(self) -> int | None:
        """Until the next list closes."""
        return None if self.next_list is None else (self.next_list - self.today).days


@reading()  # several questions about one moment
def queue(actor: Actor) -> Queue:
    """Everything that waits."""
    require(actor, "event.review")
    today = clock.today()
    newest = PublishedList.objects.order_by("-date").values_list("date", flat=True).first()
    found = [*_events(today), *_floors(today), *_proposals(actor, today), *_requests(today)]
    return Queue(tuple(sorted(found, key=attrgetter("since"))), tuple(running.current(actor)), after(newest), today)


def _events(today: date) -> Iterable[Line]:
    """Events and the corrections asked for; who wrote last about them is one query for all."""
    waiting = Event.objects.filter(pending_sections.WAITS)
    rows = waiting.values_list("id", "number", "name", "city", "state", named=True)
    found = _revisions(waiting)
    file = {event: f"submission:{one.submission}" for event, one in found.items()}
    asked = list(
        CorrectionRequest.objects.filter(state=CorrectionRequest.WAITING).select_related("event").defer("data")
    )
    talk = messages.unanswered([*file.values(), *(f"correction:{one.id}" for one in asked)])
    for row in rows:
        yield _event(row, found[row.id], talk.get(file[row.id]), today)
    for one in asked:
        yield _correction(one, talk.get(f"correction:{one.id}"), today)


@dataclass(frozen=True, slots=True)
class _CameIn:
    """Who sent an event in last and when, by which file, and what was found in the revision in force."""

    author: str
    at: datetime
    submission: int | None
    found: Summary


def _revisions(events: QuerySet[Event]) -> dict[int, _CameIn]:
    """By event. No document is read."""
    columns = ("id", "event_id", "kind", "author", "at", "submission_id", "summary")
    came: dict[int, tuple[str, datetime, int | None]] = {}
    last: dict[int, tuple[int, Any]] = {}
    for number, event, kind, *sent, summary in (
        Revision.objects.filter(event__in=events).order_by("number").values_list(*columns)
    ):
        if kind == "submitted" or event not in came:
            came[event] = (sent[0], sent[1], sent[2])
        last[event] = (number, summary)
    return {
        event: _CameIn(*came[event], summaries.read(kept) or _made_now(number))
        for event, (number, kept) in last.items()
    }


def _made_now(revision: int) -> Summary:
    """Of an event that waits since before summaries were kept."""
    row = Revision.objects.select_related("event").get(id=revision)
    return summaries.of_row(row.event, row, public=False)


def _event(row: Any, sent: _CameIn, asked: datetime | None, today: date) -> Line:
    found = sent.found
    place = ", ".join(part for part in (row.city, row.state) if part)
    size = f"{found.players} player{'' if found.players == 1 else 's'}"
    return Line(
        kind=EVENT,
        number=row.number,
        title=row.name or f"Event {row.number}",
        facts=" · ".join(part for part in (place, user_name(sent.author), size) if part),
        since=sent.at,
        today=today,
        words=" ".join(found.words[:1]),
        found=found,
        asked=asked,
    )


def _correction(row: CorrectionRequest, asked: datetime | None, today: date) -> Line:
    one = corrections.shown(row)
    counts = ((one.results, "result"), (one.players, "player"), (one.facts, "entry"))
    told = [f"{number} {noun if number == 1 else _many(noun)}" for number, noun in counts if number]
    words = f"{', '.join(told)} would change in {', '.join(one.sections) or 'the event'}. {one.reason}"
    return Line(
        kind=CORRECTION,
        number=str(row.id),
        title=one.event_name,
        facts=f"correction · {one.by}",
        since=one.at,
        today=today,
        words=words,
        asked=asked,
    )


def _many(noun: str) -> str:
    return "entries" if noun == "entry" else f"{noun}s"


def _floors(today: date) -> Iterable[Line]:
    rows = FloorRequest.objects.filter(state=FloorRequest.WAITING).select_related("player", "section__event")
    for row in rows.order_by("id"):
        day = row.section.event.end if row.section else today
        words = f"{pool(row.pool)}: the floor of {row.floor:g} would be {row.wanted:g}."
        since = datetime.combine(day, datetime.min.time(), clock.now().tzinfo)
        yield Line(
            kind=FLOOR,
            number=str(row.id),
            title=row.player.name,
            facts="a lower floor",
            since=since,
            today=today,
            words=words,
        )


def _proposals(actor: Actor, today: date) -> Iterable[Line]:
    for one in two_officers.waiting(actor):
        since = parse_datetime(str(one["at"])) or clock.now()
        words = f"{one['reason']} A second officer is needed."
        facts = f"{one['words']} · {one['by']}"
        yield Line(
            kind=PROPOSAL,
            number=str(one["number"]),
            title=one["about"],
            facts=facts,
            since=since,
            today=today,
            words=words,
            by=one["by"],
        )


def _requests(today: date) -> Iterable[Line]:
    rows = list(Request.objects.filter(state=Request.WAITING).select_related("user").order_by("id"))
    names = dict(Event.objects.filter(number__in={row.event for row in rows}).values_list("number", "name"))
    for row in rows:
        claim = row.kind == Request.CLAIM
        title = f"{row.author_name} is player {row.player}?" if claim else names.get(row.event, row.event)
        facts = "claim" if claim else f"mistake · {row.author_name}"
        yield Line(
            kind=REQUEST, number=str(row.id), title=title, facts=facts, since=row.at, today=today, words=row.words
        )


# How much waits at each desk, and since when: an officer's first look.

#: What waits, in the order in which an officer with little time takes it up
READY, CLEAN, DIRECTORS = "event", "clean", "waits"


@dataclass(frozen=True, slots=True)
class Desk:
    """One kind of thing that waits."""

    name: str
    words: str
    count: int
    oldest: int | None  # days; nothing waits: nothing
    own: int = 0  # proposals that this officer made: another one decides them


def desks(actor: Actor) -> tuple[Queue, list[Desk]]:
    """Return the queue, and what waits at each desk."""
    found = queue(actor)
    events = [one for one in found.lines if one.kind == EVENT]
    by_kind = {
        READY: ("events to look at", [one for one in events if one.group == "needs"]),
        CLEAN: ("clean events to accept", found.clean),
        CORRECTION: ("correction requests of directors", _of(found, CORRECTION)),
        REQUEST: ("reports and claims of players", _of(found, REQUEST)),
        FLOOR: ("requests for a lower floor", _of(found, FLOOR)),
        PROPOSAL: ("proposals for a second officer", _of(found, PROPOSAL)),
        DIRECTORS: ("reports waiting for their director", found.waits),
    }
    return found, [_desk(actor, name, words, lines) for name, (words, lines) in by_kind.items()]


def _of(found: Queue, kind: str) -> list[Line]:
    return [one for one in found.needs if one.kind == kind]


def _desk(actor: Actor, name: str, words: str, lines: Iterable[Line]) -> Desk:
    waits = list(lines)
    own = sum(one.kind == PROPOSAL and one.by == actor.name for one in waits)
    return Desk(name, words, len(waits), max((one.days for one in waits), default=None), own)
