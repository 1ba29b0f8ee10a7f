"""CSV, TSV and XLSX crosstables. Nothing in a cell is ever executed, and nothing that we write can be."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import warnings
from collections.abc import Sequence
from datetime import date, datetime

from crosstable.errors import EventRejected
from crosstable.formats import archive, codes, encoding, grid, limits, losses
from crosstable.formats.base import Reading, Written
from crosstable.formats.grid import Grid
from crosstable.model import Event, Finding

CSV, TSV, XLSX = "csv", "tsv", "xlsx"
_DELIMITERS = ("\t", ",", ";", "|")
#: A spreadsheet would take such a cell for a formula; an apostrophe in front makes it text, and comes off again.
_ACTIVE = ("=", "+", "-", "@", "'", "\t", "\r")
_ENTITIES = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def quoted(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_ACTIVE) else cell


def unquoted(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:2] in _ACTIVE and len(cell) > 1 else cell


def looks_like_xlsx(names: Sequence[str]) -> bool:
    return "[Content_Types].xml" in names and any(name.startswith("xl/") for name in names)


def delimiter(text: str) -> str | None:
    """The delimiter under which some row of the beginning is the head of a crosstable."""
    lines = re.split(r"\r\n|\r|\n", text[:100_000])[:400]
    for mark in _DELIMITERS:
        if any(grid.header([unquoted(cell) for cell in row]) for row in _rows(lines, mark)):
            return mark
    return None


def _rows(lines: Sequence[str], mark: str) -> Grid:
    try:
        return list(csv.reader(lines, delimiter=mark))
    except csv.Error:
        return []


def read_delimited(data: bytes) -> Reading:
    text = encoding.decode(data)
    limits.check_count("lines", text.text.count("\n") + text.text.count("\r"), 2 * limits.LINES)
    mark = delimiter(text.text) or ","
    findings = list(text.findings)
    try:
        rows = list(csv.reader(io.StringIO(text.text, newline=""), delimiter=mark))
    except csv.Error as error:
        raise EventRejected([*findings, codes.DAMAGED_FILE.at("file", f"not {mark!r}-separated: {error}")]) from error
    cells = [[unquoted(cell) for cell in row] for row in rows]
    event = grid.event_of([("table", cells)], findings)
    return Reading(TSV if mark == "\t" else CSV, event, tuple(findings))


def read_xlsx(data: bytes) -> Reading:
    members = archive.unpack(data)
    parts = ("xl/worksheets/", "xl/sharedStrings", "xl/styles", "xl/workbook")
    size = sum(len(content) for name, content in members.items() if name.startswith(parts))
    limits.check_count("bytes of sheets and strings", size, limits.SHEET_BYTES)
    for name, content in members.items():
        if _ENTITIES.search(content.replace(b"\0", b"")):
            raise EventRejected([codes.XML_REFUSED.at(name, "a document type or entity declaration")])
    findings: list[Finding] = []
    event = grid.event_of(_sheets(data, findings), findings)
    return Reading(XLSX, event, tuple(findings))


def _sheets(data: bytes, findings: list[Finding]) -> list[tuple[str, Grid]]:
    from openpyxl import load_workbook

    sheets: list[tuple[str, Grid]] = []
    try:
        # openpyxl's remarks about styles, some of them printed, say nothing about the event
        with warnings.catch_warnings(action="ignore"), contextlib.redirect_stdout(io.StringIO()):
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            for sheet in book.worksheets:
                cells = sheet.iter_rows(max_row=limits.LINES, max_col=limits.ROUNDS + 50, values_only=True)
                rows = _trimmed([_row(row) for row in cells])
                if any(grid.header(row) for row in rows):
                    sheets.append((f"sheet {encoding.clean(sheet.title)}", rows))
    except EventRejected:
        raise
    except (
        Exception
    ) as error:  # openpyxl raises whatever the damaged XML makes of it: KeyError, ValueError, TypeError …
        message = f"not a readable workbook: {type(error).__name__}"
        raise EventRejected([*findings, codes.DAMAGED_FILE.at("file", message)]) from error
    return sheets


def _row(values: Sequence[object]) -> list[str]:
    """Without the empty cells at its end."""
    last = max((place for place, value in enumerate(values, start=1) if value is not None), default=0)
    return [unquoted(_text(value)) for value in values[:last]]


def _trimmed(rows: Grid) -> Grid:
    """Without the empty rows that a sheet's styles stretch to the bottom."""
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value)


def write_delimited(event: Event, name: str) -> Written:
    kept = grid.held(event)
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter="\t" if name == TSV else ",", lineterminator="\n")
    for place, (_, rows) in enumerate(grid.grids_of(kept)):
        if place:
            writer.writerow([])
        writer.writerows([[quoted(cell) for cell in row] for row in rows])
    return Written(buffer.getvalue().encode("utf-8"), losses.between(event, kept))


def write_xlsx(event: Event) -> Written:
    from openpyxl import Workbook

    kept = grid.held(event)
    book = Workbook()
    book.remove(book.worksheets[0])
    for place, (title, rows) in enumerate(grid.grids_of(kept), start=1):
        plain = re.sub(r"[^\w ]", "", title)
        sheet = book.create_sheet(f"{place} {plain}"[:31].strip())
        for line, row in enumerate(rows, start=1):
            for column, text in enumerate(row, start=1):
                cell = sheet.cell(line, column)
                cell.value = quoted(text)
                cell.data_type = "s"  # text, whatever it looks like
    if not kept.sections:
        book.create_sheet("empty")
    buffer = io.BytesIO()
    book.save(buffer)
    return Written(buffer.getvalue(), losses.between(event, kept))
