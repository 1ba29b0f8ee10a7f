"""Rating lists to write: CSV, TSV, DBF in the golden database's columns, JSON with one player per line."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from crosstable.errors import EventRejected
from crosstable.formats import codes, dates, dbf, encoding, keys
from crosstable.formats.rating_lists.base import RATING_KEYS, ListedPlayer
from crosstable.formats.rating_lists.delimited import FORMAT
from crosstable.formats.tables import quoted

FORMATS = ("csv", "tsv", "dbf", "json")

_COLUMNS = ("id", "name", "state", "country", "sex", "title", "birth_year", "expires", "fide_id")
_TABLE = (
    ("MEM_ID", 11), ("MEM_NAME", 30), ("EXPIRED", 8), ("STATE", 2), ("R_LPB_RAT", 4), ("Q_LPB_RAT", 4),
    ("B_LPB_RAT", 4), ("ONL_R_RTG", 4), ("ONL_Q_RTG", 4), ("ONL_B_RTG", 4), ("GENDER", 1), ("BYEAR", 4),
    ("FEDERATION", 3), ("TITLE", 3), ("FIDE_ID", 11),
)  # fmt: skip
_TABLE_RATINGS = {
    "R_LPB_RAT": "OTBR", "Q_LPB_RAT": "OTBQ", "B_LPB_RAT": "OTBB",
    "ONL_R_RTG": "OLR", "ONL_Q_RTG": "OLQ", "ONL_B_RTG": "OLB",
}  # fmt: skip


def write(players: Iterable[ListedPlayer], format: str, out: BinaryIO) -> None:
    """The list in that format. Everything but DBF is written player by player."""
    if format == "dbf":
        fields = [dbf.Field(name, width) for name, width in _TABLE]
        out.write(dbf.write(fields, (_record(player) for player in players)))
    elif format == "json":
        out.write(f'{{"format": "{FORMAT}", "players": [\n'.encode())
        for place, player in enumerate(players):
            out.write((",\n" if place else "").encode() + json.dumps(_object(player), ensure_ascii=False).encode())
        out.write(b"\n]}\n")
    elif format in ("csv", "tsv"):
        for line in _lines(players, "\t" if format == "tsv" else ","):
            out.write(line.encode("utf-8"))
    else:
        raise EventRejected([codes.UNKNOWN_FORMAT.at(format, f"a list is written as {', '.join(FORMATS)}")])


def _lines(players: Iterable[ListedPlayer], mark: str) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=mark, lineterminator="\n")
    heads = [*_COLUMNS, *(head for key in RATING_KEYS for head in (key, f"{key} games"))]
    writer.writerow(heads)
    for player in players:
        row = [_field(player, name) for name in _COLUMNS]
        for key in RATING_KEYS:
            row += [_number(player.ratings, key), _number(player.games, key)]
        writer.writerow([quoted(encoding.clean(cell)) for cell in row])
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _field(player: ListedPlayer, name: str) -> str:
    value = getattr(player, name)
    return "" if value is None else str(value)


def _number(numbers: Mapping[str, float], key: str) -> str:
    value = numbers.get(key)
    return "" if value is None or not math.isfinite(value) else f"{value:.12g}"


def _object(player: ListedPlayer) -> dict[str, object]:
    row: dict[str, object] = {"id": player.id}
    row |= {name: text for name in _COLUMNS[1:] if (text := _field(player, name))}
    row["ratings"] = {key: value for key, value in player.ratings.items() if math.isfinite(value)}
    return {**row, "games": dict(player.games)} if player.games else row


def _record(player: ListedPlayer) -> dict[str, str]:
    record = {
        "MEM_ID": keys.ascii_text(player.id, 11), "MEM_NAME": keys.ascii_text(player.name, 30),
        "EXPIRED": dates.compact(player.expires), "STATE": keys.ascii_text(player.state, 2),
        "GENDER": keys.ascii_text(player.sex, 1), "BYEAR": str(player.birth_year or ""),
        "FEDERATION": keys.ascii_text(player.country, 3), "TITLE": keys.ascii_text(player.title, 3),
        "FIDE_ID": keys.ascii_text(player.fide_id, 11),
    }  # fmt: skip
    for field, key in _TABLE_RATINGS.items():
        value = keys.whole(player.ratings[key]) if key in player.ratings else None
        record[field] = str(value) if value else ""
    return record
