"""The norms that the published record shows against our reading of the title system since 2010, year by year."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from crosstable.lab.plots import COLOURS, figure
from crosstable.lab.published import table
from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN
from crosstable.titles import Titles2010

_WEIGHTS = {"F": "full", "H": "half", "Q": "quarter"}


def norm_agreement(folder: str | Path, profile: str = AS_PRACTISED) -> pl.DataFrame:
    """By year: results, norms shown, norms computed, and how often the highest norm is the same.

    Results of regular and dual sections with at least one game, where every opponent has a rating after the event.
    `higher`: the page shows a higher norm than ours, or one where we have none; `lower`: the other way round.
    """
    compared = compare(folder, profile)
    return (
        compared.group_by("year")
        .agg(
            pl.len().alias("results"),
            (pl.col("shown") > 0).sum().alias("norms_shown"),
            (pl.col("ours") > 0).sum().alias("norms_ours"),
            (pl.col("shown") == pl.col("ours")).sum().alias("same"),
            ((pl.col("shown") == pl.col("ours")) & (pl.col("shown") > 0)).sum().alias("same_norms"),
            (pl.col("shown") > pl.col("ours")).sum().alias("higher"),
            (pl.col("shown") < pl.col("ours")).sum().alias("lower"),
        )
        .with_columns((pl.col("same") / pl.col("results")).alias("agreement"))
        .sort("year")
    )


def compare(folder: str | Path, profile: str = AS_PRACTISED) -> pl.DataFrame:
    """Every result with the level of the norm shown and of ours (0: none). A re-entry is one result."""
    titles = Titles2010(profile)
    results = _results(folder, titles)
    allowed = pl.lit(value=True)
    rule = titles.rules["norms"]
    allowed &= pl.col("rounds") >= rule["fewest_rounds"]
    allowed &= pl.col("games") >= rule["fewest_games"]
    allowed &= pl.col("rounds") - pl.col("games") <= rule["rounds_missed"]
    allowed &= pl.col("meetings") <= rule["meetings"]
    allowed &= pl.col("k").replace_strict(_WEIGHTS, default="full").is_in(list(rule["weights"]))
    margin = pl.when(pl.col("rounds") > pl.col("games")).then(rule["margin_missed"]).otherwise(rule["margin"])
    ours = pl.lit(0)
    for level in titles.levels:  # in rising order: the highest norm stays
        ours = pl.when(pl.col("score") - pl.col(f"expected_{level}") > margin + 1e-9).then(level).otherwise(ours)
    return results.with_columns(pl.when(allowed).then(ours).otherwise(0).alias("ours")).select(
        "section", "player", "year", "rounds", "games", "score", "meetings", "k", "shown", "ours"
    )


def _results(folder: str | Path, titles: Titles2010) -> pl.DataFrame:
    """One row per person and section: games, score, meetings, and the table's expectation at every level."""
    sections = table(folder, "sections", ("section", "event_end", "system", "k", "rounds"))
    sections = sections.filter(pl.col("system").is_in(["R", "D"]))
    entries = table(folder, "entries", ("section", "number", "player", "regular_post", "norm")).join(
        sections, on="section"
    )
    codes = {code: level for level, code in titles.codes.items()}
    shown = entries.group_by("section", "player").agg(
        pl.col("norm").replace_strict(codes, default=0, return_dtype=pl.Int64).max().alias("shown"),
        pl.col("event_end").first().dt.year().alias("year"),
        pl.col("k").first(),
        pl.col("rounds").first().cast(pl.Int64),
    )
    games = _games(folder, entries)
    worth = [_worth(titles, level).sum().alias(f"expected_{level}") for level in titles.levels]
    made = games.group_by("section", "player").agg(
        pl.len().cast(pl.Int64).alias("games"),
        (pl.col("half_points").cast(pl.Int64).sum() / 2).alias("score"),
        pl.col("rival").is_null().any().alias("unrated"),
        *worth,
    )
    meetings = (
        games.group_by("section", "player", "rival_id")
        .len()
        .group_by("section", "player")
        .agg(pl.col("len").max().cast(pl.Int64).alias("meetings"))
    )
    together = made.join(meetings, on=["section", "player"]).join(shown, on=["section", "player"])
    return together.filter(~pl.col("unrated"))


def _games(folder: str | Path, entries: pl.DataFrame) -> pl.DataFrame:
    """Each game from both sides, with the opponent's rating after the event."""
    games = table(folder, "games", ("section", "number", "opponent", "half_points"))
    seats = entries.select("section", "number", "player", "regular_post")
    rivals = seats.rename({"number": "opponent", "player": "rival_id", "regular_post": "rival"})
    back = games.select(
        "section",
        pl.col("opponent").alias("number"),
        pl.col("number").alias("opponent"),
        (2 - pl.col("half_points")).cast(pl.Int8).alias("half_points"),
    )
    both = pl.concat([games.select("section", "number", "opponent", pl.col("half_points").cast(pl.Int8)), back])
    mine = both.join(seats.select("section", "number", "player"), on=["section", "number"])
    return mine.join(rivals, on=["section", "opponent"], how="left")


def _worth(titles: Titles2010, level: int) -> pl.Expr:
    """`Titles2010.expected` for a column of opponents."""
    rule = titles.rules["expected"]
    d = level - pl.col("rival").cast(pl.Float64)
    return (
        pl.when(d <= -rule["below"])
        .then(0.0)
        .when(d <= 0)
        .then(0.5 + d / rule["flat"])
        .when(d <= rule["above"])
        .then(0.5 + d / rule["steep"])
        .otherwise(1.0)
    )


def draw_norm_agreement(folder: str | Path, path: str | Path) -> None:
    """Draw the share of results with the same highest norm: the text as written,
    and as the record shows it practised.
    """
    with figure(path, "Norms shown and norms computed: the same", "year", "per cent of results") as axes:
        for colour, profile in zip(COLOURS, (AS_PRACTISED, AS_WRITTEN), strict=False):
            rows = norm_agreement(folder, profile)
            axes.plot(
                rows["year"].to_list(), [100 * x for x in rows["agreement"]], marker="o", color=colour, label=profile
            )
