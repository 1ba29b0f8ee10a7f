"""How dates, ratings and results are written, in pages, tables and sentences."""

from __future__ import annotations

from collections.abc import Iterable

from crosstable.formats.dates import MONTHS, day, short_day
from crosstable.systems.us_chess import pools
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.words import numbers
from crosstable.words.numbers import points

#: The pools by the names that players use
POOLS = {pool.key: pool.title for pool in pools.POOLS}
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


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
    return POOLS.get(key, key.title() if key.isupper() and len(key) > 4 else key)


def is_provisional(games: int | None) -> bool:
    return games is not None and games <= provisional_games()


def count(number: int, noun: str) -> str:
    """ "1 game", "5 games", "2 entries", "3 days"."""
    return f"{number:,} {_noun(number, noun)}"


def some(number: int, noun: str) -> str:
    """ "one game", "five games", "13 games": for sentences."""
    return f"{small(number)} {_noun(number, noun)}"


def _noun(number: int, noun: str) -> str:
    many = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeou" else f"{noun}s"
    return noun if number == 1 else many


def sections(text: str) -> str:
    """ "section 4.2", "sections 4.2 and 8": of a document, from how the rulebook writes them."""
    parts = text.split(", ")
    return f"{_noun(len(parts), 'section')} {joined(parts)}"


def joined(parts: Iterable[str]) -> str:
    """ "Ann", "Ann and Ben", "Ann, Ben and Cay"."""
    *first, last = [*parts] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def small(number: int) -> str:
    """ "five" for 5, and figures from 13 on."""
    return SMALL[number] if 0 <= number < len(SMALL) else f"{number:,}"


__all__ = [
    "MONTHS",
    "count",
    "day",
    "decimals",
    "is_provisional",
    "joined",
    "points",
    "pool",
    "round_half_up",
    "sections",
    "short_day",
    "signed",
    "small",
    "some",
    "whole",
]
