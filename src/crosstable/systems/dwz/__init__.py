"""DWZ, the German federation's rating."""

from crosstable.systems.dwz.system import Dwz

SYSTEM = Dwz()

__all__ = ["SYSTEM", "Dwz"]
