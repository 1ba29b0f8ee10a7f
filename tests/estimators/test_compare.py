"""`compare`: systems side by side on the games asked for."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest

import crosstable as ct
from tests.estimators.some_games import some_games


def test_compare_scores_only_the_games_asked_for() -> None:
    day, later = date(2024, 1, 1), date(2024, 2, 1)
    rows = [(day, "a", "b", 1.0), (day, "c", "d", 0.5), (later, "e", "f", 1.0), (later, "g", "h", 0.5)]
    frame = ct.compare([ct.Elo(), "glicko", ct.UsChess()], rows, test_from="2024-02-01")
    assert sorted(frame["system"]) == ["Elo()", "Glicko()", "UsChess()"]
    for row in frame.to_dicts():  # newcomers only: every expectation is one half
        assert row["games"] == 2
        assert row["log_loss"] == pytest.approx(math.log(2))
        assert row["brier"] == pytest.approx(0.125)  # (0.25 + 0) / 2
        assert row["accuracy"] == 0.5


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda rows: ct.compare([ct.Elo], rows), r"systems: found the class Elo. Write Elo\(\)"),
        (lambda rows: ct.compare(ct.Elo(), rows), "systems: expected a list"),
        (lambda rows: ct.compare("elo", rows), "systems: expected a list.*found 'elo'"),
        (lambda rows: ct.compare([], rows), "systems: the list is empty"),
        (
            lambda rows: ct.compare([ct.Elo()], rows, test_from="2030-01-01"),
            "test_from: no game is of 2030-01-01 or later; the last date is 2024-03-01",
        ),
        (
            lambda _: ct.compare([ct.Elo()], [("a", "b", 1)], test_from="2024-03-01"),
            "test_from: the games have no dates",
        ),
    ],
)
def test_compare_says_what_is_wrong(call: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue, match=says):
        call([("2024-03-01", "a", "b", 1)])


def test_compare_knows_its_systems() -> None:
    with pytest.raises(ct.UnknownSystem, match="dwz, elo, elo_mmr, fide, glicko, glicko2"):
        ct.compare(["chess960"], some_games())
