"""Rating lists to write: CSV, TSV, DBF in the golden database's columns, JSON with one player per line."""

from __future__ import annotations

import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from crosstable.errors import EventRejected
from crosstable.formats import codes, dates, dbf, encoding, fields, file_ratings, guarded_tables
from crosstable.formats.rating_lists.base import RATING_KEYS, ListedPlayer
from crosstable.formats.rating_lists.delimited import FORMAT
from crosstable.systems.us_chess.pools import POOLS

FORMATS = ("csv", "tsv", "dbf", "json")

_COLUMNS = ("id", "name", "state", "country", "sex", "title", "birth_year", "expires", "fide_id")
#: What a public list omits: it is private, or belongs to an office's own records
_NOT_WRITTEN = ("birth_date", "cfc_id", "membership", "member_since", "canadian_resident", "records")
_TABLE = (
    ("MEM_ID", 11),
    ("MEM_NAME", 30),
    ("EXPIRED", 8),
    ("STATE", 2),
    *((pool.fields[0], 4) for pool in POOLS),
    ("GENDER", 1),
    ("BYEAR", 4),
    ("FEDERATION", 3),
    ("TITLE", 3),
    ("FIDE_ID", 11),
)
_WIDTHS = dict(_TABLE)
_TABLE_RATINGS = {pool.fields[0]: pool.key for pool in POOLS}


def write(players: Iterable[ListedPlayer], format: str, out: BinaryIO) -> tuple[str, ...]:
    """Write the list in that format; return what it could not hold. Everything but DBF is written player by player."""
    lost: Counter[str] = Counter()
    _write(_counted(players, format, lost), format, out)
    return tuple(name if count == 1 else f"{name} ({count:,})" for name, count in sorted(lost.items()))


def _counted(players: Iterable[ListedPlayer], format: str, lost: Counter[str]) -> Iterator[ListedPlayer]:
    for player in players:
        if player.notes:
            lost.update(f"notes.{key}" for key in player.notes)
        lost.update(name for name in _NOT_WRITTEN if getattr(player, name))
        if format == "dbf":
            lost.update(_not_in_table(player))
        yield player


def _not_in_table(player: ListedPlayer) -> Iterator[str]:
    record = _record(player)
    for name, (field, value) in _texts(player).items():
        if record[field] != encoding.clean(value):
            yield name
    for key, rating in player.ratings.items():
        if key not in _TABLE_RATINGS.values() or not file_ratings.whole(rating):
            yield f"ratings.{key}"
        elif rating != file_ratings.whole(rating):
            yield f"ratings.{key} (rounded)"
    yield from (f"games.{key}" for key in player.games)


def _write(players: Iterable[ListedPlayer], format: str, out: BinaryIO) -> None:
    if format == "dbf":
        fields = [dbf.DbfField(name, width) for name, width in _TABLE]
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
    writer = guarded_tables.Writer(buffer, mark=mark)
    heads = [*_COLUMNS, *(head for key in RATING_KEYS for head in (key, f"{key} games"))]
    writer.row(heads)
    for player in players:
        row = [_field(player, name) for name in _COLUMNS]
        for key in RATING_KEYS:
            row += [_number(player.ratings, key), _number(player.games, key)]
        writer.row(encoding.clean(cell) for cell in row)
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


def _texts(player: ListedPlayer) -> dict[str, tuple[str, str]]:
    """Name → column of the table and value."""
    return {
        "id": ("MEM_ID", player.id),
        "name": ("MEM_NAME", player.name),
        "state": ("STATE", player.state),
        "sex": ("GENDER", player.sex),
        "country": ("FEDERATION", player.country),
        "title": ("TITLE", player.title),
        "fide_id": ("FIDE_ID", player.fide_id),
    }


def _record(player: ListedPlayer) -> dict[str, str]:
    record = {field: fields.ascii_text(value, _WIDTHS[field]) for field, value in _texts(player).values()}
    for field, id_ in (("MEM_ID", player.id), ("FIDE_ID", player.fide_id)):  # half an id is another person's
        record[field] = fields.identity(id_, _WIDTHS[field]) if id_.isascii() else ""
    record |= {"EXPIRED": dates.compact(player.expires), "BYEAR": str(player.birth_year or "")}
    for field, key in _TABLE_RATINGS.items():
        value = file_ratings.whole(player.ratings[key]) if key in player.ratings else None
        record[field] = str(value) if value else ""
    return record
