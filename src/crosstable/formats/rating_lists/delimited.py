"""Lists with a header line: the supplement as a table, members' lists of clubs and federations, our own CSV and TSV;
our JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, table_heads
from crosstable.formats.rating_lists.base import Limited, ListedPlayer
from crosstable.formats.rating_lists.columns import column, columns_of
from crosstable.formats.rating_lists.mapping import NO_MAPPING, ListMapping
from crosstable.formats.rating_lists.rows import RowReader
from crosstable.formats.rating_lists.sheet import Sheet, sheet_of
from crosstable.formats.tables import split_line, unquoted

FORMAT = "crosstable-ratings/1"
#: In our JSON beside the facts of a player: pool → value
_BY_POOL = {"ratings": "", "games": "_GAMES", "classes": "_CLASS", "changes": "_CHANGE"}
#: pool → facts
_RECORDS: Mapping[str, Mapping[str, str]] = {
    "records": {},
    "floors": {"rating": "FLOOR", "reason": "FLOOR_REASON", "rule": "FLOOR_RULE"},
}
_SHEETS = 1000  # more sets of columns than real lists have are not kept


def _header(line: str, mapping: ListMapping) -> tuple[list[str], str] | None:
    """Return the columns and the delimiter, if the line is a list's."""
    for mark in ("\t", ",", ";"):
        cells, _ = split_line(line, mark)
        names = [mapping.column(unquoted(name)) for name in cells]
        if columns_of(tuple(names)).of_a_list:
            return names, mark
    return None


def looks_like(head: bytes, mapping: ListMapping = NO_MAPPING) -> bool:
    first = re.split(r"\r\n|\r|\n", encoding.decode(head).text, maxsplit=1)[0]
    found = _header(first, mapping)
    return found is not None and not table_heads.has_rounds(cell.strip(' "') for cell in first.split(found[1]))


def read(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    lines = stream.text_lines()
    found = _header(next(lines, ""), rows.mapping)
    if found is None:
        raise EventRejected([codes.MISSING_COLUMN.at("list", "no column is an id")])
    names, mark = found
    sheet = sheet_of(names, rows)
    for number, line in enumerate(lines, start=2):
        cells, odd = split_line(line, mark)
        if not any(cells):
            continue
        row = {name: encoding.clean(unquoted(cell)) for name, cell in zip(names, cells, strict=False)}
        player = sheet.player(row, number)
        # a stray quotation mark between tabs is only a character; between commas no one knows which cell is which
        if player is None or len(cells) > 4 * len(names) or (odd and mark != "\t"):
            rows.skip(number, line)
        else:
            yield player


def looks_like_json(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{" and FORMAT.encode() in head[:400]


def read_json(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    """One player per line, as `write` lays them out, so that this list streams like the others."""
    sheets: dict[tuple[str, ...], Sheet] = {}  # by the columns that a player has
    unknown: dict[str, None] = {}
    for number, line in enumerate(stream.text_lines(), start=1):
        text = line.strip().rstrip(",")
        if not text.startswith('{"id"'):
            continue
        try:
            cells = _cells(json.loads(text))
        except (ValueError, RecursionError):
            rows.skip(number, text)
            continue
        names = tuple(cells)
        if names not in sheets and len(sheets) < _SHEETS:
            columns = columns_of(names)
            unknown |= dict.fromkeys(columns.unknown)
            rows.not_used(columns.unused(rows.uses))
            sheets[names] = Sheet(columns, rows)
        player = (sheets.get(names) or Sheet(columns_of(names), rows)).player(cells, number)
        if player is None:
            rows.skip(number, text)
        else:
            yield player
    rows.not_known(tuple(unknown))


def _cells(raw: Mapping[str, Any]) -> dict[str, str]:
    """Return a player of our JSON as a row of a table: pools make columns of their own."""
    cells: dict[str, str] = {}
    for key, value in raw.items():
        if key in _BY_POOL and isinstance(value, Mapping):
            cells |= {column(f"{pool}{_BY_POOL[key]}"): _text(one) for pool, one in value.items()}
        elif key in _RECORDS and isinstance(value, Mapping):
            for pool, facts in value.items():
                names = {name: _RECORDS[key].get(name, name) for name in facts} if isinstance(facts, Mapping) else {}
                cells |= {column(f"{pool}_{own}"): _text(facts[name]) for name, own in names.items()}
        elif key == "active" and isinstance(value, list):
            cells |= {column(f"{pool}_ACTIVE"): "yes" for pool in value}
        else:
            cells[column(str(key))] = _text(value)
    return {name: text for name, text in cells.items() if text}


def _text(value: object) -> str:
    """Return a value of JSON as a table would have it; nothing for what no table has."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:.12g}" if abs(value) < 1e12 else ""
    return encoding.clean(value) if isinstance(value, str) else ""
