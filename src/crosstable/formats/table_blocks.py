"""The tables of a sheet: each head with the rows of players below it, and the titles of sections between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from crosstable.formats import codes, encoding
from crosstable.formats.table_facts import SECTION_LINE, note_fact
from crosstable.formats.table_heads import ColumnPlaces, header, names_apart, say_ignored, settle
from crosstable.model import Finding, Level, Place

Grid = list[list[str]]
#: A cell with a formula and no stored value. No file can hold this text.
NO_VALUE = "\0formula"
_TOTAL = re.compile(r"(?:grand |sub)?totals?[:.]?|averages?[:.]?|avg[:.]?", re.IGNORECASE)


@dataclass(slots=True)
class Block:
    facts: dict[str, str]
    columns: ColumnPlaces
    rows: list[tuple[Place, list[str], int]] = field(default_factory=list)  # where, cells, pairing number or 0
    where: Place = field(default_factory=Place)
    titles: Sequence[str] = ()
    numbers: set[int] = field(default_factory=set)
    gap: bool = False  # a blank row was passed


@dataclass(slots=True)
class _Sheet:
    """A sheet while it is read from top to bottom."""

    name: str
    grid: Grid
    event: dict[str, str]
    findings: list[Finding]
    facts: dict[str, str] = field(default_factory=dict)  # of the next table
    blocks: list[Block] = field(default_factory=list)
    current: Block | None = None  # the table in which we are

    def read(self) -> None:
        for line, cells in enumerate(self.grid, start=1):
            where = Place(sheet="" if self.name == "table" else self.name.removeprefix("sheet "), row=line)
            row = _valued(cells, self.current, where, self.findings)
            if not any(cell.strip(" :-") for cell in row) and sum("--" in cell for cell in row) > 1:
                continue  # the line under the head of a table in Markdown
            if not any(cell.strip() for cell in row):
                if self.current is not None:
                    self.current.gap = True
            elif self.current is None or not self._is_of(self.current, row, line, where):
                self._between(row, line, where)

    def _is_of(self, block: Block, row: list[str], line: int, where: Place) -> bool:
        """Whether the row belongs to the table: a player, a sum, a row that lacks its number, or a section's title."""
        below = _next_filled(self.grid, line)
        if _is_total(row, block.columns):
            self._ignore(row, where)
        elif title := _section_inside(row, block, below):
            if block.rows:
                block = Block({}, header(block.titles) or block.columns, where=where, titles=block.titles)
                self.blocks.append(block)
                self.current = block
            block.facts = {**block.facts, "section name": title}
        elif number := _player_number(row, block):
            block.rows.append((where, row, number))
            block.numbers.add(number)
            block.gap = False
        elif header(row) is None and not block.gap and not (alone(row) and header(below)):
            block.rows.append((where, row, 0))
        else:
            return False
        return True

    def _between(self, row: list[str], line: int, where: Place) -> None:
        """Read a head, or a line above one that says something about the event or the section."""
        if (columns := header(row)) is not None:
            self.current, self.facts = Block(self.facts, columns, where=where, titles=row), {}
            self.blocks.append(self.current)
            return
        self.current = None
        if note_fact(row, self.event, self.facts, first=not self.blocks):
            return
        if (
            self.blocks and alone(row) and header(_next_filled(self.grid, line))
        ):  # above the first table it may be a motto
            self.facts.setdefault("section name", alone(row))
        else:
            self._ignore(row, where)

    def _ignore(self, row: Sequence[str], where: Place) -> None:
        self.findings.append(codes.LINE_IGNORED.at(where, repr(encoding.clean(" ".join(row))[:60])))


def blocks_of(sheet: str, grid: Grid, event: dict[str, str], findings: list[Finding]) -> list[Block]:
    """Return the tables of a sheet, a block for each section. What its lines say about the event goes into `event`."""
    found = _Sheet(sheet, grid, event, findings)
    found.read()
    for block in found.blocks:
        content = [row for _, row, _ in block.rows]
        settle(block.columns, content)
        names_apart(block.columns, block.titles, content)
        findings += say_ignored(block.titles, block.columns.read(), content, block.where)
    return [part for block in found.blocks for part in _by_section(block)]


