"""The drawing of a player's ratings: a circle for each event, and nothing that somebody typed gets out of its words."""

from __future__ import annotations

import re
from datetime import date
from types import SimpleNamespace

from crosstable.office.reading.history import Played
from crosstable.web.public import charts


def played(name: str, day: date, pool: str, after: float) -> Played:
    return Played(1, 1, "Open", "1", name, day, pool, 1, 1500.0, 30, 4, 2.0, after, 34, 1)


def drawn(*events: Played) -> str:
    """The broad drawing's circles of a player whose main pool is the regular one."""
    page = SimpleNamespace(main=SimpleNamespace(pool="OTBR"), played=events, listed={})
    chart = charts.player(page)  # type: ignore[arg-type]  # of a page the drawing asks for these three
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
