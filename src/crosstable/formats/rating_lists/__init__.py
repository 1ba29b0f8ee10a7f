"""Player and rating lists: US Chess supplements, FIDE, CFC, AGA. Streamed: the FIDE list has over a million players."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO

from crosstable.errors import EventRejected
from crosstable.formats import archive, codes, encoding, limits
from crosstable.formats.rating_lists.base import KINDS, Limited, ListedPlayer
from crosstable.formats.rating_lists.columns import EVERY, PLAIN
from crosstable.formats.rating_lists.mapping import NO_MAPPING, ListMapping, read_mapping
from crosstable.formats.rating_lists.rows import RowReader
from crosstable.model import Finding


def detect(head: bytes, mapping: ListMapping = NO_MAPPING) -> str:
    """Return the kind of list by its first bytes, or "" if it is none."""
    from crosstable.formats.rating_lists import aga, cfc, delimited, fide, us_chess, us_chess_text

    kinds: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
        ("us-chess-dbf", us_chess.looks_like),
        ("us-chess-text", us_chess_text.looks_like),
        ("fide-xml", fide.looks_like_xml),
        ("fide-text", fide.looks_like_text),
        ("cfc", cfc.looks_like),
        ("list-json", delimited.looks_like_json),
        ("delimited", partial(delimited.looks_like, mapping=mapping)),
        ("aga", aga.looks_like),
    )
    return next((kind for kind, looks_like in kinds if looks_like(head)), "")


def day_of(file: BinaryIO) -> date | None:
    """Return the day of a list that names it in its head: of FIDE's, the first of its month.

    The file is at its beginning again.
    """
    from crosstable.formats.rating_lists import fide

    head = file.read(4096)
    file.seek(0)
    return fide.month_of(head) if fide.looks_like_text(head) else None


def read(
    file: BinaryIO, findings: list[Finding], *, uses: Collection[str] = PLAIN, mapping: ListMapping = NO_MAPPING
) -> Iterator[ListedPlayer]:
    """Yield the players of a list, one at a time; bad rows become findings. Raises EventRejected if it is not a list.

    `uses`: the fields (`columns.EVERY`) that the caller does something with; columns that fill another one are named in
    a finding. `mapping`: what a federation's own columns and codes mean.
    """
    from crosstable.formats.rating_lists import aga, cfc, delimited, fide, us_chess, us_chess_text

    stream = Limited(file, findings)
    if archive.is_zip(stream.peek()):
        stream = Limited(_workbook(stream.read(limits.FILE_BYTES + 1), findings), findings)
    kind = detect(stream.peek(), mapping)
    rows = RowReader(findings, uses, mapping)
    readers = {
        "us-chess-dbf": us_chess.read,
        "us-chess-text": us_chess_text.read,
        "fide-xml": fide.read_xml,
        "fide-text": fide.read_text,
        "cfc": cfc.read,
        "list-json": delimited.read_json,
        "delimited": delimited.read,
        "aga": aga.read,
    }
    if kind not in readers:
        begins = encoding.clean(encoding.decode(stream.peek()).text.lstrip().partition("\n")[0])[:60]
        unknown = codes.UNKNOWN_FORMAT.at("list", f"the first line does not name an ID and a rating: {begins!r}")
        advice = "Name the columns in the first line: ID, Name, Rating, Games; or OTBR, OTBR_GAMES and so on."
        raise EventRejected([replace(unknown, advice=advice)])
    for count, player in enumerate(readers[kind](stream, rows), start=1):
        if count > limits.LIST_PLAYERS:
            raise EventRejected([codes.OVER_LIMIT.at("list", f"more than {limits.LIST_PLAYERS:,} players")])
        yield player
    rows.finish()


def _workbook(data: bytes, findings: list[Finding]) -> BinaryIO:
    """Return the first sheet of a workbook as CSV: clubs keep their members in spreadsheets."""
    from crosstable.formats import tables

    members = archive.unpack(data)
    if not (tables.looks_like_xlsx(members) or tables.looks_like_ods(members)):
        raise EventRejected([codes.UNKNOWN_FORMAT.at("list", "an archive that is not a spreadsheet; unpack it first")])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(tables.workbook_rows(data, findings))
    return io.BytesIO(text.getvalue().encode("utf-8"))


def is_list(path: Path, mapping: ListMapping = NO_MAPPING) -> bool:
    """Whether a file, or the largest member of an archive, is a rating list: by its beginning, and nothing else.

    A bomb that begins like a list is one too: `opened` says what is wrong with it.
    """
    try:
        with _stream(path, checked=False) as file:
            return bool(detect(Limited(file).peek(), mapping))
    except (OSError, EventRejected):
        return False


def opened(path: Path) -> AbstractContextManager[BinaryIO]:
    """Return the file, or the largest member of a zip archive, as a stream: lists come zipped."""
    return _stream(path, checked=True)


class _Member(io.RawIOBase):
    """A packed file, whose damage shows only while it is read."""

    def __init__(self, member: IO[bytes], name: str) -> None:
        self._member, self._name = member, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._member.read(len(buffer))
        except archive.DAMAGE as error:
            raise _refused(self._name, error) from error
        buffer[: len(data)] = data
        return len(data)


def _refused(name: str, error: Exception) -> EventRejected:
    return EventRejected([codes.ARCHIVE_REFUSED.at(name, f"cannot be unpacked: {error}")])


@contextmanager
def _stream(path: Path, checked: bool) -> Iterator[BinaryIO]:
    if path.stat().st_size > limits.LIST_BYTES:
        raise EventRejected([codes.FILE_TOO_LARGE.at(path.name, f"{path.stat().st_size:,} bytes")])
    with path.open("rb") as file:
        if file.read(4) != b"PK\x03\x04":
            file.seek(0)
            yield file
            return
        file.seek(0)
        with _member(file, path, checked) as member:
            yield io.BufferedReader(_Member(member, path.name), 1 << 16)


def _member(file: BinaryIO, path: Path, checked: bool) -> IO[bytes]:
    try:
        packed = zipfile.ZipFile(file)
        if checked:
            members = archive.checked(packed, path.stat().st_size, limits.LIST_BYTES, limits.LIST_RATIO)
        else:
            members = archive.files(packed)
        if not members:
            raise EventRejected([codes.ARCHIVE_REFUSED.at(path.name, "it holds no file")])
        return packed.open(max(members, key=lambda info: info.file_size))
    except archive.DAMAGE as error:
        raise _refused(path.name, error) from error


def read_path(
    path: str | Path, findings: list[Finding], *, uses: Collection[str] = PLAIN, mapping: ListMapping = NO_MAPPING
) -> Iterator[ListedPlayer]:
    """Yield the players of a list in a file: see `read`."""
    with opened(Path(path)) as file:
        yield from read(file, findings, uses=uses, mapping=mapping)


__all__ = [
    "EVERY",
    "KINDS",
    "ListMapping",
    "ListedPlayer",
    "day_of",
    "detect",
    "is_list",
    "opened",
    "read",
    "read_mapping",
    "read_path",
]
