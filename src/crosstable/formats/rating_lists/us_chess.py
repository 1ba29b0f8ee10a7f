"""US Chess lists as dBASE tables: the golden database, the supplement, and third-party tables with more columns."""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.formats import dbf
from crosstable.formats.rating_lists.base import Limited, ListedPlayer
from crosstable.formats.rating_lists.rows import RowReader
from crosstable.formats.rating_lists.sheet import Sheet, sheet_of


def looks_like(head: bytes) -> bool:
    return dbf.looks_like(head) and b"MEM_ID" in head[:4096] and b"D_PAIR_NUM" not in head[:4096]


def read(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    sheet: Sheet | None = None
    for number, record in enumerate(dbf.stream(stream, rows.findings), start=1):
        row = {rows.mapping.column(name): text for name, text in record.items()}
        sheet = sheet or sheet_of(row, rows)
        player = sheet.player(row, number)
        if player is None:
            rows.skip(number, " ".join(record.values()))
        else:
            yield player
