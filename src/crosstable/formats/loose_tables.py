"""Tables without a delimiter: those of a web page, columns held apart by blanks, and results typed line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from lxml import etree

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, game_heads, games, grid, limits, table_cells, table_heads
from crosstable.formats.base import Reading
from crosstable.formats.grid import Grid
from crosstable.formats.registry import Content, Format
from crosstable.model import Finding

NAME = "loose-table"
_LINE_END = re.compile(r"\r\n|\r|\n")
#: `Grace Whitfield 1-0 Maya Lindqvist`, `Grace - Maya 1-0`, `Grace vs. Maya: ½-½`.
_RESULT = re.compile(r"[\s:(](1-0|0-1|½-½|1/2-1/2|0?\.5-0?\.5|1:0|0:1|½:½)\)?(?=\s|$)")
#: `Grace beat Maya`, `Grace drew with Maya`, `Grace lost to Maya`.
_TOLD = re.compile(
    r"(.+?) (?:(beat|beats|defeated|won against|won over|won vs\.?)|(drew with|drew against|drew|tied with|tied)|(lost to|lost against)) (.+?)\.?",
    re.IGNORECASE,
)
_ROUND_OR_BYE = re.compile(r"(?:round|rd|rnd)\.?\s*#?\d{1,3}\b.*|.*\bbye\b.*", re.IGNORECASE)
_BETWEEN = re.compile(r" (?:-|–|—|vs?\.?|versus|against) ", re.IGNORECASE)
_BOARD = re.compile(r"^\s*(?:(?:board|bd)\.?\s*)?\d{1,3}[.):]?\s+", re.IGNORECASE)
_RULE = re.compile(r"[\s|+=_-]*")
_WIDEST = 400  # characters of a line that people set in columns


def _read(content: Content) -> Reading:
    text = encoding.decode(content.data)
    findings: list[Finding] = list(text.findings)
    limits.check_count("lines", text.text.count("\n"), limits.LINES)
    rows = rows_of(text.text)
    if rows is None:  # its beginning looked like one
        raise EventRejected([*findings, codes.MISSING_COLUMN.at("file", "no row names the columns")])
    limits.check_count("columns", max(map(len, rows)), limits.ROUNDS + 50)
    if any(game_heads.head_of(row) for row in rows):
        return Reading(NAME, games.event_of_rows(rows, findings), tuple(findings))
    return Reading(NAME, grid.event_of([("table", rows)], findings), tuple(findings))


def rows_of(text: str) -> Grid | None:
    """The rows, if the text holds a table of players or of games."""
    if re.search(r"<table\b", text, re.IGNORECASE):
        rows = _of_page(text)
        return rows if any(table_heads.header(row) or game_heads.head_of(row) for row in rows) else None
    lines = [line.expandtabs() if len(line) <= _WIDEST else "" for line in _LINE_END.split(text)]
    return _of_columns(lines) or _of_results(lines)


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


def _of_results(lines: Sequence[str]) -> Grid | None:
    """Lines that each tell one game, under lines that number the rounds; None if most lines tell none."""
    filled = [line for line in lines if line.strip()]
    besides = sum(_ROUND_OR_BYE.fullmatch(line.strip()) is not None for line in filled)
    rows: Grid = []
    told = 0
    for line in filled:
        game = _game(line)
        if game and not told:
            rows.append(["White", "Result", "Black"])
        rows.append(game or [line.strip()])
        told += bool(game)
    return rows if told > 1 and 2 * told > len(filled) - besides else None


def _game(line: str) -> list[str] | None:
    line = " ".join(line.split())
    result = _RESULT.search(line)
    if result is None:
        return _told(line)
    white, black = _BOARD.sub("", line[: result.start()]).strip(), line[result.end() :].strip()
    if not black and len(sides := _BETWEEN.split(white)) == 2:
        white, black = sides
    return [white, result[1], black] if white and black else None


def _told(line: str) -> list[str] | None:
    """A game in a sentence: who beat whom."""
    told = _TOLD.fullmatch(_BOARD.sub("", line).strip())
    if told is None:
        bye = re.fullmatch(r"(.+?)[\s:-]+((?:\S+[\s-])?(?:point )?bye)", line, re.IGNORECASE)
        return [bye[1], "", bye[2]] if bye and table_cells.bye_of(bye[2]) else None
    return [told[1], "1-0" if told[2] else "1/2-1/2" if told[3] else "0-1", told[5]]


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
