"""The tables of the 1996 report's section 3: FIDE and CFC ratings as USCF ratings."""

from __future__ import annotations

from pathlib import Path

import pytest

from crosstable.systems.uscf_1996 import convert
from tests.systems.events_of_1996 import RULES

REPORT = "uscf-ratings-committee-report-1996-08.txt"


def printed(report: Path, heading: str) -> dict[int, int | None]:
    block = report.read_text().split(heading)[1].split("\n\n")[1]
    cells = [line.split() for line in block.splitlines() if line[:1].isdigit()]
    pairs = [pair for row in cells for pair in zip(row[::2], row[1::2], strict=True)]
    return {int(foreign): None if uscf == "NA" else int(uscf) for foreign, uscf in pairs}


@pytest.mark.clause("1996.fide-conversion")
@pytest.mark.clause("1996.cfc-conversion")
@pytest.mark.shared
@pytest.mark.parametrize(("source", "heading", "rows"), [("fide", "Table 1: USCF", 120), ("cfc", "Table 2: USCF", 100)])
def test_both_tables_in_full(shared: Path, source: str, heading: str, rows: int) -> None:
    table = printed(shared / "documents" / REPORT, heading)
    assert len(table) == rows
    assert {rating: convert(RULES, source, rating) for rating in table} == table
    missing = {rating for rating, uscf in table.items() if uscf is None}
    assert set(RULES[f"{source}_conversion"]["not_available"]) == missing


@pytest.mark.parametrize(
    ("source", "foreign", "added"),
    [("fide", 2250, 32), ("fide", 2400, 63), ("fide", 2660, 2), ("cfc", 1510, -89), ("cfc", 2440, 5)],
)
def test_examples_of_section_3(source: str, foreign: int, added: int) -> None:
    assert convert(RULES, source, foreign) == foreign + added


def test_between_rows_and_outside_the_table() -> None:
    assert convert(RULES, "fide", 2252) == pytest.approx(2282 + 0.4 * (2289 - 2282))  # rows 2250 and 2255
    assert convert(RULES, "cfc", 1515) == pytest.approx((1421 + 1433) / 2)
    for source, rating in (
        ("fide", 2110),
        ("fide", 2114.9),
        ("fide", 2665),
        ("fide", 2700),
        ("cfc", 1509),
        ("cfc", 2501),
    ):
        assert convert(RULES, source, rating) is None
