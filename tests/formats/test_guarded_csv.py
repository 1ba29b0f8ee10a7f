"""One writer of CSV for the whole package, and no text in what it writes becomes a formula."""

from __future__ import annotations

from pathlib import Path

import crosstable
from crosstable.formats import guarded_csv

#: Between two readers of our own; no spreadsheet opens it
INTERNAL = {"formats/rating_lists/__init__.py"}


def test_text_is_guarded_and_numbers_are_not() -> None:
    rows = [("name", "change"), ("=HYPERLINK(1)", -12.5), ("+1", None), ("@a", 0), ("-b", 3), ("plain, text", "")]
    assert guarded_csv.text(rows).splitlines() == [
        "name,change",
        "'=HYPERLINK(1),-12.5",
        "'+1,",
        "'@a,0",
        "'-b,3",
        '"plain, text",',
    ]


def test_nothing_else_writes_csv() -> None:
    folder = Path(crosstable.__file__).parent
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if "csv.writer(" in path.read_text()}
    assert found - INTERNAL == {"formats/guarded_csv.py"}
