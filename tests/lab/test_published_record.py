"""`lab verify` on the published record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from crosstable.lab.verify import Verified, verify

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def on_the_record(shared: Path) -> Verified:
    return verify(shared / "data")


@pytest.mark.parametrize(
    ("part", "least", "share"),
    [
        ("decidable_standard", 260_000, 0.999),
        ("decidable_special", 12_000, 0.997),
        ("established_below_1950", 700_000, 0.995),
    ],
)
def test_the_published_record(on_the_record: Verified, part: str, least: int, share: float) -> None:
    counts = on_the_record.totals()[part]
    assert counts["n"] > least
    assert counts["exact"] / counts["n"] >= share


def test_every_miss_has_a_reason(on_the_record: Verified) -> None:
    rows = on_the_record.rows()
    assert len(on_the_record.misses()) == rows["n"].sum() - rows["exact"].sum()


def shares(found: Verified, years: Sequence[int]) -> float:
    rows = found.rows().filter(pl.col("decidable") & pl.col("year").is_in(years) & (pl.col("class") == "standard"))
    return float(rows["exact"].sum() / rows["n"].sum())


def test_every_dense_year(on_the_record: Verified) -> None:
    assert all(shares(on_the_record, [year]) >= 0.999 for year in (2006, 2007, 2008, 2011, 2012, 2013))
