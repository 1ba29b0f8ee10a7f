"""Section 3 of the 1996 report: FIDE and CFC ratings on the USCF scale, by the printed tables."""

from __future__ import annotations

from bisect import bisect_left

from crosstable.model import Player
from crosstable.rulebook import Rules

SOURCES = ("fide", "cfc")


def convert(rules: Rules, source: str, rating: float) -> float | None:
    """Return the USCF rating for a FIDE or CFC rating: a printed row, a straight line between two,
    or none (readings 18).
    """
    table = rules[f"{source}_conversion"]
    foreign, uscf = table["foreign"], table["uscf"]
    if not foreign[0] <= rating <= foreign[-1]:
        return None
    above = bisect_left(foreign, rating)
    if foreign[above] == rating:
        return float(uscf[above])
    share = (rating - foreign[above - 1]) / (foreign[above] - foreign[above - 1])
    return float(uscf[above - 1] + share * (uscf[above] - uscf[above - 1]))


def converted(rules: Rules, player: Player) -> tuple[str, float] | None:
    """Return the first of a player's foreign ratings that converts, FIDE before CFC (3.3): (source, USCF rating)."""
    for source in rules["converted_rating"]["precedence"]:
        held = player.fide if source == "fide" else player.cfc
        if held is not None and (rating := convert(rules, source, held.rating)) is not None:
            return source, rating
    return None
