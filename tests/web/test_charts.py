"""The drawing of a player's ratings: a circle for each event, and nothing that somebody typed gets out of its words."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from crosstable import web
from crosstable.office.players.profiles import DecidedLine
from crosstable.office.queries.history import Played
from crosstable.web.public import charts

SCRIPTS = Path(web.__file__).parent / "static" / "crosstable"


def played(name: str, day: date, pool: str, after: float) -> Played:
    return Played(1, 1, "Open", "1", name, day, pool, 1, 1500.0, 30, 4, 2.0, after, 34, 1)


def drawn(*events: Played) -> str:
    """The broad drawing's circles of a player whose main pool is the regular one."""
    page = SimpleNamespace(main=SimpleNamespace(pool="OTBR"), played=events, listed={}, set_since=None)
    chart = charts.player(page)  # type: ignore[arg-type]  # of a page the drawing asks for these four
    assert chart is not None
    return chart.drawings[0].circles


def test_every_event_has_a_circle_and_the_main_pool_lies_on_top() -> None:
    first, last = date(2024, 1, 6), date(2025, 1, 6)
    circles = drawn(
        played("A", first, "OTBR", 1510.0), played("B", last, "OTBR", 1520.0), played("C", last, "OTBQ", 1490.0)
    )
    assert re.findall(r'class="(\w+)"', circles) == ["ring", "dot", "dot"]
    assert "<title>B, 6 Jan 2025: Regular 1500 → 1520</title>" in circles


def test_the_name_of_an_event_is_escaped() -> None:
    circles = drawn(
        played("<script>", date(2024, 1, 6), "OTBR", 1510.0), played("Q & A", date(2025, 1, 6), "OTBR", 1520.0)
    )
    assert "<script>" not in circles
    assert "&lt;script&gt;" in circles
    assert "Q &amp; A" in circles


def test_the_line_ends_where_a_decision_has_set_the_rating() -> None:
    """The event gave 1546, an adjustment two days later set 1600: both the label and the sentence say 1600."""
    events = (played("A", date(2025, 1, 6), "OTBR", 1530.0), played("B", date(2025, 12, 28), "OTBR", 1546.0))
    since = DecidedLine(date(2025, 12, 30), "OTBR", "adjustment", {"rating": 1600.0}, 1546.0, 1600.0, 2)
    page = SimpleNamespace(main=SimpleNamespace(pool="OTBR"), played=events, listed={}, set_since=since)
    chart = charts.player(page)  # type: ignore[arg-type]  # of a page the drawing asks for these four
    assert chart is not None
    assert [label.text for label in chart.drawings[0].labels] == ["Live 1600"]
    assert "to 1600 on 30 December 2025" in chart.words
    assert "<title>Rating set to 1600, decided by the office, 30 Dec 2025: Regular 1546 → 1600</title>" in (
        chart.drawings[0].circles
    )
    assert json.loads(chart.data)["columns"][0] == [1530.0, 1546.0, 1600.0]


#: A rating that stays at 1500 for three days, in a band from 1400 to 1600
BANDED = {
    "days": [0, 86400, 172800],
    "columns": [[1500, 1500, 1500], [None, None, None]],
    "band": [[1600, 1600, 1600], [1400, 1400, 1400]],
    "names": ["Glicko-2"],
    "notes": {},
    "decimals": 0,
    "words": {"live": "Live", "official": "Official", "hint": ""},
}
#: The colours in the middle of the chart, from the top to the bottom
MIDDLE = """() => {
  const canvas = document.querySelector("canvas"), context = canvas.getContext("2d");
  const column = context.getImageData(Math.round(canvas.width * .4), 0, 1, canvas.height).data;
  return [...Array(canvas.height).keys()].map(y => [...column.slice(4 * y, 4 * y + 3)].join());
}"""


def test_the_line_lies_above_the_band(chromium: Any) -> None:
    page = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_content(
        "<style>:root { --accent: #ff0000; --wash: #00ff00; --ink: #000; --soft: #777; --line: #fff }</style>"
        f"<div data-chart='{json.dumps(BANDED)}'></div>"
    )
    for name in ("vendor/uplot-1.6.32.min.js", "chart.js"):
        page.add_script_tag(path=SCRIPTS / name)
    page.wait_for_selector("canvas")
    page.wait_for_timeout(100)  # it is drawn in the next frame
    colours = page.evaluate(MIDDLE)
    assert "0,255,0" in colours
    assert "255,0,0" in colours
