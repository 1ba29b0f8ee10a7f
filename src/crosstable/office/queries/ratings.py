"""Official and live ratings: two numbers for each pool, and which is which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.model import Rating
from crosstable.office.ledger import order
from crosstable.office.lists import official as standings
from crosstable.office.lists.models import PublishedList
from crosstable.office.queries.words import POOLS, is_provisional
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.storage import bulk


@dataclass(frozen=True, slots=True)
class Shown:
    """A published number. Nothing: it would tell an age, and is not shown."""

    rating: float | None
    games: int | None = None
    date: date | None = None

    @property
    def provisional(self) -> bool:
        return is_provisional(self.games)


@dataclass(frozen=True, slots=True)
class InPool:
    """One pool of one player."""

    pool: str
    official: Shown | None
    live: Shown | None

    @property
    def moved(self) -> bool:
        """Whether the live number is another than the official one."""
        return self.live is not None and (self.official is None or self.official.rating != self.live.rating)


@dataclass(frozen=True, slots=True)
class Newest:
    """The list in force."""

    id: int
    date: date


def newest_list() -> Newest | None:
    row = PublishedList.objects.order_by("-date").values_list("id", "date").first()
    return Newest(*row) if row else None


def official(published: Newest | None, numbers: Iterable[str]) -> dict[str, dict[str, Shown]]:
    """Number → pool → what the list in force says."""
    found: dict[str, dict[str, Shown]] = {}
    if published is None:
        return found
    wanted = list(numbers)
    marks = ", ".join(["%s"] * len(wanted)) or "NULL"
    rows = bulk.rows(  # the index on numbers is the one to use: SQLite's planner would read the whole list
        f"SELECT number, pool, rating, games FROM lists_listrow WHERE number IN ({marks}) AND published_id + 0 = %s",  # noqa: S608  our own names and numbers
        [*wanted, published.id],
    )
    for number, pool, rating, games in rows:
        found.setdefault(number, {})[pool] = Shown(rating, games, published.date)
    return found


def records(players: Sequence[int]) -> dict[int, dict[str, Rating]]:
    """The live records as the office keeps them: for working with, not for showing."""
    return states.now(players)


def live(
    players: Sequence[int], held: dict[int, dict[str, Rating]] | None = None, starts: AgeStarts | None = None
) -> dict[int, dict[str, Shown]]:
    """Row → pool → the published number of today. `held`, `starts`: from whoever has asked for them already."""
    held = records(players) if held is None else held
    starts = starts or AgeStarts(players)
    return {
        player: {
            pool: _shown(pool, one, hidden=starts.tells(player, pool, one.rating, order.END))
            for pool, one in own.items()
        }
        for player, own in held.items()
    }


def _shown(pool: str, record: Rating, *, hidden: bool) -> Shown:
    return Shown(None if hidden else standings.shown(pool, record.rating), record.games, record.date)


def pools(official: dict[str, Shown], live: dict[str, Shown]) -> tuple[InPool, ...]:
    """All pools that somebody has, in the usual order."""
    order = {pool: place for place, pool in enumerate(POOLS)}
    names = sorted({*official, *live}, key=lambda pool: (order.get(pool, len(order)), pool))
    return tuple(InPool(pool, official.get(pool), live.get(pool)) for pool in names)
