"""Long tables in pieces, for programs. Each piece says after which row the next one begins.

That is the row's public id, never its name: a name may be withheld.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from django.db.models import Q

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Event, Player
from crosstable.office.lists import read
from crosstable.office.lists.models import ListRow
from crosstable.office.lists.options import ListError
from crosstable.office.players import person
from crosstable.office.queries import event as events
from crosstable.office.queries import ratings, search
from crosstable.office.queries.event import Line
from crosstable.office.queries.published import COLUMNS, Listed
from crosstable.office.queries.search import Hit

T = TypeVar("T")
MOST = 200


class UnknownCursor(OfficeError):
    """A piece was asked for that begins after a row which does not exist."""


@dataclass(frozen=True, slots=True)
class Piece(Generic[T]):
    rows: tuple[T, ...]
    next: str | None  # the id after which the next piece begins; nothing at the end


@dataclass(frozen=True, slots=True)
class ListedRow(Listed):
    """A row of a list as the ledger has it."""

    active: bool = False


def players(query: str, state: str = "", after: str = "", count: int = 50) -> Piece[Hit]:
    """Players by words of their names or the beginning of their id, by name."""
    found = search.fitting(query, person.state_code(state))
    if after:
        name = Player.objects.filter(number=after, withheld=False).values_list("name", flat=True).first()
        if name is None:
            raise UnknownCursor(f"no piece begins after {after!r}")
        found = found.filter(Q(name__gt=name) | Q(name=name, number__gt=after))
    rows = list(found.order_by(*search.BY_NAME).values_list("id", flat=True)[: count + 1])
    return _piece(search.hits_of(rows[:count], ratings.newest_list()), len(rows) > count, lambda hit: hit.person.number)


def rated_events(
    query: str = "", year: int | None = None, state: str = "", after: str = "", count: int = 50
) -> Piece[Line]:
    """Rated events, newest first."""
    found = events.matching(query, year, person.state_code(state))
    if after:
        end = Event.objects.filter(number=after).values_list("end", flat=True).first()
        if end is None:
            raise UnknownCursor(f"no piece begins after {after!r}")
        found = found.filter(Q(end__lt=end) | Q(end=end, number__lt=after))
    lines = events.lines_of(found.order_by("-end", "-number")[: count + 1])
    return _piece(lines[:count], len(lines) > count, lambda line: line.number)


def list_rows(day: dt.date, pool: str, state: str = "", after: str = "", count: int = 50) -> Piece[ListedRow]:
    """One pool of a published list, by id."""
    published = read.find(day)
    if pool not in read.report_of(published)["pools"]:
        raise ListError(f"the list of {day} has no {pool}")
    found = ListRow.objects.filter(published=published, pool=pool, number__gt=after)
    if state:
        found = found.filter(state=person.state_code(state))
    rows = [ListedRow(**row) for row in found.order_by("number").values(*COLUMNS, "active")[: count + 1]]
    hidden = person.withheld(row.number for row in rows)
    made = [replace(row, name=person.shown_name(row.name, withheld=row.number in hidden)) for row in rows]
    return _piece(tuple(made[:count]), len(made) > count, lambda row: row.number)


def _piece(rows: tuple[T, ...], more: bool, key: Callable[[T], str]) -> Piece[T]:
    return Piece(rows, key(rows[-1]) if more and rows else None)
