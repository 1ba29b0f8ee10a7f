"""Every event format, one small record each, which stands in the format's own module.

A new format is a module with a `FORMATS` tuple, and its name in MODULES below.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from crosstable.formats import encoding
from crosstable.formats.base import Reading, Written
from crosstable.model import Event

#: The modules in the order in which they are asked whether a file is theirs. Each is imported when its turn comes.
MODULES = (
    "swisssys",
    "event_json",
    "us_chess_report",
    "aga_report",  # before tables: its players' names may look like the head of one
    "text_crosstable",
    "trf",
    "pgn",
    "games",
    "tables",
    "loose_tables",
    "headless",
)
_LOOKED_AT = 200_000  # bytes of a text


class Content:
    """A file as the formats look at it. Whatever is costly is done once, and only if someone asks."""

    def __init__(self, data: bytes, *, inside: bool = False) -> None:
        self.data = data
        self.inside = inside  # of an archive: the file is the only one in it

    @cached_property
    def members(self) -> dict[str, bytes]:
        """The files of an archive; none if this is no archive. Raises EventRejected for one that cannot be unpacked."""
        if self.data[:2] != b"PK":
            return {}
        from crosstable.formats import archive

        return archive.unpack(self.data)

    @cached_property
    def text(self) -> str:
        """The beginning of a text; nothing of an archive."""
        return "" if self.data[:2] == b"PK" else encoding.decode(self.data[:_LOOKED_AT]).text

    @cached_property
    def begins_json(self) -> bool:
        start = self.data[:400]
        if start[:2] in (b"\xff\xfe", b"\xfe\xff"):  # UTF-16, or UTF-32: the reader says so
            start = start.replace(b"\0", b"").lstrip(b"\xff\xfe")
        return start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"

    @cached_property
    def json(self) -> object:
        """The JSON of the file; None if it is none. Control characters are allowed: SwissSys writes them."""
        if not self.begins_json:
            return None
        try:
            return json.loads(encoding.decode(self.data).text, strict=False)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class Format:
    """One format: what it is called, how a file of it is recognised, read and written."""

    name: str
    title: str
    suffixes: tuple[str, ...]  # of files that are written; the first is the usual one
    looks_like: Callable[[Content], bool]
    read: Callable[[Content], Reading]
    write: Callable[[Event, int | None], Written] | None = None  # an event, and the section for formats that hold one
    marks_provisional: bool = False  # ratings stand in it as US Chess prints them: P for provisional ones

    @property
    def writes(self) -> bool:
        return self.write is not None


def each() -> Iterator[Format]:
    """All formats, in the order in which they are asked."""
    for module in MODULES:
        yield from import_module(f"crosstable.formats.{module}").FORMATS


def by_name() -> dict[str, Format]:
    return {entry.name: entry for entry in each()}


def find(content: Content) -> tuple[Format | None, Content]:
    """Return the format, and what it reads: of an archive with one file in it, that file."""
    for entry in each():
        if entry.looks_like(content):
            return entry, content
    if len(content.members) == 1 and not content.inside:
        (only,) = content.members.values()
        return find(Content(only, inside=True))
    return None, content
