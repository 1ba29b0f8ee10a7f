"""A rating to begin with: someone who gained much in one of the newest events, whose work everybody may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F

from crosstable.office.ledger.models import RatingRow
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries import event as events
from crosstable.office.queries import history
from crosstable.office.queries.derivation import derivation
from crosstable.office.queries.event import Line
from crosstable.office.queries.history import Played
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.systems.us_chess.pools import MAIN

#: So many gains are looked at
TRIED = 5
#: In so many of the newest events
NEWEST = 3


class Example(NamedTuple):
    """Someone, and the section of the gain."""

    person: Person
    played: Played


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus at work."""

    games: int
    gain: float
    bonus: float
    played: Played  # where it was earned


def gain(newest: Sequence[Line] | None = None) -> Example | None:
    """Return the largest one that may be shown. `newest`: the newest events, if the caller has them already."""
    return next(_gains(newest), None)


def bonus() -> Bonus | None:
    """Return the first of the largest gains that earned one."""
    for _, one in _gains(None):
        page = derivation(one.event, one.section, one.number, one.pool)
        if page.sums is not None and page.sums[2] > 0:
            games = sum(bool(cell.opponent) for cell in page.row.cells)
            return Bonus(games, page.sums[1], page.sums[2], one)
    return None


def _gains(newest: Sequence[Line] | None) -> Iterator[Example]:
    lines = events.latest(NEWEST) if newest is None else newest[:NEWEST]
    rows = list(
        RatingRow.objects.filter(
            section__event__number__in=[one.number for one in lines],
            pool=MAIN,
            initialized=False,
            prior__isnull=False,
            player__withheld=False,
        )
        .order_by((F("prior") - F("post")), "id")
        .values(*history.COLUMNS)[:TRIED]
    )
    everybody, starts = people.by_row(row["player_id"] for row in rows), AgeStarts([row["player_id"] for row in rows])
    for row in rows:
        one = history.of_row(row, starts)
        if one.change is not None and one.change > 0:
            yield Example(everybody[row["player_id"]], one)
