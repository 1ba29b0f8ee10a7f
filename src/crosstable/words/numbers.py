"""Numbers as sentences write them: in full, as "≈98" where they are rounded, as "not shown" where they are hidden."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from crosstable.model.values import Hidden, Number, Rounded, exact, known
from crosstable.words.language import DECIMAL_MARKS, THOUSANDS, _, language, ngettext

MINUS = "−"


def decimal(text: str) -> str:
    """Return a formatted number with the decimal mark of the current language."""
    return text.replace(".", DECIMAL_MARKS[language()])


def thousands(value: float) -> str:
    """Return a whole number with its thousands grouped as the current language groups them."""
    mark, digits = THOUSANDS[language()]
    text = f"{value:,.0f}"
    return text.replace(",", mark if len(text.replace(",", "").lstrip("-")) >= digits else "")


def not_shown() -> str:
    """Return what stands for a hidden number."""
    return _("not shown")


def number(value: Number | None, places: int = 4, *, fixed: bool = False) -> str:
    """Write a number with at most so many decimals, or (`fixed`) with exactly so many; "≈" where it is rounded."""
    text = digits(value, places, fixed=fixed)
    return f"≈{text}" if isinstance(value, Rounded) else text


def digits(value: Number | None, places: int = 4, *, fixed: bool = False) -> str:
    """Write a number as `number` does, without the "≈": where the sentence itself says that it is rounded."""
    if value is None or isinstance(value, Hidden):
        return not_shown()
    sign = MINUS if value < 0 else ""
    if isinstance(value, Rounded):
        return f"{sign}{decimal(_rounded_digits(value))}"
    text = f"{abs(value):.{places}f}"
    if not fixed and "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{sign}{decimal(text)}"


def _rounded_digits(value: Rounded) -> str:
    return f"{abs(float(value)):.{1 if value.parts > 1 else 0}f}"


def plain(value: Number | None) -> str:
    """Write a number as the rulebook prints it: 14, 0.5, 2200."""
    return decimal(f"{value:g}") if exact(value) and value is not None else number(value)


def signed(value: Number, places: int = 4, *, fixed: bool = True) -> str:
    """Write a change with its sign: +98.1, −3."""
    if isinstance(value, Hidden):
        return not_shown()
    about = "≈" if isinstance(value, Rounded) else ""
    return f"{about}{signed_digits(value, places, fixed=fixed)}"


def signed_digits(value: float, places: int = 4, *, fixed: bool = True) -> str:
    """Write a change with its sign, without the "≈"."""
    return f"{'' if value < 0 else '+'}{digits(value, places, fixed=fixed)}"


def points(score: float) -> str:
    """Write a score: 3½."""
    whole, half = divmod(score, 1)
    return f"{int(whole) or ''}½" if half else str(int(whole))


def quarters(value: float) -> str:
    """Write a number of quarters: 12¾."""
    whole, part = divmod(round(value * 4), 4)
    return f"{whole if whole or not part else ''}{('', '¼', '½', '¾')[part]}"


def equals(*values: Number | None) -> str:
    """Return the sign before the result of a sum of these: "≈" where one of them is rounded."""
    return "≈" if any(isinstance(value, Rounded) for value in values) else "="


def assigned(name: str, value: Number | None, places: int = 4, *, fixed: bool = True) -> str:
    """Write "K = 32.0000", or "K ≈ 32", or "K not shown"."""
    text = digits(value, places, fixed=fixed)
    return f"{name} {equals(value)} {text}" if known(value) else f"{name} {text}"


def total(terms: str, operands: Sequence[Number | None], result: Number | None, places: int = 4) -> str:
    """Write "1500 + 3.2 = 1503.2". A sum is never printed without one of its numbers, nor as equal to a rounded one."""
    if not known(result):
        return _("the sum is not shown")
    text = digits(result, places)
    if not all(known(one) for one in operands):
        about = "" if exact(result) else "≈"
        return _("the sum is not shown; the result is {result}").format(result=f"{about}{text}")
    return f"{terms} {equals(*operands, result)} {text}"


def games(count: float) -> str:
    """Write a number of games."""
    return ngettext("{count} game", "{count} games", count).format(count=plain(count))


def day(when: date) -> str:
    """Write a date as every command and file does."""
    return when.isoformat()
