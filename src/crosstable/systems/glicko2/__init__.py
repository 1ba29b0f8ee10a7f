"""Glicko-2, with fractional periods as an option."""

from crosstable.systems.glicko2.system import Glicko2

SYSTEM = Glicko2()

__all__ = ["SYSTEM", "Glicko2"]
