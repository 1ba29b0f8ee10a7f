"""Numbers of a derivation as its story writes them: in full, or with "≈" where they are rounded to protect an age."""

from __future__ import annotations

from crosstable.systems.privacy import NOT_SHOWN, Rounded


def shown(value: float | None, places: int = 1) -> str:
    """With so many digits, or fewer where it has no more; a number that is rounded to protect an age says so: ≈2.9."""
    if value is None:
        return NOT_SHOWN
    if isinstance(value, Rounded):
        return f"≈{value.written()}"
    return f"{value:.{places}f}" if is_long(value) else f"{value:.1f}".removesuffix(".0")


def is_long(value: float) -> bool:
    """Whether a number has more than one decimal."""
    return abs(value * 10 - round(value * 10)) > 1e-9


def read_number(text: str) -> float | None:
    """A number as a public sentence writes it."""
    if text in ("", NOT_SHOWN):
        return None
    number = text.removeprefix("≈")
    return float(number) if number == text else Rounded(float(number), 10 if "." in number else 1)


def equals(*numbers: float | None) -> str:
    """What stands before the result of a sum of these."""
    return "≈" if any(isinstance(one, Rounded) for one in numbers) else "="


def points_above(score: float, expected: float) -> float:
    return Rounded(score - expected, expected.parts) if isinstance(expected, Rounded) else score - expected


def first_pass(moved: float, equals: str) -> str:
    about = "about " if equals == "≈" else ""
    least, places = (0.5, 0) if about else (0.05, 1)
    if abs(moved) < least:
        return f"; the first pass left it {about}there"
    return f"; the first pass {'raised' if moved > 0 else 'lowered'} it by {about}{abs(moved):.{places}f}"


def sum_of(left: str, result: float, written: str, *numbers: float | None) -> str:
    """ "K = 800 ÷ (20 + 5) = 32", with "≈" where a number in it is rounded."""
    return f"{left} {equals(result, *numbers)} {written.removeprefix('≈')}"
