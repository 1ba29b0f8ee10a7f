"""Chess Express Ratings: the system that St. Charles simplified. It knows no starting rating: a club brings its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from crosstable.rulebook import Rulebook, rulebook
from crosstable.systems.st_charles.system import StCharles


@dataclass(frozen=True)
class Cxr(StCharles):
    book: Rulebook = field(default_factory=lambda: rulebook("cxr"), repr=False)
    name: ClassVar[str] = "cxr"


SYSTEM = Cxr()
