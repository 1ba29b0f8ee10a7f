"""Official and live ratings: two numbers for each pool, and which is which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.federations.current import current
from crosstable.model import Rating
from crosstable.office.ledger import order
from crosstable.office.lists import official as standings
from crosstable.office.lists.models import PublishedList
from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import Actor
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries.words import is_provisional
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.storage import bulk, clock
from crosstable.words.phrases import pools_in_order, rank_text


@dataclass(frozen=True, slots=True)
class Shown:
    """A published number. Nothing: it would tell an age, and is not shown."""

    rating: float | None
    games: int | None = None
    date: date | None = None
    spread: float | None = None  # a Glicko deviation or an AGA sigma, where the federation shows it

    @property
    def provisional(self) -> bool:
        return is_provisional(self.games)

    @property
    def rank(self) -> str:
        """Return the go rank, where the federation shows ranks: 3d, 7k."""
        return rank_text(self.rating) if self.rating is not None and current().shows.rank else ""


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
    """Return number → pool → what the list in force says."""
    found: dict[str, dict[str, Shown]] = {}
    if published is None:
        return found
    wanted = list(numbers)
    marks = ", ".join(["%s"] * len(wanted)) or "NULL"
    rows = bulk.rows(  # the index on numbers is the one to use: SQLite's planner would read the whole list
        "SELECT number, pool, rating, games FROM lists_listrow WHERE "  # noqa: S608  our own names and numbers
        f"number IN ({marks}) AND published_id + 0 = %s",
        [*wanted, published.id],
    )
    for number, pool, rating, games in rows:
        found.setdefault(number, {})[pool] = Shown(rating, games, published.date)
    return found


def records(players: Sequence[int]) -> dict[int, dict[str, Rating]]:
    """Return the live records as the office keeps them: for computing, not for showing."""
    return states.now(players)


def live(
    players: Sequence[int], held: dict[int, dict[str, Rating]] | None = None, starts: AgeStarts | None = None
) -> dict[int, dict[str, Shown]]:
    """Row → pool → the published number of today; none where the player is unrated by the rules. `held`, `starts`: if
    the caller has read them already.
    """
    today = clock.today()
    held = records(players) if held is None else held
    starts = starts or AgeStarts(players)
    return {
        player: {
            pool: _shown(pool, one, hidden=starts.tells(player, pool, one.rating, order.END))
            for pool, one in own.items()
            if standings.is_listed(pool, one.rating, today, complete=not one.pending)
        }
        for player, own in held.items()
    }


def _shown(pool: str, record: Rating, *, hidden: bool) -> Shown:
    spread = record.sigma if record.deviation is None else record.deviation
    known = not hidden and current().shows.deviation
    return Shown(
        None if hidden else standings.shown(pool, record.rating), record.games, record.date, spread if known else None
    )


def pools(official: dict[str, Shown], live: dict[str, Shown]) -> tuple[InPool, ...]:
    """All pools that someone has, in the usual order."""
    return tuple(InPool(pool, official.get(pool), live.get(pool)) for pool in pools_in_order({*official, *live}))


@dataclass(frozen=True, slots=True)
class Own:
    """A user's own player: what the public sees of it."""

    person: Person
    pools: tuple[InPool, ...]
    list: Newest | None


def own(actor: Actor) -> Own | None:
    """Return the player that this user is, with official and live ratings; None before an officer has confirmed it."""
    row = own_player(actor)
    if row is None:
        return None
    newest = newest_list()
    listed = official(newest, [row.number]).get(row.number, {})
    return Own(people.of(row), pools(listed, live([row.id]).get(row.id, {})), newest)
