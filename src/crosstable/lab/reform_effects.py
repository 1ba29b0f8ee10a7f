"""What a reform does to people: the level of ratings year by year, who moves how far, and the distribution before and
after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from crosstable.lab.bootstrap import NINETY_FIVE
from crosstable.lab.reform_tables import CLASS, Rows, at_year_end

#: Moves that a player notices, in points
MOVES = (50, 100)


def inflation(rows: Rows) -> pl.DataFrame:
    """Return the mean change of an established active player's rating at the end of each year, with its 95 % interval.

    Above 0 the reform inflates. Players are independent but for whom they meet, so the interval is that of a mean.
    """
    error = pl.col("change").std() / pl.len().sqrt() * NINETY_FIVE
    parts = [
        both.group_by("year")
        .agg(pl.len().cast(pl.Int64).alias("players"), pl.col("change").mean().alias("inflation"), error.alias("error"))
        .sort("year")
        .select(
            pl.lit(name).alias("rules"),
            "year",
            "players",
            "inflation",
            low=pl.col("inflation") - pl.col("error"),
            high=pl.col("inflation") + pl.col("error"),
        )
        for name, both in _changes(rows)
    ]
    return pl.concat(parts)


def moved(rows: Rows) -> pl.DataFrame:
    """How many established active players a reform moves by 50 and by 100 points, and into another class, each year."""
    away = pl.col("change").abs()
    before, after = ((pl.col(name) // CLASS) for name in ("post", "reformed"))
    parts = [
        both.group_by("year")
        .agg(
            pl.len().cast(pl.Int64).alias("players"),
            *((away >= points).sum().cast(pl.Int64).alias(f"by_{points}") for points in MOVES),
            (after > before).sum().cast(pl.Int64).alias("to_a_higher_class"),
            (after < before).sum().cast(pl.Int64).alias("to_a_lower_class"),
            away.median().alias("median_move"),
        )
        .sort("year")
        .select(pl.lit(name).alias("rules"), pl.all())
        for name, both in _changes(rows)
    ]
    return pl.concat(parts)


def distribution(rows: Rows) -> pl.DataFrame:
    """Return established active players by class at the end of the last year, under each set of rules."""
    parts = []
    for name, frame in rows.items():
        last = at_year_end(frame).filter(pl.col("year") == pl.col("year").max())
        by_class = last.group_by((pl.col("post") // CLASS * CLASS).cast(pl.Int64).alias("class"))
        counts = by_class.agg(pl.len().cast(pl.Int64).alias("players"), pl.col("year").first()).sort("class")
        share = (pl.col("players") / pl.col("players").sum()).alias("share")
        parts.append(counts.select(pl.lit(name).alias("rules"), "year", "class", "players", share))
    return pl.concat(parts)


def _changes(rows: Rows) -> Iterator[tuple[str, pl.DataFrame]]:
    """Each reform, and every player's rating under it beside the actual one at the end of each year."""
    actual, *reforms = rows
    base = at_year_end(rows[actual])
    for name in reforms:
        both = base.join(at_year_end(rows[name]).rename({"post": "reformed"}), on=["player", "year"])
        yield name, both.with_columns(change=pl.col("reformed") - pl.col("post"))


def last_year(table: pl.DataFrame, name: str) -> Mapping[str, float] | None:
    """Return a reform's last line of a table by year."""
    here = table.filter(pl.col("rules") == name).sort("year")
    return here.row(-1, named=True) if len(here) else None
