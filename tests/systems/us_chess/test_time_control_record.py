"""The real time controls of the published record: what we derive against what the sections were rated in."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from crosstable.errors import CrosstableError, UnknownPool, UnknownTimeControl
from crosstable.rulebook import AS_PRACTISED, on
from crosstable.systems.us_chess.classification import rated_in
from crosstable.systems.us_chess.time_controls import parse

LETTER = {("OTBR",): "R", ("OTBQ",): "Q", ("OTBR", "OTBQ"): "D", ("OTBB",): "B"}


def why_else(control: str) -> str:
    """Why the record may say something else of a control that we can read."""
    total = max(c.total for c in parse(control))
    if re.match(r"\d+/\d+(?!.*(?:SD|G)/)", control):
        return "moves without a final control: more time followed than was typed"
    if total in (10, 65):
        return f"mm + ss = {total:g} is the last minute of a range: the director's or the office's choice then"
    return "alone among hundreds of sections with this spelling: a slip in the record"


def derived(day: date, control: str) -> tuple[str, str]:
    """The letter of the record, and why there is none or another."""
    try:
        return LETTER[rated_in(on(day, AS_PRACTISED), "otb", control)], why_else(control)
    except UnknownTimeControl:
        return "?", "unreadable"
    except UnknownPool as problem:
        return "?", f"not ratable: {str(problem)[:40]}"
    except CrosstableError as problem:
        return "?", type(problem).__name__


@pytest.mark.shared
@pytest.mark.parametrize("column", ["start", "end"])
def test_sections_since_2013_03_agree_with_the_system_they_were_rated_in(
    shared: Path, column: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import polars as pl

    table = pl.read_parquet(shared / "data" / "sections.parquet").filter(pl.col(column) >= date(2013, 3, 1))
    groups = table.group_by("start", "time_control", "system").len().rows()
    total = agreed = 0
    rest: Counter[tuple[str, str, str, str]] = Counter()
    for start, control, truth, count in groups:
        letter, why = derived(start, control or "")
        total += count
        if letter == truth:
            agreed += count
        else:
            rest[why, (control or "none")[:60], truth, letter] += count
    with capsys.disabled():
        print(
            f"\ntime controls since 2013-03-01 by {column}: {agreed:,} of {total:,} sections agree"
            f" ({agreed / total:.3%})"
        )
        for (why, control, truth, letter), count in rest.most_common():
            print(f"  {count:3} {control:24} rated {truth}, derived {letter}: {why}")
    assert agreed / total >= 0.998
