"""What a committee asks of a reform: ratings by class and year, who sits on a floor, who gains and loses, how newcomers
travel.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from crosstable.lab.record import EPOCH
from crosstable.lab.source import Source
from crosstable.replay.us_chess import RATED, Replayed
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import KEYS

Rows = Mapping[str, pl.DataFrame]

#: Figure 2.1 of the 1996 report
FLOOR_RANGE = (1400, 2299)
#: Of 400 players chance alone puts 4 on a hundred, give or take 2, half a per cent of them; with fewer it says nothing
ENOUGH_FOR_FLOORS = 400
FLOORS_IN_WORDS = (
    "Established ratings of 1400 to 2299 ending in 00, less what chance gives (one in a hundred ends so), and no less"
    f" than 0: figure 2.1 of the 1996 report. Years with fewer than {ENOUGH_FOR_FLOORS} such players have no share:"
    " chance would be all of it."
)
NO_ONE_ESTABLISHED = "no player is established at the end of a year"
CLASS = 200
#: How many gain and how many lose most, and after which events a newcomer is looked at
MOST = 10
STATIONS = (1, 2, 3, 5, 8, 12, 20)


def pool_rows(source: Source, replayed: Replayed) -> pl.DataFrame:
    """Return a row for each player and section of the pool, in rating order: player, day, prior, post, games,
    newcomer.
    """
    federation = source.federation
    history, pool = federation.history, KEYS.index(source.pool)
    section = np.repeat(np.arange(len(history.sections)), np.diff(history.entry_start))
    here = federation.event[section] >= 0
    second = history.sections["second"][section] == pool
    row = replayed.row_start[section] + np.arange(len(section)) - history.entry_start[section]
    row = np.where(second, row + np.diff(history.entry_start)[section], row)[here]
    rows = replayed.rows[row]
    return pl.DataFrame(
        {
            "player": np.asarray(history.ids)[history.entry_player[here]],
            "day": history.sections["event_end_day"][section[here]] - EPOCH,
            "prior": rows["prior"],
            "post": rows["post"],
            "games": rows["post_games"],
            "newcomer": rows["source"] != RATED,
        }
    ).with_columns(pl.col("day").cast(pl.Date), year=pl.col("day").cast(pl.Date).dt.year())


def at_year_end(rows: pl.DataFrame) -> pl.DataFrame:
    """Each active player's last established rating of each year."""
    kept = rows.filter((pl.col("games") > provisional_games()) & pl.col("post").is_not_nan())
    return kept.group_by("player", "year", maintain_order=True).agg(pl.col("post").last())


def by_class(rows: Rows) -> pl.DataFrame:
    """Return established players at the end of each year, by class under the actual rules: how much higher or lower a
    reform has them.
    """
    actual, *reforms = rows
    base = at_year_end(rows[actual]).with_columns((pl.col("post") // CLASS * CLASS).cast(pl.Int64).alias("class"))
    parts = []
    for name in reforms:
        both = base.join(at_year_end(rows[name]).rename({"post": "reformed"}), on=["player", "year"])
        parts.append(
            both.group_by("year", "class")
            .agg(
                pl.len().cast(pl.Int64).alias("players"),
                pl.col("post").mean().alias("actual"),
                pl.col("reformed").mean(),
                (pl.col("reformed") - pl.col("post")).mean().alias("difference"),
            )
            .select(pl.lit(name).alias("rules"), pl.all())
        )
    return pl.concat([part.sort("year", "class") for part in parts])


def floors(rows: Rows) -> pl.DataFrame:
    """FLOORS_IN_WORDS, at the end of each year."""
    low, high = FLOOR_RANGE
    parts = []
    for name, frame in rows.items():
        whole = at_year_end(frame).with_columns((pl.col("post") + 0.5).floor().cast(pl.Int64).alias("rating"))
        whole = whole.filter(pl.col("rating").is_between(low, high))
        hundreds = pl.col("rating") % 100 == 0
        parts.append(
            whole.group_by("year")
            .agg(
                pl.len().cast(pl.Int64).alias("players"),
                hundreds.mean().alias("share_ending_in_00"),
                (hundreds.mean() - (~hundreds).mean() / 99).clip(lower_bound=0.0).alias("on_floor"),
            )
            .with_columns(pl.when(pl.col("players") >= ENOUGH_FOR_FLOORS).then("on_floor"))
            .select(pl.lit(name).alias("rules"), pl.all())
        )
    return pl.concat([part.sort("year") for part in parts])


def movers(last: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Those whose last rating a reform raises or lowers most."""
    actual, *reforms = last
    base = last[actual].rename({"post": "actual"})
    parts = []
    for name in reforms:
        both = base.join(last[name].rename({"post": "reformed"}), on="player").with_columns(
            (pl.col("reformed") - pl.col("actual")).alias("difference")
        )
        both = both.filter(pl.col("difference").is_not_nan()).sort("difference", "player", descending=[True, False])
        ends = pl.concat(
            [
                both.filter(pl.col("difference") > 0).head(MOST),
                both.filter(pl.col("difference") < 0).tail(MOST),
            ]
        )
        parts.append(ends.select(pl.lit(name).alias("rules"), pl.all()))
    return pl.concat(parts)


def newcomers(rows: Rows) -> pl.DataFrame:
    """Return the mean rating of those who came without one, after their first events;
    the same people at every station.
    """
    parts = []
    for name, frame in rows.items():
        placed = frame.with_columns(event=pl.int_range(1, pl.len() + 1).over("player"))
        came = placed.filter((pl.col("event") == 1) & pl.col("newcomer")).select("player")
        stayed = placed.group_by("player").agg(pl.len().alias("events")).filter(pl.col("events") >= STATIONS[-1])
        seen = placed.filter(pl.col("event").is_in(list(STATIONS))).join(came, on="player").join(stayed, on="player")
        parts.append(
            seen.group_by("event")
            .agg(pl.len().cast(pl.Int64).alias("players"), pl.col("post").mean().alias("rating"))
            .sort("event")
            .select(pl.lit(name).alias("rules"), pl.all())
        )
    return pl.concat(parts)


def too_little(tables: Mapping[str, pl.DataFrame | None]) -> dict[str, str]:
    """Return the tables of which a history is too small to say anything, and why."""
    low, high = FLOOR_RANGE
    said = {
        "classes": ("difference", NO_ONE_ESTABLISHED),
        "inflation": ("inflation", NO_ONE_ESTABLISHED),
        "moved": ("players", NO_ONE_ESTABLISHED),
        "distribution": ("players", NO_ONE_ESTABLISHED),
        "groups": ("gain", "no group has 30 players"),
        "floors": ("on_floor", f"no year has {ENOUGH_FOR_FLOORS} established players of {low} to {high}"),
        "newcomers": ("rating", f"no player who came without a rating has played {STATIONS[-1]} events"),
        "movers": ("difference", "no player's last rating changes"),
    }
    return {
        name: f"nothing to show: {words}"
        for name, (column, words) in said.items()
        if (table := tables.get(name)) is not None and table[column].null_count() == len(table)
    }
