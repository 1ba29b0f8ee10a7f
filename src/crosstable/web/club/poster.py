"""The ladder and the pairing sheet, a page each; on the poster page, and as one file to print anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.template import Context, Engine

from crosstable.club import clubs, evening, ladder, shown
from crosstable.systems.st_charles import StCharles

HERE = Path(__file__).parent
STYLE = HERE.parent / "static" / "crosstable" / "site.css"


def content() -> dict[str, Any]:
    """What both sheets say."""
    night, system = evening.latest(), clubs.system()
    tonight = shown.tonight(night) if night else None
    rules = system.latest if isinstance(system, StCharles) else None
    start = rules["start"]["rating"] if rules and "start" in rules else None
    rungs = ladder.ladder()
    return {"club": clubs.name(), "night": night, "tonight": tonight, "ladder": rungs, "start": start,
            "crowded": len(rungs) > 34, "many": len(rungs) > 20}  # fmt: skip


def whole_page() -> str:
    """A page that needs no server: the stylesheet is in it."""
    engine = Engine(
        dirs=[str(HERE / "templates")], libraries={"words": "crosstable.web.templatetags.words"}, autoescape=True
    )
    style = STYLE.read_text(encoding="utf-8").partition("}")[2]  # without the font, which is a file
    given = {**content(), "style": style.replace("</", "<\\/")}
    return engine.get_template("club/poster_file.html").render(Context(given))
