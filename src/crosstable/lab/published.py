"""The published record as tables: sections, entries and games in Parquet, with the columns that a tool needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from crosstable.errors import CrosstableError


def table(folder: str | Path, name: str, columns: Sequence[str]) -> pl.DataFrame:
    """One table; whatever is wrong with it is a CrosstableError that names the file."""
    path = Path(folder) / f"{name}.parquet"
    if not path.is_file():
        raise CrosstableError(f"{path}: no such file; the record is sections, entries and games .parquet")
    try:
        found = pl.read_parquet_schema(path)
        if missing := [column for column in columns if column not in found]:
            raise CrosstableError(f"{path}: no column {', '.join(missing)}")
        return pl.read_parquet(path, columns=list(columns), memory_map=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise CrosstableError(f"{path}: not a table that we can read ({type(error).__name__})") from error


def regular_ratings(folder: str | Path) -> pl.DataFrame:
    """Every established regular rating after an event, in rating order: player, day, year, rating."""
    sections = table(folder, "sections", ("section", "event_end")).with_row_index("order")
    entries = table(
        folder,
        "entries",
        ("section", "player", "regular_post", "regular_post_games"),
    )
    established = entries.filter(pl.col("regular_post").is_not_null() & pl.col("regular_post_games").is_null())
    return (
        established.join(sections, on="section")
        .sort("order")
        .select(
            "player",
            pl.col("event_end").alias("day"),
            pl.col("event_end").dt.year().alias("year"),
            pl.col("regular_post").cast(pl.Int64).alias("rating"),
        )
    )


def at_year_end(ratings: pl.DataFrame) -> pl.DataFrame:
    """Each active player's last established rating of each year: what the December list would print."""
    return ratings.group_by("player", "year", maintain_order=True).agg(pl.col("rating").last())


def both_sides(games: pl.DataFrame) -> pl.DataFrame:
    """Each game twice, once from either side."""
    forth = games.select("section", "number", "opponent", "half_points")
    back = games.select(
        "section",
        pl.col("opponent").alias("number"),
        pl.col("number").alias("opponent"),
        (2 - pl.col("half_points")).cast(games.schema["half_points"]).alias("half_points"),
    )
    return pl.concat([forth, back])
