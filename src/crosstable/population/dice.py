"""What chance is asked for."""

from __future__ import annotations

from typing import Protocol


class Dice(Protocol):
    """`random.Random` and `numpy.random.Generator` are both dice."""

    def random(self) -> float: ...


class NormalDice(Dice, Protocol):
    """NumPy's can throw a bell curve too."""

    def standard_normal(self) -> float: ...
