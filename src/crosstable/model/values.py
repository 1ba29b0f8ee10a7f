"""Numbers as a viewer may know them: in full, rounded, or hidden because they would reveal a player's age."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeGuard

from crosstable.errors import HiddenValue


class Rounded(float):
    """A number that may be shown in tenths (`parts` 10) or in whole points (`parts` 1) only.

    However it is formatted, it comes out as "≈98", so that it never looks exact.

    >>> f"{Rounded(98.13):.4f}"
    '≈98'
    """

    parts: int

    def __new__(cls, value: float, parts: int = 1) -> Rounded:
        found = super().__new__(cls, round_half_up(value, parts))
        found.parts = parts
        return found

    def __reduce__(self) -> tuple[type[Rounded], tuple[float, int]]:
        return Rounded, (float(self), self.parts)

    def __str__(self) -> str:
        return f"≈{float(self):.{1 if self.parts > 1 else 0}f}"

    def __format__(self, _: str) -> str:
        return str(self)


class Hidden:
    """A number that may not be shown. Formatting it, or computing with it, raises HiddenValue."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise HiddenValue

    if not TYPE_CHECKING:  # a type checker shall not believe that one may compute with it
        __str__ = __format__ = __float__ = __int__ = __bool__ = __abs__ = __neg__ = _refuse
        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
        __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __repr__(self) -> str:
        return "HIDDEN"

    def __reduce__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = Hidden()

#: A number of a derivation, in full or in its public form
Number = float | Hidden


def round_half_up(value: float, parts: int = 1) -> float:
    """Round to a whole number, or to a part of one, as ratings are published."""
    return math.floor(value * parts + 0.5) / parts


def known(value: Any) -> TypeGuard[float]:
    """Whether this is a number that may be shown, be it rounded."""
    return value is not None and not isinstance(value, Hidden)


def exact(*values: Any) -> bool:
    """Whether all of these are shown in full."""
    return not any(isinstance(value, Hidden | Rounded) for value in values)
