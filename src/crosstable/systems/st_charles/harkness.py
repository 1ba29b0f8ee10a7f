"""The Harkness system: the same arithmetic with 16 points at risk. It knows no starting rating: a club brings its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from crosstable.rulebook import Rulebook, rulebook
from crosstable.systems.st_charles.system import StCharles


@dataclass(frozen=True)
class Harkness(StCharles):
    book: Rulebook = field(default_factory=lambda: rulebook("harkness"), repr=False)
    name: ClassVar[str] = "harkness"


SYSTEM = Harkness()
