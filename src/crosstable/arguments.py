"""What callers of the library may give in more than one way."""

from __future__ import annotations

from datetime import date, datetime

from crosstable.errors import WrongValue


def day_of(value: date | str | None, name: str) -> date:
    """Return a day, or the day that a text YYYY-MM-DD names. Of a time, take the day on its own clock."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        if isinstance(value, datetime):
            return date(value.year, value.month, value.day)  # pandas' NaT has none of them
        return date.fromisoformat(value)  # type: ignore[arg-type]  # None is told below
    except (TypeError, ValueError):
        raise WrongValue(f"{name}: expected a date YYYY-MM-DD, found {value!r}") from None
