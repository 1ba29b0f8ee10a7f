"""The ladder and the pairing sheet, a page each; on the poster page, and as one file to print anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.template import Context, Engine

from crosstable.club import clubs, evening, ladder, shown
from crosstable.systems.st_charles import StCharles

HERE = Path(__file__).parent
#: So many lines at most stand in a column of the ladder; with more children it has more columns
LONGEST_COLUMN = 34
#: Up to so many lines → the class of the sheet
SIZES = ((14, "s1"), (24, "s2"), (10**6, "s3"))
STYLE = HERE.parent / "static" / "crosstable" / "site.css"


def content() -> dict[str, Any]:
    """Return what both sheets say."""
    night, system = evening.latest(), clubs.system()
    tonight = shown.tonight(night) if night else None
    rules = system.latest if isinstance(system, StCharles) else None
    start = rules["start"]["rating"] if rules and "start" in rules else None
    rungs = ladder.ladder()
    height = -(-len(rungs) // max(1, -(-len(rungs) // LONGEST_COLUMN)))
    columns = [rungs[first : first + height] for first in range(0, len(rungs), max(1, height))]
    boards = len(tonight.boards) if tonight else 0
    return {
        "club": clubs.name(),
        "night": night,
        "tonight": tonight,
        "columns": columns,
        "start": start,
        "when": ladder.when(),
        "ladder_size": _size(height if len(columns) < 2 else LONGEST_COLUMN),
        "boards_size": _size(boards),
    }


def _size(rows: int) -> str:
    """How large a table is printed, so that it fits a page."""
    return next(size for most, size in SIZES if rows <= most)


def whole_page() -> str:
    """Return a page that needs no server: the stylesheet is in it."""
    engine = Engine(
        dirs=[str(HERE / "templates")],
        libraries={"words": "crosstable.web.templatetags.words", "i18n": "django.templatetags.i18n"},
        autoescape=True,
    )
    style = STYLE.read_text(encoding="utf-8").partition("}")[2]  # without the font, which is a file
    given = {**content(), "style": style.replace("</", "<\\/")}
    return engine.get_template("club/poster_file.html").render(Context(given))
