"""A history from published crosstables: the three tables sections, entries and games.

Sections stand in their own order and bring their own pools. Re-entries are merged under the lowest pairing number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from crosstable.model import KINDS
from crosstable.replay.history import FULL, HALF, NO_POOL, SECTION, Array, History, HistoryError, new_players
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.pools import BY_LETTER, KEYS

TABLES = ("sections", "entries", "games")
#: The tables' `system` → first and second pool
POOLS_OF: Mapping[str, tuple[int, int]] = {
    letters: (places[0], places[1] if len(places) > 1 else NO_POOL)
    for letters, keys in BY_LETTER.items()
    if (places := [KEYS.index(key) for key in keys])
}
KIND_OF: Mapping[str, str] = {"S": "swiss", "R": "round-robin", "M": "match"}


@dataclass(frozen=True, slots=True)
class FromTables:
    """The history, the tables' number of each of its sections, and what was left out and why."""

    history: History
    section_numbers: Array
    left_out: Mapping[str, int]


def read_tables(folder: Path) -> FromTables:
    """Read the tables of a folder as a history."""
    frames = []
    for name in TABLES:
        path = Path(folder) / f"{name}.parquet"
        try:
            frames.append(pl.read_parquet(path))
        except (pl.exceptions.PolarsError, OSError) as error:
            raise HistoryError(f"{path} cannot be read: {error}") from error
    return from_tables(*frames)


def from_tables(sections: pl.DataFrame, entries: pl.DataFrame, games: pl.DataFrame) -> FromTables:
    sections, left_out = _ratable(sections)
    sides = _sides(entries, games)
    rows = _entries(sections, entries, sides)
    sides = sides.join(
        rows.select("section", me="number", entry=pl.int_range(pl.len()), position="position"), on=["section", "me"]
    ).join(rows.select("section", foe="number", opponent="position"), on=["section", "foe"])
    sides = sides.sort("entry", "round", "opponent", "half_points")
    ids = rows["player"].unique().sort()
    history = History(
        sections=_section_records(sections),
        entry_start=_starts(rows["place"].to_numpy(), sections.height),
        entry_player=np.searchsorted(ids.to_numpy(), rows["player"].to_numpy()).astype(np.int32),
        entry_counts=np.zeros(rows.height, np.bool_),
        game_start=_starts(sides["entry"].to_numpy(), rows.height),
        opponent=sides["opponent"].to_numpy().astype(np.int32),
        half_points=sides["half_points"].to_numpy().astype(np.int8),
        players=new_players(len(ids)),
        ids=ids.to_list(),
    )
    return FromTables(history.checked(), sections["section"].to_numpy(), left_out)


def _ratable(sections: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the sections that some US Chess rule can rate, in the order of the table."""
    book = rulebook("us_chess")
    half_k_until = book.rules["half_k"].written[0].until
    reasons = {
        "no formula for quarter-K events is known": pl.col("k") == "Q",
        "half-K events had ended": (pl.col("k") == "H") & (pl.col("start") > half_k_until),
        "an unknown rating system": ~pl.col("system").is_in(list(POOLS_OF)),
        f"before the first rules ({book.first})": pl.col("start") < book.first,
    }
    left_out = {reason: sections.filter(refused).height for reason, refused in reasons.items()}
    kept = sections.filter(~pl.any_horizontal(*reasons.values()))
    return kept, {reason: count for reason, count in left_out.items() if count}


def _sides(entries: pl.DataFrame, games: pl.DataFrame) -> pl.DataFrame:
    """Each game from both sides, between people: `me` and `foe` are the lowest pairing numbers of the two players."""
    lowest = entries.select(
        "section", "number", standing=pl.col("number").min().over("section", "player")
    )  # a re-entry stands under its first number
    white = games.select("section", "round", "number", "opponent", "half_points")
    black = games.select(
        "section", "round", number="opponent", opponent="number", half_points=(2 - pl.col("half_points")).cast(pl.Int8)
    )
    return (
        pl.concat([white, black])
        .join(lowest.rename({"standing": "me"}), on=["section", "number"])
        .join(lowest.rename({"number": "opponent", "standing": "foe"}), on=["section", "opponent"])
        .filter(pl.col("me") != pl.col("foe"))
        .select("section", "round", "me", "foe", "half_points")
    )


def _entries(sections: pl.DataFrame, entries: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
    """Return the players with a game, section by section, by pairing number."""
    places = sections.select("section", place=pl.int_range(pl.len()))
    playing = sides.select("section", number="me").unique()
    rows = (
        entries.select("section", "number", "player").join(playing, on=["section", "number"]).join(places, on="section")
    )
    return rows.sort("place", "number").with_columns(position=pl.int_range(pl.len()).over("place"))


def _section_records(sections: pl.DataFrame) -> Array:
    records = np.zeros(sections.height, SECTION)
    for field, column in (("start_day", "start"), ("end_day", "end"), ("event_end_day", "event_end")):
        records[field] = sections[column].to_numpy().astype("datetime64[D]").astype(np.int64) + _EPOCH
    pools = [POOLS_OF[name] for name in sections["system"]]
    records["first"] = [first for first, _ in pools]
    records["second"] = [second for _, second in pools]
    records["dual"] = records["second"] != NO_POOL
    records["kind"] = [KINDS.index(KIND_OF.get(name or "", "other")) for name in sections["type"]]
    records["weight"] = [HALF if k == "H" else FULL for k in sections["k"]]
    return records


_EPOCH = 719_163  # date(1970, 1, 1).toordinal()


def _starts(owners: Array, count: int) -> Array:
    return np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)
