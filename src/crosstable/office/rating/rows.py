"""Rating rows as tables: their columns, reading them, and a row's state as a rating record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from typing import Any

import polars as pl

from crosstable.formats import event_json
from crosstable.model import MatchChange, Rating
from crosstable.office.storage import bulk

TABLE = "ledger_ratingrow"

#: The columns of a rating row besides its id, in one order for everybody
COLUMNS: Mapping[str, Any] = {
    "section_id": pl.Int64,
    "pool": pl.String,
    "player_id": pl.Int64,
    "position": pl.Int64,
    "number": pl.Int32,
    "prior": pl.Float64,
    "prior_games": pl.Int32,
    "initialized": pl.Int8,
    "games": pl.Int32,
    "score": pl.Float64,
    "post": pl.Float64,
    "state_games": pl.Int32,
    "wins": pl.Int32,
    "draws": pl.Int32,
    "losses": pl.Int32,
    "assigned_games": pl.Int32,
    "three_game_events": pl.Int32,
    "peak": pl.Float64,
    "prize_floor": pl.Float64,
    "life_master": pl.Int8,
    "ceiling": pl.Float64,
    "games_above_2200": pl.Int32,
    "lowered_floor": pl.Float64,
    "lowered_from": pl.Float64,
    "flags": pl.Int32,
    "extra": pl.String,
}
#: What a row shows of the player's opponents, and whose it is. All else in it follows from these, from the section's
#: own games and from what the player brings.
OF_OPPONENTS: Mapping[str, Any] = {
    name: COLUMNS[name] for name in ("section_id", "pool", "player_id", "prior", "post", "flags", "extra")
}
FLAGS = ("initialized", "life_master")  # booleans in the database
#: In `flags`, after those of replay.kernel: the system itself says that the new rating gives an age away
TELLS_AN_AGE = 16

#: The fields of a rating record that have a column of their own; `rating` is `post`, `games` is `state_games`
_STATE = (
    "wins",
    "draws",
    "losses",
    "assigned_games",
    "three_game_events",
    "peak",
    "prize_floor",
    "life_master",
    "ceiling",
    "games_above_2200",
    "lowered_floor",
    "lowered_from",
)
#: What a state is made of, and whose it is
STATE_COLUMNS: Mapping[str, Any] = {
    name: COLUMNS[name] for name in ("player_id", "pool", "position", "post", "state_games", *_STATE, "extra")
}
_OTHER = tuple(field.name for field in fields(Rating) if field.name not in (*_STATE, "rating", "games", "date"))
_DEFAULTS = {field.name: field.default for field in fields(Rating)}


def empty() -> pl.DataFrame:
    return pl.DataFrame(schema=dict(COLUMNS))


def selected(prefix: str = "", columns: Iterable[str] = COLUMNS) -> str:
    """Return the columns for a SELECT, booleans as numbers."""
    dot = f"{prefix}." if prefix else ""
    return ", ".join(f'CAST({dot}"{name}" AS INTEGER)' if name in FLAGS else f'{dot}"{name}"' for name in columns)


def stored_from(position: int) -> pl.DataFrame:
    """Return the rows as they stand from a position on, with their ids."""
    sql = (
        f"SELECT id, {selected()} FROM {TABLE} WHERE position >= "  # noqa: S608  our own names and numbers
        f"{int(position)}"
    )
    return bulk.frame(sql, {"id": pl.Int64, **COLUMNS})


def stored_in(
    sections: Iterable[int], players: Iterable[int] | None = None, columns: Mapping[str, Any] = COLUMNS
) -> pl.DataFrame:
    """Return the rows of these sections, with their ids; optionally of some players and some columns only."""
    wanted = sorted(sections)
    schema = {"id": pl.Int64, **columns}
    only = "" if players is None else f"AND player_id IN ({bulk.numbers(players)})"
    what = f"SELECT id, {selected('', columns)} FROM {TABLE}"  # noqa: S608  our own names and numbers
    parts = [
        bulk.frame(f"{what} WHERE section_id IN ({bulk.numbers(part)}) {only}", schema)
        for part in (wanted[start : start + bulk.CHUNK] for start in range(0, len(wanted), bulk.CHUNK))
    ]
    return pl.concat(parts) if parts else pl.DataFrame(schema=schema)


def latest_before(position: int, players: Iterable[int] | None = None, without: int | None = None) -> pl.DataFrame:
    """Everybody's last row in every pool before a position, with the day of the state (`day`, as text: YYYY-MM-DD).

    `without`: an event whose own rows do not count.
    """
    only = "" if players is None else f"AND player_id IN ({bulk.numbers(players)})"
    if without is not None:
        only += (
            " AND section_id NOT IN (SELECT id FROM ledger_section WHERE "  # noqa: S608  our own names and numbers
            f"event_id = {int(without)})"
        )
    last = (
        f"SELECT player_id, pool, MAX(position) AS position FROM {TABLE} "  # noqa: S608  our own names and numbers
        f"WHERE position < {int(position)} {only} GROUP BY player_id, pool"
    )
    last = last if players is None else listed(last)
    sql = (
        f'SELECT {selected("r", STATE_COLUMNS)}, CAST(s."end" AS TEXT) '  # noqa: S608  our own names and numbers
        f"FROM ({last}) AS l JOIN {TABLE} AS r "
        f"ON {is_row_at('r', 'l', few=players is not None)} JOIN ledger_section AS s ON s.id = r.section_id"
    )
    return bulk.frame(sql, {**STATE_COLUMNS, "day": pl.String})


def listed(places: str) -> str:
    """Return what a query for (player_id, pool, position) finds, written out: then PostgreSQL knows how few there are.

    (It guesses that every player has rows in every pool, and reads the whole table instead of looking rows up.)
    """
    found = bulk.rows(places) or [(0, "", 0)]
    table = bulk.written_out("v", *zip(*found, strict=True))
    return (
        "SELECT column1 AS player_id, column2 AS pool, column3 AS position "  # noqa: S608  our own names and numbers
        f"FROM {table}"
    )


def is_row_at(row: str, place: str, *, few: bool) -> str:
    """Return the condition of a join with (player_id, pool, position). A few rows are looked up one by one.

    (Where PostgreSQL may choose, it reads the whole table for a few hundred.)
    """
    if not few:
        return " AND ".join(f"{row}.{name} = {place}.{name}" for name in ("player_id", "pool", "position"))
    return (
        f"{row}.id = (SELECT o.id FROM {TABLE} AS o WHERE "  # noqa: S608  our own names and numbers
        f"{is_row_at('o', place, few=False)})"
    )


def latest_before_each(
    asked: Sequence[int], players: Sequence[int], pools: Sequence[str], positions: Sequence[int]
) -> pl.DataFrame:
    """Return the same for each of these: a number of the asker's, which stands beside the row (`asked`), player, pool,
    position.

    Both databases look each row up in the index of players. (Joined with their maxima, PostgreSQL would read the
    table.) Days are read apart: most rows are of a few sections.
    """
    columns = {**STATE_COLUMNS, "section_id": pl.Int64}
    if not asked:
        return pl.DataFrame(schema={**STATE_COLUMNS, "asked": pl.Int64, "day": pl.String})
    theirs = (
        "o.player_id = w.column2 AND o.pool = w.column3 AND o.position < w.column4 ORDER BY o.position DESC LIMIT 1"
    )
    table = bulk.written_out("w", asked, players, pools, positions)
    found = bulk.frame(
        f"SELECT {selected('r', columns)}, w.column1 FROM {table} "  # noqa: S608  our own names and numbers
        f"{bulk.joined_one(TABLE, 'r', 'o', theirs)}",
        {**columns, "asked": pl.Int64},
    )
    days = bulk.frame(
        'SELECT id, CAST("end" AS TEXT) FROM ledger_section '  # noqa: S608  our own names and numbers
        f"WHERE id IN ({bulk.numbers(found['section_id'].unique())})",
        {"section_id": pl.Int64, "day": pl.String},
    )
    return found.join(days, on="section_id").drop("section_id")


def extra_of(record: Rating) -> str | None:
    """Return what a rating record holds beyond the columns, as JSON."""
    whole = event_json.rating_to_json(record)
    kept = {name: whole[name] for name in _OTHER if name in whole}
    return json.dumps(kept, separators=(",", ":"), sort_keys=True) if kept else None


def row_of(record: Rating) -> dict[str, Any]:
    """Return the state columns of a rating record."""
    row = {name: getattr(record, name) for name in _STATE}
    row |= {"life_master": int(record.life_master), "post": float(record.rating), "state_games": record.games}
    return row | {"extra": extra_of(record)}


def record_of(row: Mapping[str, Any], day: date | None) -> Rating:
    """Return a row's state as a rating record."""
    values: dict[str, Any] = {name: row[name] for name in _STATE if row[name] is not None or _DEFAULTS[name] is None}
    values |= {"life_master": bool(row["life_master"]), "rating": row["post"], "games": row["state_games"], "date": day}
    for name, value in json.loads(row["extra"] or "{}").items():
        values[name] = revived(name, value)
    return Rating(**values)


def revived(name: str, value: Any) -> Any:
    """Return a field of a record from its JSON."""
    if name == "match_changes":
        return tuple(MatchChange(date.fromisoformat(one["date"]), one["change"]) for one in value)
    return tuple((pair[0], pair[1]) for pair in value) if name == "pending" else value
