"""Stephenson's system: Glicko with a second source of uncertainty, a bonus per game and a pull towards one's
opponents.
"""

from crosstable.systems.stephenson.system import Stephenson

SYSTEM = Stephenson()

__all__ = ["SYSTEM", "Stephenson"]
