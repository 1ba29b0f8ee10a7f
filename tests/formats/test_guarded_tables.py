"""One writer of CSV and XLSX for the whole package, and no text in what it writes becomes a formula."""

from __future__ import annotations

import io
import re
from pathlib import Path

from openpyxl import load_workbook

import crosstable
from crosstable.formats import guarded_tables

FOLDER = Path(crosstable.__file__).parent


def test_text_is_guarded_and_numbers_are_not() -> None:
    rows = [("name", "change"), ("=HYPERLINK(1)", -12.5), ("+1", None), ("@a", 0), ("-b", 3), ("plain, text", "")]
    assert guarded_tables.text(rows).splitlines() == [
        "name,change",
        "'=HYPERLINK(1),-12.5",
        "'+1,",
        "'@a,0",
        "'-b,3",
        '"plain, text",',
    ]


def test_a_workbook_holds_text_as_text() -> None:
    data = guarded_tables.workbook([("One", [["=1+1", "#N/A", "Ann", 7, None]]), ("Two", [])])
    book = load_workbook(io.BytesIO(data))
    assert book.sheetnames == ["One", "Two"]
    cells = book["One"][1][:4]
    assert [cell.value for cell in cells] == ["'=1+1", "#N/A", "Ann", 7]
    assert [cell.data_type for cell in cells] == ["s", "s", "s", "n"]


#: Modules that write such files and are read by programs alone, or hold numbers only
NO_NAMES = {
    "formats/guarded_tables.py": "the one that guards",
    "formats/rating_lists/__init__.py": "a workbook as text in memory, read at once",
    "lab/own.py": "numbers of games",
    "lab/report/page.py": "numbers of a report",
    "office/rating/run.py": "the text behind a hash",
    "office/storage/bulk.py": "rows for PostgreSQL's COPY",
}


def test_one_module_writes_csv_and_workbooks() -> None:
    """It keeps names from becoming formulas in a spreadsheet."""
    writers = re.compile(r"csv\.(?:writer|DictWriter)|\.write_csv\(|\bWorkbook\(|\.write_excel\(")
    found = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.py") if writers.search(path.read_text("utf-8"))}
    assert found == NO_NAMES.keys()
