"""How dates, ratings and results are written, in pages, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterable

from crosstable.federations.current import current
from crosstable.systems.us_chess import pools
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.words import numbers
from crosstable.words.counts import count, joined, sections, small, some
from crosstable.words.dates import day, month, short_day
from crosstable.words.language import _, gettext_noop
from crosstable.words.numbers import points, thousands

#: The pools by the names that players use
POOLS = {pool.key: pool.title for pool in pools.POOLS}
#: For the catalogue: the titles of the pools
TITLES = (
    gettext_noop("Regular"),
    gettext_noop("Quick"),
    gettext_noop("Blitz"),
    gettext_noop("Online Regular"),
    gettext_noop("Online Quick"),
    gettext_noop("Online Blitz"),
)


def whole(value: float) -> str:
    """To the nearest whole number, halves up, as ratings are published."""
    return str(round_half_up(value)).replace("-", "−")


def decimals(value: float, places: int) -> str:
    """1591.7, with a real minus; ≈1592 where it is rounded to protect an age."""
    return numbers.number(value, places, fixed=True)


def signed(value: float, places: int = 0) -> str:
    """+31, −31; a number that is rounded to protect an age says so: ≈+31."""
    return numbers.signed(value, places)


def pool(key: str) -> str:
    """Return a pool's name, as the federation calls it."""
    named = current().titles_of_pools.get(key) or POOLS.get(key)
    return _(named) if named else (key.title() if key.isupper() and len(key) > 4 else key)


def main_pool() -> str:
    """Return the key of the federation's first pool."""
    return current().pools[0].key


def pools_in_order(keys: Iterable[str]) -> list[str]:
    """Return pools in the order of the federation's profile; others after them."""
    order = list(current().titles_of_pools)
    return sorted(keys, key=lambda key: (order.index(key) if key in order else len(order), key))


def rating_text(value: float) -> str:
    """Return a rating as the federation prints it: 1642, or 4.32 on a scale of ranks."""
    places = current().shows.decimals
    return decimals(value, places) if places else whole(value)


def as_shown(value: float) -> float:
    """Return a rating or a change, rounded as the federation prints it: to whole numbers with halves up, or to its
    decimals.
    """
    places = current().shows.decimals
    return round(value, places) if places else round_half_up(value)


def change_text(value: float) -> str:
    """Return a change as the federation prints it: +31, or −0.18 on a scale of ranks."""
    return signed(as_shown(value), current().shows.decimals)


def rank_text(rating: float) -> str:
    """Return the go rank of a rating: 3.5 is 3d, −5.2 is 5k."""
    return f"{int(rating)}d" if rating > 0 else f"{int(-rating)}k"


def is_provisional(games: int | None) -> bool:
    """Return whether the federation marks a rating that is based on so many games as provisional."""
    return games is not None and current().shows.provisional and games <= provisional_games()


__all__ = [
    "POOLS",
    "as_shown",
    "change_text",
    "count",
    "day",
    "decimals",
    "is_provisional",
    "joined",
    "main_pool",
    "month",
    "points",
    "pool",
    "pools_in_order",
    "rating_text",
    "round_half_up",
    "sections",
    "short_day",
    "signed",
    "small",
    "some",
    "thousands",
    "whole",
]
