"""The FIDE list: fixed-width text, read by its header line, and XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, limits
from crosstable.formats.rating_lists.base import Limited, ListedPlayer, ratings_of, year_of
from crosstable.formats.rating_lists.rows import RowReader

_HEADING = re.compile(r"ID Number|Titl(?=Fed)|Games(?=Born)|\S+", re.IGNORECASE)
_NUMERIC = re.compile(r"\s*+\d*+\s*+")
#: Heading → our field; a month such as OCT26 heads the rating of a single list.
_RATING_HEADS = {"SRtng": "FIDE", "RRtng": "FIDE_RAPID", "BRtng": "FIDE_BLITZ"}
_MONTH = re.compile(r"[A-Za-z]{3}\d\d")
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"
#: What the lists until 2012 called the same columns: `ID number Name TitlFed Mar11 GamesBorn Flag`.
_OLD_HEADS = {"ID number": "ID Number", "Titl": "Tit", "Games": "Gms", "Born": "B-day"}
_READ = frozenset(("ID Number", "Name", "Fed", "Sex", "Tit", "WTit", "B-day", "Flag", "SGm", "RGm", "BGm", "Gms"))
_GAMES_HEADS = {"SGm": "FIDE", "RGm": "FIDE_RAPID", "BGm": "FIDE_BLITZ", "Gms": "FIDE"}

_XML_READ = frozenset(
    [
        "fideid",
        "name",
        "country",
        "sex",
        "title",
        "w_title",
        "birthday",
        "flag",
        "rating",
        "games",
        "rapid_rating",
        "rapid_games",
        "blitz_rating",
        "blitz_games",
    ]
)
_XML_NAMED = 40  # elements that are named as not used


def looks_like_text(head: bytes) -> bool:
    return re.match(rb"(?:\xef\xbb\xbf)?ID Number\s+Name\s+(?:Titl)?Fed\b", head, re.IGNORECASE) is not None


def month_of(head: bytes) -> date | None:
    """Return the first day of the month that heads the ratings of a single list: `OCT26`, `Mar11`."""
    first = encoding.decode(head).text.lstrip("\ufeff").partition("\n")[0]
    for name, _, _ in _columns(first):
        month = _MONTHS.find(name[:3].lower())
        if _MONTH.fullmatch(name) and month >= 0 and month % 3 == 0:
            return date(2000 + int(name[3:]), month // 3 + 1, 1)
    return None


def looks_like_xml(head: bytes) -> bool:
    start = head[:4096].lstrip(b"\xef\xbb\xbf \r\n\t")
    return start.startswith(b"<") and b"<player" in head and (b"fideid" in head or b"<playerslist" in head)


def read_text(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    lines = stream.text_lines()
    columns = _columns(next(lines, ""))
    rows.not_used(name for name, _, _ in columns if name not in _READ and not _is_rating(name))
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        values = _values(line, columns)
        if values is None:
            rows.skip(number, line)
        else:
            yield _player(values)


def _columns(header: str) -> list[tuple[str, int, int]]:
    found = list(_HEADING.finditer(header))
    ends = [match.start() for match in found[1:]] + [10_000]
    names = [_OLD_HEADS.get(match[0], match[0]) for match in found]
    return [(name, match.start(), end) for name, match, end in zip(names, found, ends, strict=True)]


def _values(line: str, columns: list[tuple[str, int, int]]) -> dict[str, str] | None:
    """By the header's columns. A long list of other titles pushes the rest to the right by one or two."""
    for shift in (0, 1, 2):
        values = {}
        after_titles = False
        for name, start, end in columns:
            moved = shift if after_titles else 0
            until = shift if after_titles or name == "OTit" else 0
            values[name] = encoding.clean(line[start + moved : end + until])
            after_titles = after_titles or name == "OTit"
        numbers = [v for name, v in values.items() if _is_rating(name) or name in _GAMES_HEADS or name == "B-day"]
        if values.get("ID Number", "").isdecimal() and all(_NUMERIC.fullmatch(text) for text in numbers):
            return values
    return None


