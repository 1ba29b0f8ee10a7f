"""Suggestions while a person types: players and events together; and the one page that a whole name or number means."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.office.ledger.models import Event
from crosstable.office.queries import search
from crosstable.office.queries.event import Line, lines_of, rated
from crosstable.office.queries.search import Hit

#: The most suggestions of each kind
PLAYERS, EVENTS = 5, 4


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What fits the typed text. `total`: how many players fit; `counted`: otherwise there are more than that."""

    query: str
    players: tuple[Hit, ...]
    events: tuple[Line, ...]
    total: int
    counted: bool


def suggest(query: str) -> Suggestions:
    """Return the players and events that fit what was typed so far."""
    text = query.strip()
    found = search.players(text, typing=True)
    numbers = [number for number, _name in search.events_named(text, EVENTS)]
    events = lines_of(rated().filter(number__in=numbers).order_by("-end", "-number")) if numbers else ()
    return Suggestions(text, found.hits[:PLAYERS], events, found.total, found.counted)


def event_called(query: str) -> str:
    """Return the number of the only rated event with this name or number; nothing where there is none or a choice."""
    text = query.strip()
    if not text:
        return ""
    found = Event.objects.filter(status=Event.ACCEPTED)
    numbers = list(found.filter(number=text).values_list("number", flat=True)[:1])
    named = [number for number, name in search.events_named(text, 20) if name.casefold() == text.casefold()]
    return numbers[0] if numbers else named[0] if len(named) == 1 else ""
