"""Numbers as the derivation page writes them."""

from __future__ import annotations

from crosstable.model.values import Number, Rounded
from crosstable.words.numbers import digits, equals, not_shown


def or_none(value: Number | None) -> float | None:
    """Return a number that may be shown, or None."""
    return value if isinstance(value, float | int) else None


def figure(value: Number | None, places: int = 1) -> str:
    """Write a number with so many digits, or fewer where it has no more."""
    found = or_none(value)
    if found is None:
        return not_shown()
    return f"≈{digits_of(found, places)}" if isinstance(found, Rounded) else digits_of(found, places)


def digits_of(value: float, places: int = 1) -> str:
    """Write a number as `figure` does, without the "≈"."""
    if isinstance(value, Rounded) or is_long(value):
        return digits(value, places, fixed=True)
    return digits(value, 1)


def is_long(value: float) -> bool:
    """Whether a number has more than one decimal."""
    return abs(value * 10 - round(value * 10)) > 1e-9


def above(score: float, expected: float) -> float:
    return Rounded(score - expected, expected.parts) if isinstance(expected, Rounded) else score - expected


def sum_of(left: str, result: float, written: str, *numbers: float | None) -> str:
    """Write "K = 800 ÷ (20 + 5) = 32", with "≈" where a number in it is rounded.

    `written`: the digits of the result.
    """
    return f"{left} {equals(result, *numbers)} {written}"
