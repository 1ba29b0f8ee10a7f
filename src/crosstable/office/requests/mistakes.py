"""A player reports a mistake in a rated event; the office answers, and the event's director reads along."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Event, Section, Submission
from crosstable.office.ledger.packing import entries_of
from crosstable.office.notices import messages
from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import Actor, require, user_name
from crosstable.office.players.person import Person, by_row
from crosstable.office.requests import lifecycle
from crosstable.office.requests.lifecycle import Step
from crosstable.office.requests.models import Request
from crosstable.office.requests.player_requests import STATES, PlayerRequest, refuse_flood
from crosstable.office.storage.database import writing

#: How a game ended for the player who reports it
RESULTS = ("", "win", "draw", "loss")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the mistake is: an event, perhaps a section, perhaps a round."""

    event: str
    section: int | None = None
    round: int | None = None

    def in_words(self, name: str) -> str:
        parts = [name, f"section {self.section}" if self.section else "", f"round {self.round}" if self.round else ""]
        return ", ".join(part for part in parts if part)


class Mistake(PlayerRequest):
    """Granted: the event has been corrected.

    `corrections.make_correction` makes the correction that a report asks for.
    """

    kind = Request.MISTAKE
    always_answered = True

    def asked(self, actor: Actor, row: Request, words: str) -> Step:
        event = Event.objects.get(number=row.event)
        return Step(
            action="request.mistake",
            target=f"event:{event.number}",
            details={"request": row.id},
            to={*messages.officers(), *_directors(event)},
            subject=f"A mistake is reported: {_where(row)}",
            words=words,
        )

    def answer_subject(self, row: Request) -> str:
        return f"{_where(row)}: {STATES[self.kind][row.state]}"


MISTAKE = Mistake()


def _where(row: Request) -> str:
    name = Event.objects.filter(number=row.event).values_list("name", flat=True).first() or row.event
    return Place(row.event, row.section, row.round).in_words(name)


def report(actor: Actor, place: Place, words: str, result: str = "") -> Request:
    """Report that something in a rated event is wrong. `result`: how the reporter's own game of that round ended."""
    require(actor, "request.make")
    lifecycle.refuse_words(words, "a report")
    refuse_result(result)
    with writing():
        refuse_flood(actor)
        event = find_event(place)
        own = own_player(actor)
        row = Request(
            kind=Request.MISTAKE,
            user_id=actor.user_id,
            player=own.number if own else "",
            event=event.number,
            section=place.section,
            round=place.round,
            result=result,
            words=words.strip(),
        )
        _refuse_same(row)
        return lifecycle.ask(actor, MISTAKE, row, row.words)


def refuse_result(result: str) -> None:
    """Raise for a result that is not one."""
    if result not in RESULTS:
        raise OfficeError(f"{result!r} is not a result: it is win, draw or loss")


def _refuse_same(row: Request) -> None:
    """Raise for a second report of the same mistake: the office answers once."""
    place = {"event": row.event, "section": row.section, "round": row.round, "result": row.result}
    same = Request.objects.filter(user_id=row.user_id, kind=Request.MISTAKE, state=Request.WAITING, **place)
    if not (row.round and row.result):  # without a game, only the words tell what is meant
        same = same.filter(words=row.words)
    if first := same.order_by("id").first():
        raise OfficeError(
            f"you have reported this already: request {first.id} has not been answered yet; add a message there"
        )


def find_event(place: Place) -> Event:
    """Return the event if it is rated and has this section and round."""
    event = Event.objects.filter(number=place.event, status=Event.ACCEPTED).first()
    if event is None:
        raise OfficeError(f"there is no rated event {place.event!r}")
    if place.section is not None:
        section = Section.objects.filter(event=event, number=place.section).first()
        if section is None:
            raise OfficeError(f"event {place.event} has no section {place.section}")
        if place.round is not None and not 1 <= place.round <= max(1, section.rounds):
            raise OfficeError(f"section {place.section} has {section.rounds} rounds: round {place.round} is not one")
    elif place.round is not None:
        raise OfficeError("a round belongs to a section: say which")
    return event


def _directors(event: Event) -> set[str]:
    """Return the users who submitted the event."""
    found = Submission.objects.filter(event=event, outcome="queued").values_list("author", flat=True)
    return {user_name(one) for one in found}


@dataclass(frozen=True, slots=True)
class Choice:
    """A section that a report may be about."""

    number: int
    name: str
    rounds: int


def choices(number: str) -> tuple[str, list[Choice]]:
    """Return a rated event's name and its sections."""
    event = find_event(Place(number))
    rows = Section.objects.filter(event=event).order_by("number").values_list("number", "name", "rounds")
    return event.name, [Choice(*row) for row in rows]


def players(place: Place) -> list[Person]:
    """Return the players of a section by name, as public pages show them."""
    section = Section.objects.get(event=find_event(place), number=place.section)
    found = by_row(player for _, player in entries_of(bytes(section.entries)).tolist())
    return sorted(found.values(), key=lambda one: (one.name, one.number))
