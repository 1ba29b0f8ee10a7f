"""The one way to write CSV and XLSX: no text in it becomes a formula when a spreadsheet opens it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

#: A spreadsheet would take such a cell for a formula; an apostrophe in front makes it text
ACTIVE = ("=", "+", "-", "@", "'", "\t", "\r")


def quoted(cell: str) -> str:
    """Return the text with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.startswith(ACTIVE) else cell


class Writer:
    """Rows into a text: numbers as they are, nothing for None, and text that stays text."""

    def __init__(self, out: Any, *, mark: str = ",", line_end: str = "\n") -> None:
        self._csv = csv.writer(out, delimiter=mark, lineterminator=line_end)

    def row(self, cells: Iterable[object]) -> None:
        """Write one row."""
        self._csv.writerow([quoted(cell) if isinstance(cell, str) else cell for cell in cells])

    def rows(self, rows: Iterable[Iterable[object]]) -> None:
        """Write several rows."""
        for cells in rows:
            self.row(cells)


def text(rows: Iterable[Iterable[object]], *, mark: str = ",", line_end: str = "\n") -> str:
    """Return rows as the text of a CSV file."""
    out = io.StringIO()
    Writer(out, mark=mark, line_end=line_end).rows(rows)
    return out.getvalue()


def workbook(sheets: Iterable[tuple[str, Iterable[Iterable[object]]]]) -> bytes:
    """Return an XLSX file with these sheets: the title and the rows of each."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for cells in rows:
            sheet.append([_text(sheet, cell) if isinstance(cell, str) else cell for cell in cells])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _text(sheet: Any, cell: str) -> Any:
    """Return a cell that is text, whatever it looks like: openpyxl would take #N/A for an error."""
    from openpyxl.cell import WriteOnlyCell

    if not cell.startswith("#"):
        return quoted(cell)
    made = WriteOnlyCell(sheet, cell)
    made.data_type = "s"
    return made
