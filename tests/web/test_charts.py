"""The drawing of a player's ratings: a circle for each event, and nothing that somebody typed gets out of its words."""

from __future__ import annotations

import json
import re
from datetime import date
from types import SimpleNamespace

from crosstable.office.players.profiles import DecidedLine
from crosstable.office.queries.history import Played
from crosstable.web.public import charts


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
