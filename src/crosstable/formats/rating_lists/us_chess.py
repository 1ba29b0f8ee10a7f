"""US Chess lists as dBASE tables: the golden database, the supplement, and third-party tables with more columns."""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.formats import dbf
from crosstable.formats.rating_lists.base import Limited, ListedPlayer, Rows
from crosstable.formats.rating_lists.delimited import player_of


def looks_like(head: bytes) -> bool:
    return dbf.looks_like(head) and b"MEM_ID" in head[:4096] and b"D_PAIR_NUM" not in head[:4096]


def read(stream: Limited, rows: Rows) -> Iterator[ListedPlayer]:
    for number, record in enumerate(dbf.stream(stream, rows.findings), start=1):
        player = player_of(record, rows, number)
        if player is None:
            rows.skip(number, " ".join(record.values()))
        else:
            yield player
