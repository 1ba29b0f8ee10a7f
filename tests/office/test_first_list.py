"""The first list that a correction can change."""

from __future__ import annotations

from datetime import date

from crosstable.office.queries.correction import first_list


def test_the_first_list_with_the_new_numbers_comes_after_the_event() -> None:
    """An event of 25 January is on no list of 1 January, even where the newest list is that of December."""
    assert first_list(date(2025, 12, 1), date(2026, 1, 25)) == date(2026, 2, 1)
    assert first_list(date(2026, 3, 1), date(2026, 1, 25)) == date(2026, 4, 1)
    assert first_list(None, date(2026, 1, 25)) is None
