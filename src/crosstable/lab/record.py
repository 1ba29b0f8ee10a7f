"""The published record as arrays: three Parquet tables (sections, entries, games) → sections in rating order, seats,
games.

A seat is one player in one section: a re-entry has two rows in the table and one seat here (readings 21).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from crosstable.errors import CrosstableError

#: The record's word for each rating, in the order of the pools: OTBR, OTBQ, OTBB
RATINGS = ("regular", "quick", "blitz")
FIGURES = ("pre", "pre_games", "post", "post_games")

#: A section's system → which of the three ratings it changed
RATED = {"R": (True, False, False), "Q": (False, True, False), "D": (True, True, False), "B": (False, False, True)}

NO_NUMBER = -1  # a null in an array of whole numbers
NOT_LISTED = -1  # an opponent who does not stand in the table

_WHOLE, _TEXT, _DAY = pl.Int64, pl.String, pl.Date
SECTION_COLUMNS: Mapping[str, Any] = {
    "section": _WHOLE,
    "end": _DAY,
    "event_end": _DAY,
    "system": _TEXT,
    "type": _TEXT,
    "k": _TEXT,
}
ENTRY_COLUMNS: Mapping[str, Any] = dict.fromkeys(
    ("section", "number", "player", *(f"{rating}_{figure}" for rating in RATINGS for figure in FIGURES)), _WHOLE
)
GAME_COLUMNS: Mapping[str, Any] = dict.fromkeys(("section", "round", "number", "opponent", "half_points"), _WHOLE)

Whole = NDArray[np.int64]
Small = NDArray[np.int32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """Sections by index in rating order; seats by index, a section's in a row; games in CSR, each from both sides."""

    section: Whole  # the table's own numbers
    day: Whole  # ordinal of the event's end
    end: Whole  # of the section's own
    rated: Flags  # (sections, 3): which ratings the section changed
    kind: NDArray[np.str_]  # S, R, M, …
    k: NDArray[np.str_]  # F, H, Q
    first_seat: Whole  # (sections + 1)
    complete: Flags  # every opponent stands in the table
    number: Whole  # a seat's lowest pairing number
    player: Small  # dense
    pre: Small  # (seats, 3), NO_NUMBER: unrated, or not shown
    pre_games: Small  # NO_NUMBER: established, or not shown
    post: Small
    post_games: Small
    first_game: Whole  # (seats + 1)
    opponent: Small  # a seat's index within its section, or NOT_LISTED
    half_points: NDArray[np.int8]
    members: Whole  # the table's own player numbers, by dense index

    @property
    def players(self) -> int:
        return len(self.members)


def read(folder: Path) -> SectionRecord:
    """Read the tables of a folder, checked. What is wrong with them is a CrosstableError that names the file."""
    sections = _sections(_table(folder, "sections", SECTION_COLUMNS))
    entries = _seated(_table(folder, "entries", ENTRY_COLUMNS), sections)
    seats = _seats(entries)
    games = _games(_table(folder, "games", GAME_COLUMNS), sections, entries)
    return _record(sections, seats, games)


def _table(folder: Path, name: str, columns: Mapping[str, Any]) -> pl.DataFrame:
    path = folder / f"{name}.parquet"
    if not path.is_file():
        raise CrosstableError(
            f"{path}: no such file; the record is sections.parquet, entries.parquet and games.parquet"
        )
    try:
        schema = pl.read_parquet_schema(path)
        if missing := [column for column in columns if column not in schema]:
            raise CrosstableError(f"{path}: no column {', '.join(missing)}; found {', '.join(schema) or 'none'}")
        table = pl.read_parquet(path, columns=list(columns), memory_map=False)
        if table.is_empty():
            raise CrosstableError(f"{path}: the table is empty")
        return table.select(pl.col(column).cast(wanted) for column, wanted in columns.items())
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise CrosstableError(f"{path}: not a table that we can read: {reason}") from error


def _sections(table: pl.DataFrame) -> pl.DataFrame:
    """In rating order: by event end, and among those as the table has them (readings 14)."""
    _no_nulls("sections", table, ("section", "event_end"))
    if table["section"].is_duplicated().any():
        raise CrosstableError(f"sections: section {_first_duplicate(table, ['section'])[0]} appears twice")
    return table.sort("event_end", maintain_order=True).with_row_index("at").with_columns(pl.col("at").cast(pl.Int64))


def _seated(table: pl.DataFrame, sections: pl.DataFrame) -> pl.DataFrame:
    """Return the entries in order of sections and pairing numbers, each with its seat."""
    _no_nulls("entries", table, ("section", "number", "player"))
    if table.select("section", "number").is_duplicated().any():
        section, number = _first_duplicate(table, ["section", "number"])
        raise CrosstableError(f"entries: pairing number {number} appears twice in section {section}")
    placed = _placed("entries", table, sections).sort("at", "number")
    first = pl.col("number").min().over("at", "player")
    placed = placed.with_columns(first.alias("first_number"))
    return placed.with_columns((pl.struct("at", "first_number").rank("dense") - 1).cast(pl.Int64).alias("seat"))


