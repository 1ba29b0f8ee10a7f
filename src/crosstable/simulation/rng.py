"""Describe the random number generators that the simulation accepts."""

from __future__ import annotations

from typing import Protocol


class Rng(Protocol):
    """Draw uniform numbers, as `random.Random` and `numpy.random.Generator` both do."""

    def random(self) -> float: ...


class NormalRng(Rng, Protocol):
    """Draw normal numbers too, as `numpy.random.Generator` does."""

    def standard_normal(self) -> float: ...
