"""How established ratings are spread over the classes, year by year."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from crosstable.lab.plots import COLOURS, FEWEST, figure
from crosstable.lab.published import at_year_end, regular_ratings

CLASS_WIDTH = 100


def distribution(folder: str | Path) -> pl.DataFrame:
    """How many active established players end a year in each class of a hundred points."""
    ratings = at_year_end(regular_ratings(folder))
    return (
        ratings.with_columns((pl.col("rating") // CLASS_WIDTH * CLASS_WIDTH).alias("from"))
        .group_by("year", "from")
        .agg(pl.len().alias("players"))
        .with_columns((pl.col("players") / pl.col("players").sum().over("year")).alias("share"))
        .sort("year", "from")
    )


def draw_distribution(found: pl.DataFrame, path: str | Path) -> None:
    """Draw the years with the most players, as steps."""
    totals = found.group_by("year").agg(pl.col("players").sum()).sort("players", descending=True)
    years = sorted(totals.filter(pl.col("players") >= FEWEST)["year"].head(len(COLOURS) - 1).to_list())
    with figure(path, "Established ratings of active players", "rating", "per cent of the year's players") as axes:
        for colour, year in zip(COLOURS, years, strict=False):
            rows = found.filter(pl.col("year") == year)
            players = rows["players"].sum()
            axes.step(
                rows["from"].to_list(),
                [100 * share for share in rows["share"]],
                where="post",
                color=colour,
                label=f"{year} ({players:,} players)",
            )
