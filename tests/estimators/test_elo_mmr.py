"""Elo-MMR: as the authors' program has it, and the paper's equations by hand."""

from __future__ import annotations

import math

import pytest

import crosstable as ct
from tests.estimators.some_games import some_games

#: mu and sigma after the decided games of six days, by Elo-MMR-Py 2.0.0 (the authors' Rust program, system "mmr", which
#: leaves out contests in which all tie). Its weight_limit of 0.2 and sig_limit of 80 are beta = 80 √(1 + 1/0.2).
AFTER = {
    "p00": (1517.32094403745, 82.99401514992178),
    "p01": (1539.341938045142, 100.42227271127865),
    "p02": (1490.1504558239278, 82.069129550162),
    "p03": (1335.8772706763734, 86.31940749947698),
    "p04": (1348.0203502918241, 93.64463797460755),
    "p05": (1605.0023236706072, 93.64463797460755),
    "p06": (1460.1781068408081, 82.99401514992178),
    "p07": (1475.8221184276078, 89.24627051468501),
    "p08": (1330.9970901506176, 100.42227271127865),
    "p09": (1362.5179741116697, 111.33874326595652),
}


def test_it_rates_as_the_authors_program() -> None:
    rows = [row for row in some_games(days=6) if row[3] != 0.5]
    fitted = ct.EloMMR(beta=80 * math.sqrt(6)).fit(rows)
    found = {row["player"]: (row["rating"], row["deviation"]) for row in fitted.ratings.to_dicts()}
    assert found.keys() == AFTER.keys()
    for who, expected in AFTER.items():
        assert found[who] == pytest.approx(expected, abs=1e-6)


def test_a_draw_by_hand() -> None:
    """A second game, a draw of the winner (about 1629, known better) with a newcomer.

    p is where tanh((p - a)/2A)/A + tanh((p - b)/2B)/B = 0: both ties count twice, so the factor cancels.
    """
    scale, limit = math.sqrt(3) / math.pi, 80.0
    beta = limit * math.sqrt(6)
    estimator = ct.EloMMR(beta=beta)
    first = dict(estimator.fit([("a", "b", 1)]).ratings.select("player", "rating").rows())["a"]
    drift = 0.2 * limit**2
    width_a = math.sqrt(1 / (1 / (350**2 + drift) + 1 / beta**2) + drift + beta**2)
    width_c = math.sqrt(350**2 + drift + beta**2)

    def balance(p: float) -> float:
        own = math.tanh((p - first) / (2 * scale * width_a)) / width_a
        return own + math.tanh((p - 1500) / (2 * scale * width_c)) / width_c

    low, high = 1500.0, first
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if balance(middle) > 0 else (middle, high)
    # the newcomer's rating: (x - 1500)/(350² + drift) + tanh((x - p)/(2 s beta))/(s beta) = 0
    after = dict(estimator.fit([("a", "b", 1), ("a", "c", 0.5)]).ratings.select("player", "rating").rows())["c"]
    pull = math.tanh((after - low) / (2 * scale * beta)) / (scale * beta)
    assert (after - 1500) / (350**2 + drift) + pull == pytest.approx(0, abs=1e-12)


def test_the_deviation_tends_to_its_limit() -> None:
    rows = [("a", "b", score) for score in (1, 0, 0.5) * 60]
    fitted = ct.EloMMR(limit=60).fit(rows)
    assert fitted.state.deviation == pytest.approx([60, 60], abs=1e-6)


def test_few_remembered_performances_make_no_difference() -> None:
    """180 games, of which the last 30 are kept one by one: the same to a thousandth as with all of them."""
    from crosstable.estimators.games import GameColumns, read_games
    from crosstable.replay import elo_mmr

    history = read_games([("a", "b", score) for score in (1, 1, 0.5, 0) * 45], GameColumns()).periods()
    numbers = elo_mmr.numbers_of(200.0, 80.0, 1.0)
    few, every = (elo_mmr.replay(history, numbers, (1500.0, 350.0), kept)[0] for kept in (30, 1000))
    assert few.rating == pytest.approx(every.rating, abs=1e-2)
    assert set(few.kept) == {30}


def test_predictions_and_settings() -> None:
    fitted = ct.EloMMR().fit([("a", "b", 1)])
    width = math.sqrt(sum(value**2 for value in fitted.state.deviation) + 2 * 200**2)
    gap = fitted.state.rating[0] - fitted.state.rating[1]
    chance = 1 / (1 + math.exp(-gap / (math.sqrt(3) / math.pi * width)))
    assert fitted.predict([("a", "b"), ("x", "y")]) == pytest.approx([chance, 0.5])
    assert fitted.predictions.tolist() == [0.5]
    with pytest.raises(ct.WrongValue, match="limit: expected a number below beta"):
        ct.EloMMR(limit=200)
