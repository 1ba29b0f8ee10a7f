"""A player of a list, and a stream that stops before it becomes too much."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import BinaryIO

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, limits
from crosstable.model import Finding, Place, Rating
from crosstable.systems.us_chess.pools import KEYS

KINDS: Mapping[str, str] = {
    "us-chess-dbf": "US Chess supplement or golden database (DBF)",
    "us-chess-text": "US Chess supplement or list of all ratings, tab-separated",
    "delimited": "list with a header line, tab- or comma-separated",
    "fide-text": "FIDE list, fixed width",
    "fide-xml": "FIDE list, XML",
    "cfc": "CFC tdlist",
    "aga": "AGA TDList",
    "list-json": "our own list, JSON",
}
#: Under these names a list holds ratings; the first are US Chess, FIDE and CFC have speeds too.
RATING_KEYS = (
    *KEYS,
    "FIDE",
    "FIDE_RAPID",
    "FIDE_BLITZ",
    "CFC",
    "CFC_QUICK",
    "AGA",
)


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    id: str
    name: str = ""
    ratings: Mapping[str, float] = field(default_factory=dict)
    games: Mapping[str, int] = field(default_factory=dict)  # where a list gives them: provisional, or per period
    state: str = ""
    country: str = ""
    sex: str = ""
    title: str = ""
    birth_year: int | None = None
    expires: date | None = None
    fide_id: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    birth_date: date | None = None  # in an office's own member lists; private, and written to no list
    cfc_id: str = ""
    membership: str = ""  # one of model.memberships.KINDS
    member_since: date | None = None
    canadian_resident: bool | None = None  # None: the list does not say
    records: Mapping[str, Rating] = field(default_factory=dict)  # of pools of which it says more than rating and games
    row: int = field(default=0, compare=False)  # where it stands in the file, where the reader knows it

    def record(self, pool: str) -> Rating:
        """Return everything that the list says of a rating."""
        return self.records.get(pool) or Rating(self.ratings[pool], self.games.get(pool))


class Limited:
    """Reads a stream in order, looks ahead, and refuses to go past the limit."""

    def __init__(self, file: BinaryIO, findings: list[Finding] | None = None, limit: int = limits.LIST_BYTES) -> None:
        self._file, self._left = file, limit
        self._ahead = b""
        self._findings = [] if findings is None else findings

    def peek(self, size: int = 64 * 1024) -> bytes:
        if len(self._ahead) < size:
            self._ahead += self._file.read(size - len(self._ahead))
        return self._ahead

    def read(self, size: int = -1) -> bytes:
        wanted = self._left + 1 if size < 0 else size
        data, self._ahead = self._ahead[:wanted], self._ahead[wanted:]
        if len(data) < wanted:
            data += self._file.read(wanted - len(data))
        self._left -= len(data)
        if self._left < 0:
            raise EventRejected([codes.FILE_TOO_LARGE.at("list", "it unpacks to more than the limit")])
        return data

    def lines(self) -> Iterator[bytes]:
        """By LF, CRLF or CR; a line longer than any real one ends the reading."""
        rest = b""
        blank = 0
        while chunk := self.read(1 << 18):
            *whole, rest = re.split(rb"\r\n|\n|\r(?!$)", rest + chunk)
            yield from whole
            blank += sum(not line or line.isspace() for line in whole)
            if len(rest) > limits.LIST_LINE_BYTES:
                raise EventRejected([codes.DAMAGED_FILE.at("list", "a line without end")])
            if blank > limits.LIST_BAD_ROWS:
                raise EventRejected([codes.DAMAGED_FILE.at("list", f"{blank:,} empty lines")])
        if rest:
            yield rest.rstrip(b"\r\x1a")

    def text_lines(self) -> Iterator[str]:
        """In UTF-8 where that is what it is, else as guessed from the beginning, which is said."""
        start = self.peek()
        page = encoding.decode(start[: start.rfind(b"\n") + 1] or start).encoding
        if page in ("utf-16", "utf-32"):
            yield from self._wide_lines(page)
            return
        guessed = "" if page.startswith("utf") else page
        said = False
        for number, line in enumerate(self.lines()):
            bare = line[3:] if number == 0 and line.startswith(b"\xef\xbb\xbf") else line
            try:
                yield bare.decode("utf-8").replace("\0", "")
            except UnicodeDecodeError:
                guessed = guessed or encoding.guess(bare)
                if not said:
                    said = True
                    self._findings.append(
                        codes.ENCODING_GUESSED.at(Place(line=number + 1), f"not UTF-8; read as {guessed}")
                    )
                yield bare.decode(guessed, errors="replace").replace("\0", "")

    def _wide_lines(self, page: str) -> Iterator[str]:
        """UTF-16 and UTF-32, which say so at the beginning: what spreadsheets call Unicode text."""
        decoder = codecs.getincrementaldecoder(page)(errors="replace")
        rest = ""
        while chunk := self.read(1 << 18):
            *whole, rest = re.split(r"\r\n|\n|\r(?!$)", rest + decoder.decode(chunk))
            yield from (line.replace("\0", "") for line in whole)
            if len(rest) > limits.LIST_LINE_BYTES:
                raise EventRejected([codes.DAMAGED_FILE.at("list", "a line without end")])
        if rest:
            yield rest.rstrip("\r\x1a")


def rating_of(text: str) -> tuple[float, int | None] | None:
    """`1641`, `1641/12`, `1641P12`, `1641P`, `1641*`: the rating, and the games while provisional. Nothing for 0 or
    unrated.
    """
    match = re.fullmatch(r"(-?\d{1,4}(?:\.\d{1,12})?)\*?(?:[/P](\d{1,3})?)?\*?", text.strip().upper())
    if not match or not float(match[1]):
        return None
    return float(match[1]), int(match[2]) if match[2] else None


def year_of(text: str) -> int | None:
    match = re.match(r"\d{4}", text.strip())
    return int(match[0]) if match and match[0] != "0000" else None


def ratings_of(cells: Mapping[str, str]) -> tuple[dict[str, float], dict[str, int]]:
    """Ratings and game counts of a row of `key → text`."""
    ratings: dict[str, float] = {}
    games: dict[str, int] = {}
    for key, text in cells.items():
        found = rating_of(text)
        if found:
            ratings[key] = found[0]
            if found[1] is not None:
                games[key] = found[1]
    return ratings, games
