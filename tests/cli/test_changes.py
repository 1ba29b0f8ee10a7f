"""The table of whose ratings an act changes."""

from __future__ import annotations

from typing import Any

import pytest

from crosstable.cli.office_common import print_changes


def change(before: float | None, after: float | None, floors: tuple[float | None, float | None]) -> dict[str, Any]:
    difference = None if before is None or after is None else after - before
    return {
        "player": "12345678",
        "name": "Ann",
        "pool": "OTBR",
        "before": before,
        "after": after,
        "difference": difference,
        "floor_before": floors[0],
        "floor_after": floors[1],
        "lists": [],
        "since": "2025-08-10",
        "reason": "a floor",
    }


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (change(1620.0, 1620.0, (1600.0, 1500.0)), "floor 1600 → 1500"),
        (change(1620.0, 1620.0, (None, 1500.0)), "floor none → 1500"),
        (change(1620.0, 1612.5, (1600.0, 1500.0)), "-7.50"),
        (change(None, 1620.0, (None, None)), "new"),
        (change(1620.0, None, (None, None)), "gone"),
    ],
)
def test_where_only_the_floor_changes_the_table_says_the_floor(
    row: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_changes([row])
    printed = capsys.readouterr().out
    assert words in printed
    assert "+0.00" not in printed