def _is_rating(name: str) -> bool:
    return name in _RATING_HEADS or _MONTH.fullmatch(name) is not None


def _player(values: dict[str, str]) -> ListedPlayer:
    cells = {_RATING_HEADS.get(name, "FIDE"): text for name, text in values.items() if _is_rating(name)}
    ratings, _ = ratings_of(cells)
    games = {key: int(values[name]) for name, key in _GAMES_HEADS.items() if values.get(name) and key in ratings}
    flag = {"flag": values["Flag"]} if values.get("Flag") else {}
    return ListedPlayer(
        id=values["ID Number"],
        name=values.get("Name", ""),
        ratings=ratings,
        games=games,
        state="",
        country=values.get("Fed", ""),
        sex=values.get("Sex", ""),
        title=values.get("Tit", "") or values.get("WTit", ""),
        birth_year=year_of(values.get("B-day", "")),
        expires=None,
        fide_id=values["ID Number"],
        notes=flag,
    )


class _Gapless:
    """A stream in which a player ends often enough: what stands between players is held in memory until the next
    one.
    """

    def __init__(self, stream: Limited) -> None:
        self._stream, self.since = stream, 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.since += len(data)
        if self.since > limits.LIST_GAP_BYTES:
            raise EventRejected([codes.XML_REFUSED.at("list", f"{self.since:,} bytes without a player")])
        return data


def _forget(element: Any) -> None:
    """Forget what was read, and everything before it, also beside the elements around it."""
    element.clear()
    for one in (element, *element.iterancestors()):
        around = one.getparent()
        while around is not None and one.getprevious() is not None:
            del around[0]


def read_xml(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    """Element by element, each forgotten once read. Entities are not resolved; a document type is refused."""
    from lxml import etree

    settings: dict[str, Any] = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    number = 0
    source = _Gapless(stream)
    try:
        elements = etree.iterparse(source, events=("end",), tag="player", **settings)
        for _, element in elements:
            if number == 0:
                _refuse_doctype(element)
            number += 1
            source.since = 0
            values = {str(child.tag): encoding.clean(str(child.text or "")) for child in element}
            _forget(element)
            if values.keys() - _XML_READ:
                rows.not_used(name for name in values if name not in _XML_READ and len(rows.passed_over) < _XML_NAMED)
            if values.get("fideid", "").isdecimal():
                yield _xml_player(values)
            else:
                rows.skip(number, " ".join(values.values()))
        if number == 0 and elements.root is not None:
            _refuse_doctype(elements.root)
    except etree.XMLSyntaxError as error:
        raise EventRejected([codes.XML_REFUSED.at("list", str(error))]) from error


def _refuse_doctype(element: Any) -> None:
    if element.getroottree().docinfo.doctype:
        raise EventRejected([codes.XML_REFUSED.at("list", "a document type declaration")])


def _xml_player(values: dict[str, str]) -> ListedPlayer:
    names = {"FIDE": "rating", "FIDE_RAPID": "rapid_rating", "FIDE_BLITZ": "blitz_rating"}
    counts = {"FIDE": "games", "FIDE_RAPID": "rapid_games", "FIDE_BLITZ": "blitz_games"}
    ratings, _ = ratings_of({key: values.get(name, "") for key, name in names.items()})
    games = {
        key: int(values[name][:6])
        for key, name in counts.items()
        if key in ratings and values.get(name, "").isdecimal()
    }
    flag = {"flag": values["flag"]} if values.get("flag") else {}
    return ListedPlayer(
        id=values["fideid"],
        name=values.get("name", ""),
        ratings=ratings,
        games=games,
        state="",
        country=values.get("country", ""),
        sex=values.get("sex", ""),
        title=values.get("title", "") or values.get("w_title", ""),
        birth_year=year_of(values.get("birthday", "")),
        expires=None,
        fide_id=values["fideid"],
        notes=flag,
    )
