"""Glicko; `Glicko1995` is the one-game form of the report's time."""

from crosstable.systems.glicko.per_game import Glicko1995
from crosstable.systems.glicko.system import Glicko

SYSTEM = Glicko()

__all__ = ["SYSTEM", "Glicko", "Glicko1995"]
