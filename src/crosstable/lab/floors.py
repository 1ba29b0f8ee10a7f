"""Floors in the published record: who sits on one (figure 2.1 of the 1996 report), and what that does to prediction."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl

from crosstable.lab.plots import COLOURS, FEWEST, figure
from crosstable.lab.published import at_year_end, both_sides, regular_ratings, table

#: The range of figure 2.1 of the 1996 report
FIGURE_RANGE = (1400, 2299)


def on_floors(folder: str | Path) -> pl.DataFrame:
    """Figure 2.1 of the report: established ratings of 1400 to 2299 among a year's active players that end in 00.

    By chance about one in a hundred ends so; `chance` is what the other 99 endings show, and the rest sits on a floor.
    """
    low, high = FIGURE_RANGE
    ratings = at_year_end(regular_ratings(folder)).filter(pl.col("rating").is_between(low, high))
    hundreds = pl.col("rating") % 100 == 0
    return (
        ratings.group_by("year")
        .agg(pl.len().alias("players"), hundreds.sum().alias("ending_in_00"), (~hundreds).sum().alias("others"))
        .with_columns(
            (pl.col("ending_in_00") / pl.col("players")).alias("share"),
            (pl.col("others") / 99 / pl.col("players")).alias("chance"),
        )
        .with_columns((pl.col("share") - pl.col("chance")).alias("on_floor"))
        .drop("others")
        .sort("year")
    )


def draw_on_floors(found: pl.DataFrame, path: str | Path) -> None:
    low, high = FIGURE_RANGE
    title = f"Active players with established ratings of {low} to {high} ending in 00"
    with figure(path, title, "year", "per cent") as axes:
        axes.bar(
            found["year"].to_list(), [100 * share for share in found["share"]], color=COLOURS[0], label="ending in 00"
        )
        axes.plot(
            found["year"].to_list(), [100 * share for share in found["chance"]], color=COLOURS[1], label="by chance"
        )
        axes.set_xticks(found["year"].to_list())


def floors_and_prediction(folder: str | Path) -> pl.DataFrame:
    """Whether players on a floor score what their rating predicts, by year.

    Established players of 1400 to 2299 against established opponents of whom none sits on a hundred. Of those "on a
    hundred" most are on a floor, the rest by chance. `surplus`: score minus expectation per game; `points`: its worth.
    """
    seats = _established_seats(folder)
    games = both_sides(table(folder, "games", ("section", "number", "opponent", "half_points")))
    low, high = FIGURE_RANGE
    rivals = seats.select("section", pl.col("number").alias("opponent"), pl.col("pre").alias("rival"))
    met = games.join(seats, on=["section", "number"]).join(rivals, on=["section", "opponent"])
    met = met.filter(pl.col("pre").is_between(low, high) & (pl.col("rival") % 100 != 0))
    expected = 1 / (1 + (10.0 ** ((pl.col("rival") - pl.col("pre")) / 400)))
    met = met.with_columns(expected.alias("expected"), (pl.col("half_points") / 2).alias("score"))
    group = pl.when(pl.col("pre") % 100 == 0).then(pl.lit("on a hundred")).otherwise(pl.lit("elsewhere"))
    return (
        met.with_columns(group.alias("rated"))
        .group_by("year", "rated")
        .agg(
            pl.len().alias("games"),
            pl.col("expected").mean(),
            pl.col("score").mean(),
            ((pl.col("score") - pl.col("expected")) ** 2).mean().alias("squared_error"),
            (pl.col("expected") * (1 - pl.col("expected"))).mean().alias("slope"),
            ((pl.col("score") - pl.col("expected")).std() / pl.len().sqrt()).alias("standard_error"),
        )
        .with_columns((pl.col("score") - pl.col("expected")).alias("surplus"))
        .with_columns((pl.col("surplus") / pl.col("slope") * 400 / math.log(10)).alias("points"))
        .drop("slope")
        .sort("year", "rated")
    )


def _established_seats(folder: str | Path) -> pl.DataFrame:
    """Entries of full-K regular sections with an established rating before the event."""
    sections = table(folder, "sections", ("section", "event_end", "system", "k"))
    sections = sections.filter(pl.col("system").is_in(["R", "D"]) & (pl.col("k") == "F"))
    entries = table(folder, "entries", ("section", "number", "regular_pre", "regular_pre_games"))
    established = entries.filter(pl.col("regular_pre").is_not_null() & pl.col("regular_pre_games").is_null())
    return established.join(sections, on="section").select(
        "section",
        "number",
        pl.col("regular_pre").cast(pl.Int64).alias("pre"),
        pl.col("event_end").dt.year().alias("year"),
    )


def draw_floors_and_prediction(found: pl.DataFrame, path: str | Path) -> None:
    title = "Score minus expectation per game: players on a hundred, and the others"
    with figure(path, title, "year", "surplus per game") as axes:
        for colour, name in zip(COLOURS, ("elsewhere", "on a hundred"), strict=False):
            rows = found.filter((pl.col("rated") == name) & (pl.col("games") >= FEWEST))
            axes.errorbar(
                rows["year"].to_list(),
                rows["surplus"].to_list(),
                yerr=(1.96 * rows["standard_error"]).to_list(),
                color=colour,
                marker="o",
                capsize=3,
                label=name,
            )
        axes.axhline(0, color="black", linewidth=0.8)
