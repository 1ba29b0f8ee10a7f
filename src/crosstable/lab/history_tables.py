"""Games written as the three history tables, so that a simulation is a source like any other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.games import LabGames
from crosstable.lab.record import EPOCH

_RATINGS = tuple(
    f"{word}_{figure}"
    for word in ("regular", "quick", "blitz")
    for figure in ("pre", "pre_games", "post", "post_games")
)


def write_tables(games: LabGames, folder: Path) -> None:
    """Sections, entries and games in Parquet; every event is one regular section."""
    pairs = np.unique(
        np.stack([np.concatenate([games.event] * 2), np.concatenate([games.one, games.two])], axis=1), axis=0
    )
    first = np.searchsorted(pairs[:, 0], pairs[:, 0])
    number = np.arange(len(pairs)) - first + 1
    key = pairs[:, 0] * games.players + pairs[:, 1]
    sides = [number[np.searchsorted(key, games.event * games.players + side)] for side in (games.one, games.two)]
    entries = pl.DataFrame({"section": pairs[:, 0], "number": number, "player": pairs[:, 1] + 1}).with_columns(
        *(pl.lit(None, pl.Int16).alias(name) for name in _RATINGS),
        norm=pl.lit(None, pl.String),
        has=pl.lit("---"),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sections(games).write_parquet(folder / "sections.parquet")
        entries.cast({"section": pl.Int32, "number": pl.Int16, "player": pl.Int32}).write_parquet(
            folder / "entries.parquet"
        )
        _games(games, sides).write_parquet(folder / "games.parquet")
    except OSError as error:
        raise CrosstableError(f"cannot write {folder}: {error.strerror or error}") from error


def _sections(games: LabGames) -> pl.DataFrame:
    section, place = np.unique(games.event, return_index=True)
    start, day = (pl.Series(days[place] - EPOCH).cast(pl.Int32).cast(pl.Date) for days in (games.start, games.day))
    players = pl.DataFrame({"event": games.event, "one": games.one, "two": games.two}).group_by(
        "event", maintain_order=True
    )
    counts = players.agg(pl.concat_list("one", "two").explode().n_unique().alias("players"))["players"]
    rounds = pl.DataFrame({"event": games.event, "round": games.round}).group_by("event", maintain_order=True)
    return pl.DataFrame({"section": section, "start": start, "end": day, "event_end": day}).with_columns(
        pl.col("section").cast(pl.Int32),
        system=pl.lit("R"),
        type=pl.lit("S"),
        k=pl.lit("F"),
        time_control=pl.lit("G/90;d5"),
        rounds=rounds.agg(pl.col("round").max())["round"],
        players=counts.cast(pl.Int64),
    )


def _games(games: LabGames, sides: list[np.ndarray]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "section": games.event.astype(np.int32),
            "round": games.round.astype(np.int16),
            "number": sides[0].astype(np.int16),
            "opponent": sides[1].astype(np.int16),
            "half_points": (2 * games.score).astype(np.int8),
            "color": pl.Series(np.where(games.white, "W", "")).replace("", None),
        }
    )
