"""FIDE ratings: the regulations of 2022, of March 2024, and their amendments of December 2024 and October 2025."""

from crosstable.systems.fide.newcomers import first_rating
from crosstable.systems.fide.system import Fide, differences, lifted, pace_of

SYSTEM = Fide()

__all__ = ["SYSTEM", "Fide", "differences", "first_rating", "lifted", "pace_of"]
