"""Footnote 1 and readings 11: which pools a time control is rated in, by date."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable import rulebook
from crosstable.errors import UnknownPool
from crosstable.systems.us_chess import rated_in

NOW = date(2025, 8, 1)
REGULAR, QUICK, BLITZ, DUAL = ("OTBR",), ("OTBQ",), ("OTBB",), ("OTBR", "OTBQ")


def pools(control: str, on: date = NOW, mode: str = "otb") -> tuple[str, ...]:
    return rated_in(rulebook.on(on), mode, control)


@pytest.mark.clause("time_controls.blitz")
@pytest.mark.parametrize("control", ["G/5d0", "G/3+2", "G/7d3", "G/10;d0"])
@pytest.mark.parametrize("on", [date(2013, 3, 1), date(2017, 4, 24), NOW])
def test_blitz(control: str, on: date) -> None:
    assert pools(control, on) == BLITZ


@pytest.mark.clause("time_controls.quick")
@pytest.mark.parametrize("control", ["G/20+5", "G/26d3", "G/11;d0", "G/25;d4", "G/29"])
def test_quick(control: str) -> None:
    assert pools(control) == QUICK


@pytest.mark.clause("time_controls.dual")
@pytest.mark.parametrize("control", ["G/30", "G/25+5", "G/25;d5", "G/60;d5", "G/55;+10", "GAME/30", "G60 d5", "G/65"])
def test_dual(control: str) -> None:
    assert pools(control) == DUAL


@pytest.mark.clause("time_controls.regular")
@pytest.mark.parametrize("control", ["G/61;d5", "G/90;+30", "40/90,SD/30;d5", "30/90 SD/1", "40/120,SD/60;d10"])
def test_regular(control: str) -> None:
    assert pools(control) == REGULAR


@pytest.mark.clause("time_controls.online-never-dual")
def test_online() -> None:
    assert pools("G/60;d5", mode="online") == ("OLR",)
    assert pools("G/29;d0", mode="online") == ("OLQ",)
    assert pools("G/3;+2", mode="online") == ("OLB",)
    assert pools("G/60;d5", date(2020, 5, 31), "online") == ("OLQ",)
    with pytest.raises(UnknownPool):
        pools("G/61;d5", date(2020, 5, 31), "online")


@pytest.mark.clause("time_controls.rounds-in-common")
def test_rounds_with_different_controls() -> None:
    assert pools("Round 1: G/45;d5, Round 4: G/60;d5") == DUAL
    assert pools("Rounds 1-2: G/60;d5, Rounds 3-5: 40/90,SD/30;d5") == REGULAR
    with pytest.raises(UnknownPool):
        pools("Round 1: G/5;d0, Round 2: G/90;d5")


@pytest.mark.clause("time_controls.before-blitz")
@pytest.mark.parametrize(
    ("control", "on", "expected"),
    [
        ("G/10", date(2003, 12, 31), QUICK),
        ("G/5", date(2004, 1, 1), QUICK),
        ("G/10", date(2013, 2, 28), QUICK),
        ("G/10", date(2013, 3, 1), BLITZ),
        ("G/60", date(2001, 12, 31), REGULAR),
        ("G/60", date(2002, 1, 1), DUAL),
        ("G/60;d5", date(2013, 2, 28), REGULAR),
        ("G/60;d5", date(2013, 3, 1), DUAL),
        ("G/29", date(2001, 12, 31), QUICK),
    ],
)
def test_older_ranges(control: str, on: date, expected: tuple[str, ...]) -> None:
    assert pools(control, on) == expected


@pytest.mark.parametrize(("control", "on"), [("G/4;d0", NOW), ("G/9", date(2003, 12, 31)), ("G/4", date(2004, 1, 1))])
def test_too_fast_to_rate(control: str, on: date) -> None:
    with pytest.raises(UnknownPool):
        pools(control, on)
