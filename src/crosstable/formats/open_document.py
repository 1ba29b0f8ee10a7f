"""OpenDocument spreadsheets (.ods), as LibreOffice and Google Sheets save them: the rows of their sheets as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, limits
from crosstable.formats.table_blocks import NO_VALUE, Grid

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_PARAGRAPH = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_CONTENT = "content.xml"
#: A document type could name other files, or entities that grow without end. No spreadsheet needs one.
_DOCUMENT_TYPE = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)


def sheets(members: Mapping[str, bytes], most: int, columns: int) -> list[tuple[str, Grid]]:
    """Title and rows of each sheet, of each at most so many rows and columns."""
    content = members.get(_CONTENT, b"")
    limits.check_count("bytes of sheets", len(content), limits.SHEET_BYTES)
    if _DOCUMENT_TYPE.search(content):
        raise EventRejected([codes.DAMAGED_FILE.at(_CONTENT, "a spreadsheet has no document type")])
    try:
        root = ElementTree.fromstring(content)  # noqa: S314  without a document type nothing is expanded
    except (ElementTree.ParseError, ValueError, LookupError) as error:  # also an encoding that is not known
        raise EventRejected([codes.DAMAGED_FILE.at(_CONTENT, "not a readable spreadsheet")]) from error
    found = []
    for table in root.iter(f"{_TABLE}table"):
        title = encoding.clean(table.get(f"{_TABLE}name", ""))
        found.append((f"sheet {title}", _rows(table, most, columns)))
        limits.check_count("rows", sum(len(rows) for _, rows in found), limits.SHEET_ROWS, "workbook")
    return found


def _rows(table: ElementTree.Element, most: int, columns: int) -> Grid:
    """Return the rows: one that is repeated is there as often, without the empty ones at the end."""
    rows: Grid = []
    empty = filled = 0
    for row in table.iter(f"{_TABLE}table-row"):
        times = min(_times(row, "rows"), most)
        cells = _cells(row, columns)
        if not any(cells):
            empty += times
            continue
        rows += [[]] * min(empty, most - len(rows))
        times = min(times, most - len(rows))
        filled += times * len(cells)
        limits.check_count("cells", filled, limits.CELLS, "workbook")
        rows += [list(cells) for _ in range(times)]
        empty = 0
    return rows


def _cells(row: ElementTree.Element, columns: int) -> list[str]:
    cells: list[str] = []
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        text = _text(cell)
        times = min(_times(cell, "columns"), columns - len(cells))
        cells += [text] * times
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _times(element: ElementTree.Element, what: str) -> int:
    text = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1


def _text(cell: ElementTree.Element) -> str:
    """Numbers and dates by their value, whatever the sheet shows of them; comments are not read."""
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind == "float" and _is_number(value := cell.get(f"{_OFFICE}value", "")):
        return f"{float(value):.12g}"
    if kind == "date":
        return cell.get(f"{_OFFICE}date-value", "")[:10]
    text = "\n".join("".join(paragraph.itertext()) for paragraph in cell.findall(_PARAGRAPH))
    return NO_VALUE if not text and not kind and cell.get(f"{_TABLE}formula") else text


def _is_number(text: str) -> bool:
    try:
        return abs(float(text)) < 1e15
    except ValueError:
        return False
