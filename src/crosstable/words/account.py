"""A US Chess derivation, taken apart: the step of each kind, both passes, and what the games gave."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from crosstable.model import Answer
from crosstable.model.derivation import Step
from crosstable.model.us_chess_steps import Floor, HiddenStart, Pass
from crosstable.words.figures import or_none

AnyStep = TypeVar("AnyStep", bound=Step)


class Account:
    """What an answer says about its steps. Hidden numbers are None."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def step(self, kind: type[AnyStep]) -> AnyStep | None:
        """Return the last step of a kind, unless it is hidden."""
        return next((one for one in reversed(self.answer.derivation) if isinstance(one, kind)), None)

    @cached_property
    def passes(self) -> dict[int, Pass]:
        """Both passes by their number."""
        return {one.step: one for one in self.answer.derivation if isinstance(one, Pass)}

    @cached_property
    def by_age(self) -> bool:
        """Whether a first rating starts from an age. Its start is then hidden for every player, child or adult."""
        return bool(self.answer.derivation) and isinstance(self.answer.derivation[0], HiddenStart)

    def value(self, name: str) -> float | None:
        """Return a value of the answer."""
        found = self.answer.values.get(name)
        return None if found is None or found != found else found  # noqa: PLR0124  NaN is not itself

    @cached_property
    def gained(self) -> float | None:
        """K × (S − E), where it may be shown."""
        last = self.passes.get(5)
        return None if last is None else or_none(last.gain)

    @property
    def floor_holds(self) -> bool:
        """Whether the floor stopped the fall."""
        floor = self.step(Floor)
        return floor is not None and floor.holds