def _seats(entries: pl.DataFrame) -> pl.DataFrame:
    figures = [pl.col(f"{rating}_{figure}").drop_nulls().first() for rating in RATINGS for figure in FIGURES]
    keys = [pl.col(name).first() for name in ("at", "number", "player")]
    return entries.group_by("seat", maintain_order=True).agg(*keys, *figures)


def _games(table: pl.DataFrame, sections: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    """Each game from both sides, in order of seats and rounds; `other` is null where the opponent is not listed."""
    _no_nulls("games", table, ("section", "number", "opponent", "half_points"))
    if not table["half_points"].is_between(0, 2).all():
        wrong = table.filter(~pl.col("half_points").is_between(0, 2)).row(0, named=True)
        raise CrosstableError(
            f"games: {wrong['half_points']} half points in section {wrong['section']}: must be 0, 1 or 2"
        )
    placed = _placed("games", table, sections)
    seats = entries.select("at", "number", "seat")
    both = placed.join(seats, on=["at", "number"], how="left").join(
        seats.rename({"number": "opponent", "seat": "other"}), on=["at", "opponent"], how="left"
    )
    back = both.select(
        "at", "round", pl.col("other").alias("seat"), pl.col("seat").alias("other"), 2 - pl.col("half_points")
    )
    forth = both.select("at", "round", "seat", "other", "half_points")
    back = back.rename({back.columns[-1]: "half_points"})
    return pl.concat([forth, back]).sort("seat", "round", maintain_order=True, nulls_last=True)


def _record(sections: pl.DataFrame, seats: pl.DataFrame, games: pl.DataFrame) -> SectionRecord:
    count = len(sections)
    seat_section = seats["at"].to_numpy()
    first_seat = np.searchsorted(seat_section, np.arange(count + 1))
    members, player = np.unique(seats["player"].to_numpy(), return_inverse=True)
    torn = games.filter(pl.col("seat").is_null() | pl.col("other").is_null() | (pl.col("seat") == pl.col("other")))
    complete = np.ones(count, dtype=np.bool_)
    complete[torn["at"].unique().to_numpy()] = False
    sided = games.filter(pl.col("seat").is_not_null())
    first_game = np.searchsorted(sided["seat"].to_numpy(), np.arange(len(seats) + 1))
    other = sided["other"].fill_null(NOT_LISTED).to_numpy()
    offset = first_seat[sided["at"].to_numpy()]
    rated = np.array([RATED.get(system, (False,) * 3) for system in sections["system"]], dtype=np.bool_)
    return SectionRecord(
        section=sections["section"].to_numpy(),
        day=_ordinals(sections["event_end"]),
        end=_ordinals(sections["end"].fill_null(sections["event_end"])),
        rated=rated.reshape(count, 3),
        kind=_words(sections["type"]),
        k=_words(sections["k"]),
        first_seat=first_seat,
        complete=complete,
        number=seats["number"].to_numpy(),
        player=player.astype(np.int32),
        **{figure: _figures(seats, figure) for figure in FIGURES},
        first_game=first_game,
        opponent=np.where(other == NOT_LISTED, NOT_LISTED, other - offset).astype(np.int32),
        half_points=sided["half_points"].to_numpy().astype(np.int8),
        members=members,
    )


EPOCH = 719_163  # date(1970, 1, 1).toordinal()


def _ordinals(days: pl.Series) -> Whole:
    return days.dt.epoch("d").to_numpy().astype(np.int64) + EPOCH


def _words(column: pl.Series) -> NDArray[np.str_]:
    return np.array([word or "" for word in column], dtype=np.str_)


def _figures(seats: pl.DataFrame, figure: str) -> Small:
    columns = [seats[f"{rating}_{figure}"].fill_null(NO_NUMBER).to_numpy() for rating in RATINGS]
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))


def _placed(name: str, table: pl.DataFrame, sections: pl.DataFrame) -> pl.DataFrame:
    placed = table.join(sections.select("section", "at"), on="section", how="left")
    if placed["at"].null_count():
        lost = placed.filter(pl.col("at").is_null())["section"][0]
        raise CrosstableError(f"{name}: section {lost} is not in sections.parquet")
    return placed


def _no_nulls(name: str, table: pl.DataFrame, columns: tuple[str, ...]) -> None:
    for column in columns:
        if table[column].null_count():
            raise CrosstableError(f"{name}: a row without {column}")


def _first_duplicate(table: pl.DataFrame, columns: list[str]) -> tuple[Any, ...]:
    keys = table.select(columns)
    return keys.filter(keys.is_duplicated()).row(0)
