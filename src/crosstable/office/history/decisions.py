"""The fourth table beside a history: every decision that counts, openings first, as the ratings follow from them.

The three tables know a player's first published rating only. With this one an office made from its tables begins each
record with what the office knew (decimals, games, results, peaks) and has the same adjustments and floors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import polars as pl

from crosstable.errors import CrosstableError
from crosstable.model import Rating
from crosstable.office.history.tables import DECISIONS, HistoryTablesError
from crosstable.office.ledger import order
from crosstable.office.ledger.players import merged_players
from crosstable.office.rating import floor_requests, states
from crosstable.office.storage import bulk

SCHEMA: Mapping[str, Any] = {
    "player": pl.Int64,
    "pool": pl.String,
    "kind": pl.String,
    "day": pl.Date,
    "fields": pl.String,
}
KINDS = ("opening", "rating", "ceiling", "prize_floor", "lowered_floor", "life_master", "release")
#: What a decision may set: what the ratings can follow from
FIELDS = frozenset(one.name for one in fields(Rating))


def table(people: Mapping[int, int], wanted: Iterable[int]) -> pl.DataFrame:
    """Return the decisions in force about these players, in the order in which they apply."""
    same, chosen = merged_players(), set(wanted)
    sql = (
        "SELECT id, player_id, pool, kind, position, fields FROM ledger_adjustment WHERE status = 'granted' "
        "ORDER BY position, CASE WHEN kind = 'opening' THEN 0 ELSE 1 END, id"
    )
    found = []
    lowered = floor_requests.lowered_by_decision()
    for decision, player, pool, kind, position, stored in bulk.rows(sql):
        kept = same.get(player, player)
        if kept in chosen:
            whole = json.loads(stored) if isinstance(stored, str) else stored
            if decision in lowered:  # the tables have no requests: what this one does
                row = lowered[decision]
                whole = {"lowered_floor": row.lowered_floor, "lowered_from": row.lowered_from}
            elif not whole:
                continue
            told = {name: value for name, value in whole.items() if name in FIELDS}
            found.append((people[kept], pool, kind, order.date_of(position), json.dumps(told)))
    return pl.DataFrame(found, schema=pl.Schema(SCHEMA), orient="row")


def read(folder: Path) -> pl.DataFrame | None:
    """Return the table of a folder, checked; nothing where there is none."""
    path = folder / f"{DECISIONS}.parquet"
    if not path.is_file():
        return None
    try:
        found = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as problem:
        raise HistoryTablesError(f"{path.name}: {problem}") from problem
    if missing := [column for column in SCHEMA if column not in found.columns]:
        raise HistoryTablesError(f"{path.name}: no column {', '.join(missing)}")
    if wrong := next(_wrong(found), ""):
        raise HistoryTablesError(f"{path.name}, {wrong}")
    return found


def _wrong(found: pl.DataFrame) -> Iterator[str]:
    for place, row in enumerate(found.select(*SCHEMA).iter_rows(named=True), start=1):
        try:
            told = json.loads(row["fields"])
        except (TypeError, ValueError):
            told = None
        if None in row.values() or row["kind"] not in KINDS:
            yield f"row {place}: a cell is empty, or the kind is none of {', '.join(KINDS)}"
        elif not isinstance(told, dict) or not told or not FIELDS.issuperset(told):
            yield f"row {place}: fields {str(row['fields'])[:60]!r} are not a record's: {', '.join(sorted(FIELDS))}"
        elif not _is_record({"rating": 0.0, **told}):
            yield f"row {place}: {str(row['fields'])[:60]!r} is not a rating's record"


def _is_record(told: Mapping[str, Any]) -> bool:
    try:
        Rating(**{name: states.revived(name, value) for name, value in told.items()})
    except (CrosstableError, KeyError, TypeError, ValueError):
        return False
    return True
