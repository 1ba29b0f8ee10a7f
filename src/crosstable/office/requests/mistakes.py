"""A player reports a mistake in a rated event; the office answers, and the event's director reads along."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger.models import Event, Section, Submission
from crosstable.office.notices import messages
from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import Actor, require, user_name
from crosstable.office.requests import lifecycle
from crosstable.office.requests.models import Request
from crosstable.office.storage.database import writing

#: How a game ended for whoever reports it
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


def report(actor: Actor, place: Place, words: str, result: str = "") -> Request:
    """Something in a rated event is wrong. `result`: how the reporter's own game of that round ended."""
    require(actor, "request.make")
    lifecycle.refuse_words(words, "a report")
    if result not in RESULTS:
        raise OfficeError(f"{result!r} is not a result: it is win, draw or loss")
    with writing():
        lifecycle.refuse_flood(actor)
        event = _place(place)
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
        row.save()
        subject = f"A mistake is reported: {place.in_words(event.name)}"
        to = {*messages.officers(), *_directors(event)}
        messages.send(to, subject, row.words, about=lifecycle.about(row), by=actor.name)
        record(actor.name, "request.mistake", f"event:{event.number}", "", {"request": row.id})
    return row


def _refuse_same(row: Request) -> None:
    """Who reports the same again is led to the report that waits: the office answers once."""
    place = {"event": row.event, "section": row.section, "round": row.round, "result": row.result}
    same = Request.objects.filter(user_id=row.user_id, kind=Request.MISTAKE, state=Request.WAITING, **place)
    if not (row.round and row.result):  # without a game, only the words tell what is meant
        same = same.filter(words=row.words)
    if first := same.order_by("id").first():
        raise OfficeError(f"you have reported this already: request {first.id} waits for its answer; write to it there")


def answer(actor: Actor, number: int, mended: bool, words: str) -> Request:
    """Tell the player and the director that it is mended, or that it stays as it is, and why."""
    require(actor, "request.decide")
    lifecycle.refuse_words(words, "an answer")
    with writing():
        row = lifecycle.waiting(actor, number, Request.MISTAKE)
        name = Event.objects.filter(number=row.event).values_list("name", flat=True).first() or row.event
        place = Place(row.event, row.section, row.round).in_words(name)
        lifecycle.decide(actor, row, mended, words, f"{place}: {'mended' if mended else 'it stays as it is'}")
    return row


def _place(place: Place) -> Event:
    """The event, if it is rated and has this section and round."""
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
    """Whoever sent the event in."""
    found = Submission.objects.filter(event=event, outcome="queued").values_list("author", flat=True)
    return {user_name(one) for one in found}


@dataclass(frozen=True, slots=True)
class Choice:
    """A section that a report may be about."""

    number: int
    name: str
    rounds: int


def choices(number: str) -> tuple[str, list[Choice]]:
    """A rated event's name and its sections."""
    event = _place(Place(number))
    rows = Section.objects.filter(event=event).order_by("number").values_list("number", "name", "rounds")
    return event.name, [Choice(*row) for row in rows]
