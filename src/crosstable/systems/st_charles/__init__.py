"""The St. Charles Chess Club's ratings: 21 points at risk, the difference over 25, one game at a time."""

from crosstable.systems.st_charles.system import Points, StCharles, sentence

SYSTEM = StCharles()

__all__ = ["SYSTEM", "Points", "StCharles", "sentence"]
