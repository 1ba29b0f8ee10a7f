"""Tables without a delimiter: those of a web page, columns held apart by blanks, and games told line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import pairwise

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, game_heads, game_lines, games, grid, limits, table_cells, table_heads
from crosstable.formats.base import Reading
from crosstable.formats.registry import Content, Format
from crosstable.formats.table_blocks import Grid
from crosstable.model import Finding

NAME = "loose-table"
_LINE_END = re.compile(r"\r\n|\r|\n")
_RULE = re.compile(r"[\s|+=_-]*")
_ROUND_WORDS = "rnd|rd|round"
_ROUND_WORD = re.compile(_ROUND_WORDS, re.IGNORECASE)
_ROUND_AND_NUMBER = re.compile(rf"\b({_ROUND_WORDS})\s+(?=\d)", re.IGNORECASE)
_HEADINGS = ("h1", "h2", "h3", "h4", "caption")
_CELLS = ("td", "th")
_SILENT = ("script", "style")
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
    """Return the rows with their lines, if the text holds a table of players or of games."""
    if re.search(r"<table\b", text, re.IGNORECASE):
        rows = _of_page(text)
        found = any(table_heads.header(row) or game_heads.head_of(row) for row in rows)
        return list(enumerate(rows, start=1)) if found else None
    lines = [line.expandtabs() if len(line) <= _WIDEST else "" for line in _LINE_END.split(text)]
    if columns := _of_columns(lines):
        return list(enumerate(columns, start=1))
    return game_lines.rows_of(lines)


def _of_page(text: str) -> Grid:
    """Return the rows of a page's tables, and its headings, each as a row."""
    page = _Page()
    page.feed(text)
    page.close()
    return [row.cells for row in page.rows if not row.lays_out]


class _Row:
    """A row of a page: its cells, and whether it only lays out the page and holds other tables."""

    def __init__(self) -> None:
        self.cells: list[str] = []
        self.lays_out = False


class _Page(HTMLParser):
    """Collects the rows of tables, and the headings. Ends of cells and rows may be missing, as browsers allow."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[_Row] = []
        self.open: list[_Row | None] = []  # the row of each table that has begun, the innermost last
        self.words: list[str] | None = None  # of the cell or heading that is being read
        self.heading = False
        self.silent = 0  # inside a script or a style

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  its parser
        if tag in _SILENT:
            self.silent += 1
        elif tag == "table":
            self._end_cell()
            for row in filter(None, self.open):
                row.lays_out = True
            self.open.append(None)
        elif tag == "tr":
            self._end_cell()
            row = _Row()
            self.rows.append(row)
            self.open[-1:] = [row]
        elif tag in _HEADINGS or (tag in _CELLS and self.open and self.open[-1]):
            self._end_cell()
            self.words, self.heading = [], tag in _HEADINGS
            if self.heading:
                self.rows.append(_Row())

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag in _HEADINGS or tag in _CELLS or tag in ("tr", "table"):
            self._end_cell()
            if tag == "table" and self.open:
                self.open.pop()
            elif tag == "tr" and self.open:
                self.open[-1] = None

    def handle_data(self, data: str) -> None:
        if self.words is not None and not self.silent:
            self.words.append(data)

    def close(self) -> None:
        super().close()
        self._end_cell()

    def _end_cell(self) -> None:
        if self.words is not None:
            row = self.rows[-1] if self.heading else self.open[-1] if self.open else None
            if row is not None:
                row.cells.append(encoding.clean(" ".join(self.words)))
        self.words = None


def _of_columns(lines: Sequence[str]) -> Grid | None:
    """Heads, each with rows whose columns are held apart by blanks, or by bars and blanks."""
    plain = [line.replace("|", " ") for line in lines]
    rows: Grid = []
    found = False
    place = 0
    while place < len(lines):
        if not _is_head(plain[place]):
            rows.append([lines[place].strip()])
            place += 1
            continue
        # a blank line may stand between the head and the players
        first = next((at for at in range(place + 1, len(lines)) if not _RULE.fullmatch(plain[at])), len(lines))
        end = next((at for at in range(first, len(lines)) if not lines[at].strip()), len(lines))
        block = [line for line in plain[place:end] if not _RULE.fullmatch(line)][: limits.PLAYERS + 1]
        cells = _split(block)
        found = found or table_heads.header(cells[0]) is not None
        rows += [[]] * (end - place - len(block)) + cells  # so that a row's number is that of its line
        place = end
    return rows if found else None


def _is_head(line: str) -> bool:
    """Whether a line is the head of a table, with two blanks between its titles or only one."""
    if table_heads.header(re.split(r"\s{2,}", line.strip())) is not None:
        return True
    if not table_heads.titles_a_name(line.split()):
        return False
    words = _ROUND_AND_NUMBER.sub(r"\1", line).split()
    close = table_heads.header(words)
    return close is not None and close.name is not None and len(close.rounds) > 1


def _split(block: Sequence[str]) -> Grid:
    """Return the cells of a head and its rows.

    Where one blank is enough between columns, names and cells like `W  4` must stay whole: of the ways to put them
    together the one that leaves the fewest cells unreadable.
    """
    ways = [_cut(block, _edges(block, 2))]
    if _unread(ways[0]):
        narrow = _cut(block, _edges(block, 1))
        ways += [_joined(narrow, rightward=False), _joined(narrow, rightward=True)]
    return min(ways, key=_unread)


def _cut(block: Sequence[str], edges: Sequence[int]) -> Grid:
    return [[line[a:b].strip() for a, b in pairwise(edges)] for line in block]


def _edges(block: Sequence[str], gap: int) -> list[int]:
    """Where a column begins: behind so many places that are blank in every line."""
    width = max(map(len, block))
    blank = [all(line[at : at + 1] in ("", " ") for line in block) for at in range(width)]
    begins = [at for at in range(gap, width) if all(blank[at - gap : at]) and not blank[at]]
    return [0, *begins, width]


def _joined(cells: Grid, *, rightward: bool) -> Grid:
    """Columns without a title of their own go to the one on their left; before a round's, if asked, to that."""
    titles = cells[0]
    groups: list[list[int]] = []
    waiting: list[int] = []
    for place, title in enumerate(titles):
        after = next((one for one in titles[place + 1 :] if one), "")
        number_of_round = groups and title.isdecimal() and _ROUND_WORD.fullmatch(titles[groups[-1][-1]])
        if not title and rightward and table_heads.has_rounds([after, after]):
            waiting.append(place)
        elif groups and (not title or number_of_round):
            groups[-1].append(place)
        else:
            groups.append([*waiting, place])
            waiting = []
    return [[" ".join(filter(None, (row[at] for at in group))) for group in groups] for row in cells]


def _unread(cells: Grid) -> int:
    """How many cells of rounds no one can read; all of them, where the head has no rounds."""
    columns = table_heads.header(cells[0])
    if columns is None or not columns.rounds:
        return sum(map(len, cells))
    texts = [row[at] for row in cells[1:] for at in columns.rounds]
    style = table_cells.style_of(texts, {})
    return sum(not table_cells.is_cell(text, style) for text in texts)


def _looks_like(content: Content) -> bool:
    return bool(content.text) and rows_of(content.text) is not None


_TITLE = "table of a web page, table in columns, results line by line"
FORMATS = (Format(NAME, _TITLE, (), _looks_like, _read, marks_provisional=True),)