def alone(row: Sequence[str]) -> str:
    """Return what stands alone in a row; nothing if it is a number, or if there is more."""
    cells = [cell for cell in map(encoding.clean, row) if cell]
    return cells[0] if len(cells) == 1 and not cells[0].isdecimal() else ""


def _next_filled(grid: Grid, line: int) -> Sequence[str]:
    """Return the first row below that line that is not blank."""
    return next((row for row in grid[line : line + 40] if any(cell.strip() for cell in row)), ())


def _section_inside(row: Sequence[str], block: Block, after: Sequence[str]) -> str:
    """Return the title of a section that stands under the head of another: alone in its row, and below it someone
    who plays and whose number is counted anew, or a title that can be nothing else.
    """
    title = alone(row)
    if not title or not any(cell_at(after, column) for column in block.columns.rounds) or header(after):
        return ""
    number = _number(after, block.columns)
    anew = number and (not block.rows or number in block.numbers)
    return title if anew or SECTION_LINE.fullmatch(title) else ""


def _by_section(block: Block) -> list[Block]:
    """Return a block for each section that a column of the table names."""
    place = block.columns.section
    parts: dict[str, Block] = {}
    for where, row, number in block.rows:
        name = cell_at(row, place)
        if name not in parts:
            facts = {**block.facts, "section name": name} if name else block.facts
            parts[name] = replace(block, facts=facts, rows=[])
        counted = len(parts[name].rows) + 1 if number and block.columns.number is None else number
        parts[name].rows.append((where, row, counted))
    return list(parts.values()) or [block]


def _is_total(row: Sequence[str], columns: ColumnPlaces) -> bool:
    """Tell whether a row under the players adds them up, wherever the word is."""
    name = cell_at(row, columns.name)
    if _number(row, columns) or (name and not _TOTAL.fullmatch(name)):
        return False
    return any(_TOTAL.fullmatch(encoding.clean(cell)) for cell in row)


def _player_number(row: Sequence[str], block: Block) -> int:
    """Return the pairing number of a player's row; 0 if it is none.

    Below a blank row it must be a new one: another table may follow there. Where the table has no numbers the players
    are counted.
    """
    columns = block.columns
    if columns.number is None:
        counted = cell_at(row, columns.name) and not block.gap and header(row) is None
        return len(block.numbers) + 1 if counted else 0
    number = _number(row, columns)
    if number and block.gap and (number in block.numbers or not any(cell_at(row, c) for c in _telling(columns))):
        return 0
    return number


def _valued(cells: list[str], block: Block | None, where: Place, findings: list[Finding]) -> list[str]:
    """Without formulas that have no value: they are empty, and an error wherever the cell would be read."""
    if NO_VALUE not in cells:
        return cells
    places = [place for place, cell in enumerate(cells) if cell == NO_VALUE]
    row = ["" if cell == NO_VALUE else cell for cell in cells]
    if block is not None and header(row) is None:
        places = [place for place in places if place in block.columns.read()]
    if places:
        named = ", ".join(f"column {place + 1}" for place in places[:10])
        found = codes.FORMULA_WITHOUT_VALUE.at(where, f"{named}: a formula without a stored value")
        only_total = block is not None and places == [block.columns.total]  # the rounds say what it comes to
        findings.append(replace(found, level=Level.WARNING) if only_total else found)
    return row


def _telling(columns: ColumnPlaces) -> list[int]:
    return [*columns.rounds, *([columns.name] if columns.name is not None else [])]


def _number(row: Sequence[str], columns: ColumnPlaces) -> int:
    """Return the pairing number, or 0 if there is none."""
    digits = cell_at(row, columns.number).rstrip(".")
    return int(digits) if re.fullmatch(r"[0-9]{1,4}", digits) else 0


def cell_at(row: Sequence[str], place: int | None) -> str:
    return encoding.clean(row[place]) if place is not None and place < len(row) else ""
