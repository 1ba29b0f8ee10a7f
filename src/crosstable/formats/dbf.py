"""dBASE III tables: our own small reader and writer.

The known libraries raise on real cells that are padded with NULs or rubbish; tests compare with dbfread.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding
from crosstable.model import Finding, Place

#: The header's language driver byte, where it names one.
_CODE_PAGES = {0x01: "cp437", 0x02: "cp850", 0x03: "cp1252", 0x57: "cp1252", 0x58: "cp1252", 0x59: "cp1252"}
_MAX_FIELDS = 512
_FIELD_TYPES = tuple(bytes([letter]) for letter in b"CNDLFMI")
_DELETED = b"*"


class Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes:
        """Return some bytes, fewer only at the end."""


@dataclass(frozen=True, slots=True)
class DbfField:
    name: str
    length: int
    type: str = "C"
    decimals: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    fields: tuple[DbfField, ...]
    count: int
    start: int
    stride: int
    code_page: str | None


@dataclass(frozen=True, slots=True)
class DbfTable:
    fields: tuple[DbfField, ...]
    records: list[dict[str, str]]
    findings: tuple[Finding, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)


def looks_like(data: bytes) -> bool:
    """Tell whether the file has a version byte of the dBASE family and a field descriptor that starts with a capital
    letter.
    """
    family = len(data) > 65 and data[0] & 0x07 in (2, 3)
    return family and data[32:33].isalpha() and data[43:44] in _FIELD_TYPES


def layout(head: bytes, where: Place | str) -> Layout:
    """Return the header. `head` must hold all of it."""
    if len(head) < 65:
        raise EventRejected([codes.DAMAGED_FILE.at(where, f"a table of {len(head)} bytes")])
    count, start, stride = struct.unpack_from("<IHH", head, 4)
    fields: list[DbfField] = []
    place = 32
    while place < len(head) and head[place] != 0x0D and len(fields) <= _MAX_FIELDS:
        raw = head[place : place + 32]
        name = raw[:11].split(b"\0")[0].decode("ascii", errors="replace").strip().upper()
        if len(raw) < 32 or not name or not raw[16]:
            raise EventRejected([codes.DAMAGED_FILE.at(where, f"field {len(fields) + 1} of the header")])
        fields.append(DbfField(name, raw[16], chr(raw[11]), raw[17]))
        place += 32
    width = 1 + sum(field.length for field in fields)
    if not fields or stride < width or place >= len(head):
        raise EventRejected([codes.DAMAGED_FILE.at(where, f"records of {stride} bytes, but fields of {width}")])
    return Layout(tuple(fields), count, max(start, place + 1), stride, _CODE_PAGES.get(head[29]))


def read(data: bytes, where: Place | str = "table") -> DbfTable:
    shape = layout(data, where)
    body = data[shape.start :]
    page = shape.code_page or encoding.decode(body).encoding
    there = len(body) // shape.stride
    findings: list[Finding] = []
    if not shape.code_page and page != "utf-8":
        findings.append(codes.ENCODING_GUESSED.at(where, f"the table names no code page; read as {page}"))
    following = body[shape.count * shape.stride :][:1]
    if shape.count > there or (shape.count < there and following in (b" ", _DELETED)):
        findings.append(codes.RECORD_COUNT.at(where, f"{shape.count} stated, {there} found"))
    records: list[dict[str, str]] = []
    deleted = 0
    for n in range(min(shape.count, there)):
        raw = body[n * shape.stride : (n + 1) * shape.stride]
        if raw[:1] == _DELETED:
            deleted += 1
            continue
        records.append(_record(raw, shape.fields, page))
    if deleted:
        findings.append(codes.DELETED_RECORDS.at(where, f"{deleted} records"))
    return DbfTable(shape.fields, records, tuple(findings))


def stream(file: Readable, findings: list[Finding], where: Place | str = "list") -> Iterator[dict[str, str]]:
    """Yield the records of a table of any size, one at a time; at its end, what was odd about it."""
    head = file.read(32)
    size = struct.unpack_from("<H", head, 8)[0] if len(head) == 32 else 0
    head += file.read(max(size - 32, 0))
    shape = layout(head, where)
    file.read(shape.start - len(head)) if shape.start > len(head) else b""
    page = shape.code_page or "utf-8"
    there = deleted = 0
    for block in _blocks(file, shape.stride):
        if not shape.code_page and page == "utf-8" and (page := encoding.decode(block).encoding) != "utf-8":
            findings.append(codes.ENCODING_GUESSED.at(where, f"the table names no code page; read as {page}"))
        for place in range(0, len(block), shape.stride):
            there += 1
            raw = block[place : place + shape.stride]
            if there > shape.count:  # counted, as `read` does, but not taken for players
                continue
            if raw[:1] == _DELETED:
                deleted += 1
            else:
                yield _record(raw, shape.fields, page)
    if there != shape.count:
        findings.append(codes.RECORD_COUNT.at(where, f"{shape.count:,} stated, {there:,} found"))
    if deleted:
        findings.append(codes.DELETED_RECORDS.at(where, f"{deleted:,} records"))


def _blocks(file: Readable, stride: int) -> Iterator[bytes]:
    """Many whole records at once, until something stands where a record would begin with a blank or a star."""
    while block := file.read(stride * max(1, (1 << 18) // stride)):
        whole = len(block) - len(block) % stride
        starts = block[:whole:stride]
        kept = len(starts) - len(starts.lstrip(b" *"))
        if kept:
            yield block[: kept * stride]
        if kept * stride < len(block):
            return


def _record(raw: bytes, fields: Sequence[DbfField], page: str) -> dict[str, str]:
    values: dict[str, str] = {}
    place = 1
    for field in fields:
        cell = raw[place : place + field.length].split(b"\0")[0]  # some programs leave rubbish after a NUL
        values[field.name] = encoding.clean(cell.decode(page, errors="replace"))
        place += field.length
    return values


def write(fields: Sequence[DbfField], rows: Iterable[Mapping[str, str]], day: date | None = None) -> bytes:
    """Write a dBASE III table of character fields; characters beyond ASCII must already be gone."""
    records = list(rows)
    stamp = day or date(1980, 1, 1)  # a fixed day: the same event gives the same bytes
    size = 32 + 32 * len(fields) + 1
    stride = 1 + sum(field.length for field in fields)
    parts = [struct.pack("<4BIHH20x", 0x03, stamp.year % 100, stamp.month, stamp.day, len(records), size, stride)]
    for field in fields:
        parts.append(
            struct.pack("<11sc4xBB14x", field.name.encode("ascii"), field.type.encode(), field.length, field.decimals)
        )
    parts.append(b"\r")
    for row in records:
        parts.append(b" ")
        parts += [_cell(row.get(field.name, ""), field.length) for field in fields]
    parts.append(b"\x1a")
    return b"".join(parts)


def _cell(text: str, length: int) -> bytes:
    return text.encode("ascii", errors="replace")[:length].ljust(length)
