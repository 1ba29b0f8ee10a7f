"""Go ranks and the scale with a hole: 3d seeds at 3.5, 5k at -5.5, and nothing lies between -1 and 1."""

from __future__ import annotations

import re

from crosstable.errors import CrosstableError
from crosstable.rulebook import Rules
from crosstable.systems.aga import formulas

_RANK = re.compile(r"\s*([1-9][0-9]?)\s*([dkDK])\s*")

WITH_GAP, WITHOUT_GAP, POINTS = "ranks with a gap", "ranks", "points"


class NotARank(CrosstableError):
    """A go rank that we cannot read; the message quotes it."""


def parse_rank(text: str) -> int:
    """3d is 3, 5k is -5.

    >>> parse_rank("3d"), parse_rank("5k")
    (3, -5)
    """
    found = _RANK.fullmatch(text)
    if found is None:
        raise NotARank(f"'{text}' is not a go rank: 1d, 2d … for dan, 1k, 2k … for kyu")
    number = int(found[1])
    return number if found[2] in "dD" else -number


def entry_seed(rank: str, rules: Rules) -> float:
    """Return the rating in the middle of the declared rank: n + 0.5 or -(n + 0.5)."""
    number, middle = parse_rank(rank), rules["scale"]["middle"]
    if rules["scale"]["kind"] == WITHOUT_GAP:
        return float(number + middle if number > 0 else 1 + number - middle)
    return float(number + middle if number > 0 else number - middle)


def to_closed(rating: float, rules: Rules) -> float:
    return formulas.closed(rating) if rules["scale"]["kind"] == WITH_GAP else rating


def to_open(rating: float, rules: Rules) -> float:
    return formulas.opened(rating) if rules["scale"]["kind"] == WITH_GAP else rating


def in_the_hole(rating: float, rules: Rules) -> bool:
    """Where no rating exists (0 itself stands for "none" in a record)."""
    return rules["scale"]["kind"] == WITH_GAP and abs(rating) < 1
