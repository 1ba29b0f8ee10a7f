"""The English Chess Federation's monthly ratings, since July 2020."""

from crosstable.systems.ecf.system import Ecf

SYSTEM = Ecf()

__all__ = ["SYSTEM", "Ecf"]
