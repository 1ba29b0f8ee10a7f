"""The St. Charles Chess Club's ratings: 21 points at risk, the difference over 25, one game at a time."""

from crosstable.rulebook import rulebook
from crosstable.systems.st_charles.system import Points, StCharles

SYSTEM = StCharles()


def cxr() -> StCharles:
    """Chess Express Ratings, which St. Charles simplified. They know no starting rating: a club brings its own."""
    return StCharles(rulebook("cxr"))


def harkness() -> StCharles:
    """Return the Harkness system: the same arithmetic with 16 points at risk. No starting rating either."""
    return StCharles(rulebook("harkness"))


__all__ = ["SYSTEM", "Points", "StCharles", "cxr", "harkness"]
