"""Why a published rating and its recomputation differ: the likeliest reason of each miss, from what the record
shows.
"""

from __future__ import annotations

import polars as pl

from crosstable.lab.players_so_far import MANY, NONE

#: The reasons, in the order in which they are tried; each holds what the table then shows
REASONS = {
    "match": (
        "a match: its limits depend on matches that the tables do not hold, and on the office's grace for provisional"
        " players"
    ),
    "other games": "the table's games are not the rated ones: a player's count of games grew by another number",
    "dust": "the result is a whole number, and floating-point dust rounded the published one away from it",
    "unknown inputs": "a player's results or games before the section are not in the tables",
    "few games": "an established player with fewer games than N*, who moved further than one with many would",
    "neighbour": "another player's miss in the same section, who was an opponent or an opponent's opponent",
    "unexplained": "nothing in the tables explains it: a corrected result, or a rating changed by hand",
}

#: Results as near as this to a whole number are dust's prey
DUST = 1e-6
#: From here on N* exceeds 25, so that an established player can have fewer games (the record's README)
FEW_GAMES_MATTER_FROM = 1680


def reasons(ratings: pl.DataFrame) -> pl.DataFrame:
    """Every miss, the largest first, with `difference` (published minus computed) and `reason`."""
    here = ("section", "pool")
    grown = (pl.col("games_added") != NONE) & (pl.col("games_added") != pl.col("games"))
    marked = ratings.with_columns(difference=pl.col("published") - pl.col("computed"), recounted=grown.any().over(here))
    missed = marked.filter(~pl.col("is_floored") & (pl.col("difference") != 0))
    largest = pl.col("difference").abs().max().over(here)
    rise, computed_rise = pl.col("published") - pl.col("pre"), pl.col("computed") - pl.col("pre")
    unknown = (pl.col("games_before") == MANY) & (pl.col("pre") >= FEW_GAMES_MATTER_FROM)
    further = (rise * computed_rise > 0) & (rise.abs() > computed_rise.abs())
    dust = (pl.col("difference").abs() == 1) & ((pl.col("result") - pl.col("result").round()).abs() < DUST)
    reason = (
        pl.when(pl.col("kind") == "M")
        .then(pl.lit("match"))
        .when(pl.col("recounted"))
        .then(pl.lit("other games"))
        .when(dust)
        .then(pl.lit("dust"))
        .when(~pl.col("decidable"))
        .then(pl.lit("unknown inputs"))
        .when(unknown & further)
        .then(pl.lit("few games"))
        .when(pl.col("difference").abs() < largest)
        .then(pl.lit("neighbour"))
        .otherwise(pl.lit("unexplained"))
    )
    by_size = missed.with_columns(reason=reason).drop("recounted")
    return by_size.sort(pl.col("difference").abs(), "decidable", "section", descending=[True, True, False])
