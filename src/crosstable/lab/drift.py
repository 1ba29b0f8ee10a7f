"""Inflation and deflation: how the ratings of the same established, active players move from year to year."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.plots import COLOURS, FEWEST, figure
from crosstable.lab.predictors.us_chess import replayed_ratings
from crosstable.lab.published import at_year_end, regular_ratings
from crosstable.lab.record import EPOCH
from crosstable.lab.reform_tables import at_year_end as at_year_end_of_replay
from crosstable.lab.reform_tables import pool_rows
from crosstable.lab.source import Source

#: Bands of the mean of both ratings: below, and what to call it
BANDS = ((1400, "below 1400"), (1800, "1400 to 1799"), (2200, "1800 to 2199"), (10_000, "2200 and above"))
EVERYBODY = "all"


def drift(folder: str | Path) -> pl.DataFrame:
    """How the same established players' ratings move from one year of the record to the next, by band.

    The band is that of the mean of both ratings, so that no one is chosen for a high or low start.
    """
    ratings = at_year_end(regular_ratings(folder))
    years = sorted(ratings["year"].unique().to_list())
    following = pl.DataFrame({"year": years[:-1], "next": years[1:]}, schema={"year": pl.Int32, "next": pl.Int32})
    later = ratings.select("player", pl.col("year").alias("next"), pl.col("rating").alias("later"))
    pairs = (
        ratings.with_columns(pl.col("year").cast(pl.Int32))
        .join(following, on="year")
        .join(later, on=["player", "next"])
    )
    pairs = pairs.with_columns((pl.col("later") - pl.col("rating")).alias("change"), _band().alias("band"))
    together = pl.concat([pairs, pairs.with_columns(pl.lit(EVERYBODY).alias("band"))])
    return (
        together.group_by("year", "next", "band")
        .agg(
            pl.len().alias("players"),
            pl.col("rating").mean().alias("mean_before"),
            pl.col("change").mean().alias("mean_change"),
            pl.col("change").median().alias("median_change"),
            (pl.col("change").std() / pl.len().sqrt()).alias("standard_error"),
        )
        .with_columns((pl.col("mean_change") / (pl.col("next") - pl.col("year"))).alias("change_per_year"))
        .sort("year", "band")
    )


def _band() -> pl.Expr:
    middle = (pl.col("rating") + pl.col("later")) / 2
    band = pl.lit(BANDS[-1][1])
    for below, name in reversed(BANDS[:-1]):
        band = pl.when(middle < below).then(pl.lit(name)).otherwise(band)
    return band


def draw_drift(found: pl.DataFrame, path: str | Path) -> None:
    with figure(path, "Drift of established players active in both years", "year", "mean change per year") as axes:
        names = [EVERYBODY, *(name for _, name in BANDS)]
        for colour, name in zip(COLOURS, names, strict=False):
            rows = found.filter((pl.col("band") == name) & (pl.col("players") >= FEWEST))
            axes.errorbar(
                rows["next"].to_list(),
                rows["change_per_year"].to_list(),
                yerr=(1.96 * rows["standard_error"] / (rows["next"] - rows["year"])).to_list(),
                color=colour,
                marker="o",
                capsize=3,
                linewidth=2.5 if name == EVERYBODY else 1,
                label=name,
            )
        axes.axhline(0, color="black", linewidth=0.8)


def drift_by_age(source: Source, youngest: int, oldest: int) -> pl.DataFrame:
    """Return the committee's monitor: how established, active players of an age move from one year to the next.

    The same players at the end of both years, of that age in both; only where birth dates are known.
    """
    births = source.federation.history.players["birth_day"]
    if not births.any():
        raise CrosstableError(f"{source.name} holds no birth dates: give an office's URL")
    if youngest > oldest:
        raise CrosstableError(f"ages {youngest} to {oldest}: the first must be the smaller")
    born = pl.DataFrame({"player": np.asarray(source.federation.history.ids), "birth": births - EPOCH}).filter(
        pl.col("birth") > -EPOCH
    )
    ratings = at_year_end_of_replay(pool_rows(source, replayed_ratings(source)))
    last_day = pl.date(pl.col("year"), 12, 31)
    aged = ratings.join(born, on="player").with_columns(
        age=(last_day - pl.col("birth").cast(pl.Int32).cast(pl.Date)).dt.total_days() / 365.25
    )
    aged = aged.filter(pl.col("age").is_between(youngest, oldest + 1, closed="left"))
    later = aged.select("player", (pl.col("year") - 1).alias("year"), pl.col("post").alias("later"))
    pairs = aged.join(later, on=["player", "year"]).with_columns(change=pl.col("later") - pl.col("post"))
    return (
        pairs.group_by("year")
        .agg(
            pl.len().cast(pl.Int64).alias("players"),
            pl.col("post").mean().alias("mean_before"),
            pl.col("change").mean().alias("mean_change"),
            pl.col("change").median().alias("median_change"),
            (pl.col("change").std() / pl.len().sqrt()).alias("standard_error"),
        )
        .sort("year")
    )
