"""The American Go Association's ratings; `matthews()` (1990) and `chess()` are the same method with other numbers."""

from crosstable.rulebook import rulebook
from crosstable.systems.aga.scale import NotARank, parse_rank
from crosstable.systems.aga.system import Aga

SYSTEM = Aga()


def matthews() -> Aga:
    """Return the system that the 1996 report describes: one constant s, sigma by the times rated."""
    return Aga(rulebook("aga_matthews"))


def chess() -> Aga:
    """Return the same method for chess: no stones, draws as half, Elo's scale."""
    return Aga(rulebook("aga_chess"))


__all__ = ["SYSTEM", "Aga", "NotARank", "chess", "matthews", "parse_rank"]
