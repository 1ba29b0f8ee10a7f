"""What callers of the library may give in more than one way."""

from __future__ import annotations

from datetime import date

from crosstable.errors import WrongValue


def day_of(value: date | str, name: str) -> date:
    """A day, or its text YYYY-MM-DD."""
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise WrongValue(f"{name}: expected a date YYYY-MM-DD, found {value!r}") from None
