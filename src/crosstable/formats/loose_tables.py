"""Tables without a delimiter: those of a web page, columns held apart by blanks, and games told line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lxml import etree

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, game_heads, game_lines, games, grid, limits, table_heads
from crosstable.formats.base import Reading
from crosstable.formats.registry import Content, Format
from crosstable.formats.table_blocks import Grid
from crosstable.model import Finding

NAME = "loose-table"
_LINE_END = re.compile(r"\r\n|\r|\n")
_RULE = re.compile(r"[\s|+=_-]*")
_WIDEST = 400  # characters of a line that people set in columns


def _read(content: Content) -> Reading:
    text = encoding.decode(content.data)
    findings: list[Finding] = list(text.findings)
    limits.check_count("lines", text.text.count("\n"), limits.LINES)
    numbered = rows_of(text.text)
    if numbered is None:  # its beginning looked like one
        raise EventRejected([*findings, codes.MISSING_COLUMN.at("file", "no row names the columns")])
    rows = [row for _, row in numbered]
    limits.check_count("columns", max(map(len, rows)), limits.ROUNDS + 50)
    if any(game_heads.head_of(row) for row in rows):
        return Reading(NAME, games.event_of_rows(numbered, findings), tuple(findings))
    return Reading(NAME, grid.event_of([("table", rows)], findings), tuple(findings))


def rows_of(text: str) -> list[game_lines.Numbered] | None:
    """The rows with their lines, if the text holds a table of players or of games."""
    if re.search(r"<table\b", text, re.IGNORECASE):
        rows = _of_page(text)
        found = any(table_heads.header(row) or game_heads.head_of(row) for row in rows)
        return list(enumerate(rows, start=1)) if found else None
    lines = [line.expandtabs() if len(line) <= _WIDEST else "" for line in _LINE_END.split(text)]
    if columns := _of_columns(lines):
        return list(enumerate(columns, start=1))
    return game_lines.rows_of(lines)


def _of_page(text: str) -> Grid:
    """The rows of a page's tables, and its headings, each as a row."""
    rows: Grid = []
    try:
        root = etree.fromstring(text.encode("utf-8"), etree.HTMLParser(no_network=True, encoding="utf-8"))
    except (etree.XMLSyntaxError, ValueError):  # nothing in it
        return rows
    for element in root.iter("h1", "h2", "h3", "h4", "caption", "tr") if root is not None else ():
        if element.tag != "tr":
            rows.append([_shown(element)])
        elif element.find(".//table") is None:  # a table that lays out the page holds others
            rows.append([_shown(cell) for cell in element.iterchildren("td", "th")])
    return rows


def _shown(element: etree._Element) -> str:
    return encoding.clean(" ".join(map(str, element.itertext())))


def _of_columns(lines: Sequence[str]) -> Grid | None:
    """A head and rows whose columns have two blanks between them in every line."""
    rows: Grid = []
    found = False
    place = 0
    while place < len(lines):
        if not table_heads.header(re.split(r"\s{2,}", lines[place].strip())):
            rows.append([lines[place].strip()])
            place += 1
            continue
        end = next((at for at in range(place, len(lines)) if not lines[at].strip()), len(lines))
        block = [line for line in lines[place:end] if not _RULE.fullmatch(line)][: limits.PLAYERS + 1]
        edges = _edges(block)
        cells = [[line[a:b].strip() for a, b in pairwise(edges)] for line in block]
        found = found or table_heads.header(cells[0]) is not None
        rows += cells
        place = end
    return rows if found else None


def _edges(block: Sequence[str]) -> list[int]:
    """Where a column begins: behind two places that are blank in every line."""
    width = max(map(len, block))
    blank = [all(line[at : at + 1] in ("", " ") for line in block) for at in range(width)]
    begins = [at for at in range(2, width) if blank[at - 2] and blank[at - 1] and not blank[at]]
    return [0, *begins, width]


FORMATS = (
    Format(
        NAME,
        "table of a web page, table in columns, results line by line",
        (),
        looks_like=lambda content: bool(content.text) and rows_of(content.text) is not None,
        read=_read,
        marks_provisional=True,
    ),
)
