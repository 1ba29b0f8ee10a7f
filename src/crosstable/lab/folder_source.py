"""Games from a folder of history tables: sections, entries and games in Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.games import Array, GameRows, LabGames, NoHistory, arranged
from crosstable.lab.published import table
from crosstable.lab.record import EPOCH
from crosstable.lab.source import FederationGames, Source
from crosstable.systems.us_chess.pools import BY_LETTER, MAIN, OTB
from crosstable.systems.us_chess.pools import POOLS as US_CHESS

#: A pool → the record's word for its ratings, and the systems of the sections that count in it
POOLS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    pool.key: (pool.speed, tuple(letter for letter, keys in BY_LETTER.items() if pool.key in keys))
    for pool in US_CHESS
    if pool.mode == OTB
}
_COLOURS = {"W": 1, "B": -1}
NOWHERE = -1  # a pairing number that does not stand in the table


def read_folder(folder: Path, pool: str = MAIN) -> Source:
    if pool not in POOLS:
        raise CrosstableError(f"history tables know the pools {', '.join(POOLS)}, not '{pool}'")
    return Source(str(folder), games_of_pool(folder, pool), pool, lambda: _federation(folder, pool))


def games_of_pool(folder: Path, pool: str) -> LabGames:
    """Return the games of the pool's sections whose two players stand in the table, in rating order."""
    word, systems = POOLS[pool]
    sections = table(folder, "sections", ("section", "start", "event_end", "system")).with_row_index("at")
    sections = sections.sort("event_end", maintain_order=True).filter(pl.col("system").is_in(systems))
    if sections.is_empty():
        raise NoHistory(f"{folder}: no section of system {' or '.join(systems)}")
    entries = table(folder, "entries", ("section", "number", "player", f"{word}_pre", f"{word}_pre_games"))
    games = table(folder, "games", ("section", "round", "number", "opponent", "half_points", "color"))
    place = _places(sections["section"].to_numpy())
    entries, games = (frame.filter(_known(frame, place)) for frame in (entries, games))
    seat = _Seats(place[entries["section"].to_numpy()], entries["number"].to_numpy())
    at = place[games["section"].to_numpy()]
    one, two = (seat.of(at, games[name].to_numpy()) for name in ("number", "opponent"))
    player = entries["player"].to_numpy()
    met = np.flatnonzero((one != NOWHERE) & (two != NOWHERE) & (player[one] != player[two]))
    rounds = games["round"].fill_null(0).to_numpy().astype(np.int64)
    met = met[np.argsort(at[met] * (rounds.max(initial=0) + 1) + rounds[met], kind="stable")]
    start, day = (
        sections[name].to_numpy().astype("datetime64[D]").astype(np.int64) + EPOCH for name in ("start", "event_end")
    )
    rating, played = (
        np.stack([column[one[met]], column[two[met]]], axis=1)
        for column in (_floats(entries[f"{word}_pre"]), _floats(entries[f"{word}_pre_games"]))
    )
    return arranged(
        GameRows(
            sides=(player[one[met]], player[two[met]]),
            score=games["half_points"].to_numpy()[met] / 2.0,
            colour=games["color"].replace_strict(_COLOURS, default=0, return_dtype=pl.Int8).to_numpy()[met],
            round=rounds[met],
            event=at[met],
            day=day[at[met]],
            start=start[at[met]],
            rating=rating,
            played=played,
        )
    )


def _places(numbers: Array) -> Array:
    """Each section number's place in rating order, or NOWHERE: an array to look up in."""
    place = np.full(int(numbers.max()) + 1, NOWHERE, dtype=np.int64)
    place[numbers] = np.arange(len(numbers))
    return place


def _known(frame: pl.DataFrame, place: Array) -> pl.Series:
    section = frame["section"].to_numpy()
    inside = (section >= 0) & (section < len(place))
    return pl.Series(inside & (place[np.where(inside, section, 0)] != NOWHERE))


class _Seats:
    """Finds the row of an entry by section and pairing number."""

    def __init__(self, at: Array, number: Array) -> None:
        self.width = np.zeros(int(at.max(initial=-1)) + 1, dtype=np.int64)
        np.maximum.at(self.width, at, number.astype(np.int64) + 1)
        self.base = np.concatenate([[0], np.cumsum(self.width)])
        self.rows = np.full(int(self.base[-1]), NOWHERE, dtype=np.int32)
        self.rows[self.base[at] + number] = np.arange(len(at), dtype=np.int32)

    def of(self, at: Array, number: Array) -> Array:
        there = (at < len(self.width)) & (number >= 0)
        there[there] &= number[there] < self.width[at[there]]
        found = np.full(len(at), NOWHERE, dtype=np.int64)
        found[there] = self.rows[self.base[at[there]] + number[there]]
        return found


def _floats(column: pl.Series) -> Array:
    return column.cast(pl.Float64).fill_null(np.nan).to_numpy()


def _federation(folder: Path, pool: str) -> FederationGames:
    from crosstable.replay.tables import read_tables

    read = read_tables(folder)
    sections = table(folder, "sections", ("section", "event_end", "system")).sort("event_end", maintain_order=True)
    place = _places(sections.filter(pl.col("system").is_in(POOLS[pool][1]))["section"].to_numpy())
    known = read.section_numbers < len(place)
    event = np.where(known, place[np.where(known, read.section_numbers, 0)], NOWHERE)
    return FederationGames(read.history, event)
