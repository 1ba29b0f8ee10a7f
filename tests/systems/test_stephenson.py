"""Stephenson's system: Glicko as its special case, and each of its own terms by the appendix's arithmetic."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from crosstable.model import Game, Rating
from crosstable.replay import glicko as replay
from crosstable.rulebook.reform import Reform
from crosstable.systems.stephenson import SYSTEM, Stephenson
from tests.replay.test_periods import random_history, rate_all
from tests.systems.small_events import GLICKMANS_GAMES, against_all, entrants, event, glickmans_example

Q = math.log(10) / 400


def record(rating: float, deviation: float) -> Rating:
    return Rating(rating, deviation=deviation)


def with_values(**rules: dict[str, float]) -> Stephenson:
    return Stephenson(Reform("test", "stephenson", rules).apply())


AS_GLICKO = with_values(
    games={"h": 0.0},
    neighbourhood={"share": 0.0},
    ageing={"c": 15.8},
    start={"rating": 1500, "deviation": 350},
    deviation={"least": 30},
    white={"predicted": 0},
)


def test_the_manuals_defaults() -> None:
    rules = SYSTEM.rules(date(2020, 1, 1))
    assert (rules["start"]["rating"], rules["start"]["deviation"]) == (2200, 300)  # init = c(2200, 300)
    assert (rules["ageing"]["c"], rules["games"]["h"]) == (10, 10)  # cval, hval
    assert (100 * rules["bonus"]["b"], 100 * rules["neighbourhood"]["share"]) == (0, 2)  # bval, lambda
    assert rules["deviation"]["most"] == 350  # rdmax


def test_without_its_own_terms_it_is_glicko() -> None:
    """ "Glicko is obtained as a special case": so the Glicko paper's example holds, and a whole history."""
    answer = AS_GLICKO.rate(event(entrants("STEPHENSON", glickmans_example()), GLICKMANS_GAMES)).answers[0]
    assert (answer.post, answer.values["deviation"]) == pytest.approx((1464.10646, 151.39890), abs=5e-6)
    past = random_history(3)
    one, two = replay.replay(past, AS_GLICKO, predict=True), replay.replay(past, predict=True)
    assert np.allclose(one.rating, two.rating, atol=1e-9)
    assert np.allclose(one.predictions, two.predictions, atol=1e-12)


def test_one_game_by_the_appendix() -> None:
    """1500 ± 100 beats 1700 ± 50: every term of the appendix written out."""
    h, b, share = 10.0, 0.02, 0.03
    system = with_values(games={"h": h}, bonus={"b": b}, neighbourhood={"share": share})
    players = entrants("STEPHENSON", [record(1500, 100), record(1700, 50)])
    answer = system.rate(event(players, against_all(["1-0"]))).answers[0]
    k = 1 / math.sqrt(1 + 3 * Q**2 * 50**2 / math.pi**2)
    e = 1 / (1 + 10 ** (-k * (1500 - 1700) / 400))
    v = 1 / (1 / (100**2 + h**2 * 1) + Q**2 * k**2 * e * (1 - e))
    assert answer.post == pytest.approx(1500 + Q * v * k * (1 - e + b) + share * (1700 - 1500), abs=1e-9)
    assert answer.values["deviation"] == pytest.approx(math.sqrt(v), abs=1e-9)


def test_whites_advantage_counts_where_the_colours_are_known() -> None:
    equal = Rating(1500, deviation=0.01)
    assert SYSTEM.expect(equal, equal, Game(1, 1, 2, "1-0")) == pytest.approx(1 / (1 + 10 ** (-30 / 400)), abs=1e-6)
    assert SYSTEM.expect(equal, equal) == 0.5
    rated = with_values(white={"rated": 30.0})
    players = entrants("STEPHENSON", [record(1500, 100), record(1500, 100)])
    known = event(players, [Game(1, 1, 2, "1/2-1/2")])
    unknown = replace(known, sections=(replace(known.sections[0], colors=False),))
    assert rated.rate(known).answers[0].post < 1500  # White should have scored more than half
    assert rated.rate(unknown).answers[0].post == pytest.approx(1500)


@pytest.mark.parametrize("fast", [True, False])
def test_the_loop_is_the_same_as_rate(fast: bool) -> None:
    system = with_values(bonus={"b": 0.01}, white={"rated": 20.0})
    past = random_history(11)
    found = replay.replay(past, system, colours=np.ones(past.games), fast=fast)
    states = rate_all(system, past)
    for player, state in states.items():
        assert found.rating[player] == pytest.approx(state.rating, abs=1e-8)
        assert found.deviation[player] == pytest.approx(state.deviation, abs=1e-8)
