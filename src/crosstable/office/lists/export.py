"""A published list as a file: CSV, TSV, DBF or JSON. Each carries the list's date and the audit log's head."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from crosstable.formats import dbf
from crosstable.office.lists import read
from crosstable.office.lists.models import PublishedList
from crosstable.office.lists.options import ListError

COLUMNS = ("id", "name", "state", "title", "system", "rating", "games", "class", "active", "change")
FORMATS = ("csv", "tsv", "dbf", "json")

#: Rating key → field, as in the federation's own tables (one row for each player)
DBF_FIELDS: Mapping[str, str] = {
    "OTBR": "R_LPB_RAT",
    "OTBQ": "Q_LPB_RAT",
    "OTBB": "B_LPB_RAT",
    "OLR": "ONL_R_RTG",
    "OLQ": "ONL_Q_RTG",
    "OLB": "ONL_B_RTG",
}


def export(published: PublishedList, kind: str, system: str | None = None, *, active_only: bool = False) -> bytes:
    """The list in one of FORMATS."""
    if kind not in FORMATS:
        raise ListError(f"no list in the format {kind!r}: there are {', '.join(FORMATS)}")
    rows = list(read.rows(published, system, active_only=active_only))
    if kind == "json":
        return _json(published, rows)
    if kind == "dbf":
        return _dbf(published, rows)
    return _text(published, rows, "," if kind == "csv" else "\t")


def _head(published: PublishedList) -> str:
    return f"{published.audit_count}:{published.audit_hash}"


def _json(published: PublishedList, rows: list[dict[str, Any]]) -> bytes:
    whole = {
        "list": published.date.isoformat(),
        "published_at": published.published_at,
        "rows_hash": published.rows_hash,
        "audit_head": _head(published),
        "players": rows,
    }
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def _text(published: PublishedList, rows: list[dict[str, Any]], separator: str) -> bytes:
    """The list's date and head stand in columns of their own, so that every reader of tables can read it."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow([*COLUMNS, "list", "audit_head"])
    for row in rows:
        writer.writerow([_cell(row[name]) for name in COLUMNS] + [published.date.isoformat(), _head(published)])
    return out.getvalue().encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value)
    text = str(value)
    return f"'{text}" if text[:1] in "=+@\t\r" else text  # a spreadsheet must not take a name for a formula


def number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def _dbf(published: PublishedList, rows: list[dict[str, Any]]) -> bytes:
    keys = sorted({row["system"] for row in rows})
    names = {key: DBF_FIELDS.get(key, f"{key}_RAT"[:10]) for key in keys}
    players: dict[str, dict[str, str]] = {}
    for row in rows:
        player = players.setdefault(
            row["id"],
            {
                "MEM_ID": row["id"],
                "MEM_NAME": row["name"],
                "STATE": row["state"],
                "TITLE": row["title"],
                "LIST": published.date.isoformat(),
                "LIST_HEAD": _head(published),
            },
        )
        if row["rating"] is not None:
            games = f"/{row['games']}" if row["games"] is not None else ""
            player[names[row["system"]]] = number(row["rating"]) + games
    fields = [dbf.Field("MEM_ID", 12), dbf.Field("MEM_NAME", 40), dbf.Field("STATE", 4), dbf.Field("TITLE", 20)]
    fields += [dbf.Field(names[key], 10) for key in keys]
    fields += [dbf.Field("LIST", 10), dbf.Field("LIST_HEAD", 80)]
    return dbf.write(fields, [players[key] for key in sorted(players)], published.date)
