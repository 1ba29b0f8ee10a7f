"""A published list as a file: CSV, TSV, XLSX, DBF or JSON, one row for each player, as `formats.rating_lists` reads
them.

Each carries the list's date and the audit log's head; in tables in columns of their own, so that every reader of tables
can read them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from crosstable.formats import dbf, guarded_tables
from crosstable.formats.fields import ascii_text
from crosstable.formats.rating_lists.delimited import FORMAT
from crosstable.office.lists import read
from crosstable.office.lists.models import PublishedList
from crosstable.office.lists.options import ListError
from crosstable.systems.us_chess.pools import POOLS

FORMATS = ("csv", "tsv", "xlsx", "dbf", "json")

#: Rating key → field, as in the federation's own tables
DBF_FIELDS: Mapping[str, str] = {pool.key: pool.fields[0] for pool in POOLS}
#: A pool's name has room for a floor's field beside it
DBF_KEY = 4
_PLAYER = ("id", "name", "state", "title")
_OF_POOL = ("games", "class", "active", "change")
_FLOOR = ("floor", "floor_reason")

Rows = list[dict[str, Any]]  # of one player


def export(published: PublishedList, kind: str, pool: str | None = None, *, active_only: bool = False) -> bytes:
    """Return the list in one of FORMATS."""
    if kind not in FORMATS:
        raise ListError(f"no list in the format {kind!r}: there are {', '.join(FORMATS)}")
    rows = list(read.rows(published, pool, active_only=active_only))
    pools = sorted({row["pool"] for row in rows})
    players: dict[str, Rows] = {}
    for row in rows:
        players.setdefault(row["id"], []).append(row)
    ordered = [players[number] for number in sorted(players)]
    if kind == "json":
        return _json(published, ordered)
    if kind == "dbf":
        return _dbf(published, ordered, pools)
    if kind == "xlsx":
        return guarded_tables.workbook([(f"List of {published.date}", _lines(published, ordered, pools))])
    return _text(published, ordered, pools, "," if kind == "csv" else "\t")


def head_of(published: PublishedList) -> str:
    return f"{published.audit_count}:{published.audit_hash}"


def _json(published: PublishedList, players: Iterable[Rows]) -> bytes:
    """One player a line, so that a long list streams."""
    top = {"format": FORMAT, "list": published.date.isoformat(), "published_at": published.published_at}
    top |= {"rows_hash": published.rows_hash, "audit_head": head_of(published)}
    top |= {"signature": published.signature} if published.signature else {}
    lines = ",\n".join(json.dumps(_object(rows), ensure_ascii=False) for rows in players)
    return f'{json.dumps(top)[:-1]}, "players": [\n{lines}\n]}}\n'.encode()


def _object(rows: Rows) -> dict[str, Any]:
    return {
        **{name: rows[0][name] for name in _PLAYER},
        "ratings": {row["pool"]: row["rating"] for row in rows if row["rating"] is not None},
        "games": {row["pool"]: row["games"] for row in rows if row["games"] is not None},
        "classes": {row["pool"]: row["class"] for row in rows if row["class"]},
        "active": [row["pool"] for row in rows if row["active"]],
        "changes": {row["pool"]: row["change"] for row in rows if row["change"] is not None},
        **_floors(rows),
    }


def _floors(rows: Rows) -> dict[str, Any]:
    """Return the floors, where the list has them: the first lists had none, and their files stay as they were."""
    found = {row["pool"]: {"rating": row["floor"], "reason": row["floor_reason"]} for row in rows if row["floor"]}
    return {"floors": found} if found else {}


def _columns(players: Iterable[Rows]) -> tuple[str, ...]:
    """Return what is told of each rating."""
    return (*_OF_POOL, *(_FLOOR if any(row["floor"] for rows in players for row in rows) else ()))


def _text(published: PublishedList, players: Sequence[Rows], pools: list[str], mark: str) -> bytes:
    lines = ([_cell(cell) for cell in line] for line in _lines(published, players, pools))
    return guarded_tables.text(lines, mark=mark).encode()


def _lines(published: PublishedList, players: Sequence[Rows], pools: list[str]) -> Iterator[list[Any]]:
    """Yield the head, and a line for each player: facts, then each pool's numbers, then the list they stand on."""
    columns = _columns(players)
    of_pools = [column for key in pools for column in (key, *(f"{key} {name.replace('_', ' ')}" for name in columns))]
    yield [*_PLAYER, *of_pools, "list", "audit_head"]
    for rows in players:
        found = {row["pool"]: row for row in rows}
        numbers = [found.get(key, {}).get(name) for key in pools for name in ("rating", *columns)]
        yield [*(str(rows[0][name]) for name in _PLAYER), *numbers, published.date.isoformat(), head_of(published)]


def _cell(value: Any) -> Any:
    """Return a number as a number: only text is guarded."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _dbf(published: PublishedList, players: Sequence[Rows], pools: list[str]) -> bytes:
    names = {key: DBF_FIELDS.get(key, f"{key}_RAT"[:10]) for key in pools}
    fields = [
        dbf.DbfField("MEM_ID", 12),
        dbf.DbfField("MEM_NAME", 40),
        dbf.DbfField("STATE", 4),
        dbf.DbfField("TITLE", 20),
    ]
    fields += [dbf.DbfField(names[key], 10) for key in pools]
    floors = [key for key in pools if _FLOOR[0] in _columns(players) and len(key) <= DBF_KEY]
    fields += [dbf.DbfField(name, size) for key in floors for name, size in ((f"{key}_FLOOR", 5), (f"{key}_FLWHY", 60))]
    fields += [dbf.DbfField("LIST", 10), dbf.DbfField("LIST_HEAD", 80)]
    records = []
    for rows in players:
        record = {"LIST": published.date.isoformat(), "LIST_HEAD": head_of(published)}
        for name, field in zip(_PLAYER, fields, strict=False):
            record[field.name] = ascii_text(rows[0][name], field.length)
        for row in rows:
            games = f"/{row['games']}" if row["games"] is not None else ""
            record[names[row["pool"]]] = "" if row["rating"] is None else _number(row["rating"]) + games
            if row["pool"] in floors and row["floor"]:
                record[f"{row['pool']}_FLOOR"], record[f"{row['pool']}_FLWHY"] = (
                    _number(row["floor"]),
                    row["floor_reason"],
                )
        records.append(record)
    return dbf.write(fields, records, published.date)
