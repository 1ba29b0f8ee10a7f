"""Bradley–Terry: the textbook's example, Davidson's equations, and a second way to the same maximum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

import crosstable as ct
from crosstable.replay import bradley_terry
from crosstable.replay.loops import bradley_terry as loop
from crosstable.replay.periods import history
from tests.estimators.some_games import some_games

#: (winner, loser): how often. The worked example of Wikipedia's "Bradley–Terry model" (Estimating the parameters)
WINS = {
    ("A", "B"): 2,
    ("A", "D"): 1,
    ("B", "A"): 3,
    ("B", "C"): 5,
    ("C", "B"): 3,
    ("C", "D"): 1,
    ("D", "A"): 4,
    ("D", "C"): 3,
}


def test_the_textbook_example() -> None:
    """The page's strengths with a geometric mean of 1: 0.640, 1.043, 0.660, 2.270."""
    rows = [(winner, loser, 1) for (winner, loser), count in WINS.items() for _ in range(count)]
    fitted = ct.BradleyTerry(draws="half", prior=0).fit(rows)
    strengths = dict(zip(fitted.games.players, np.exp(fitted.state.extra.theta), strict=True))
    assert strengths == pytest.approx({"A": 0.640, "B": 1.043, "C": 0.660, "D": 2.270}, abs=5e-4)
    ratings = dict(fitted.ratings.select("player", "rating").rows())
    assert ratings["D"] - ratings["A"] == pytest.approx(400 * math.log10(strengths["D"] / strengths["A"]))


def test_expected_scores_are_the_scores() -> None:
    """The likelihood equations (Davidson 1970): every player's expected score, and the expected draws, are those that
    were.
    """
    rows = [row for row in some_games(days=20) if row[1] < "p08" and row[2] < "p08"]  # the others met too few players
    fitted = ct.BradleyTerry(prior=0, white=True).fit(rows)
    strengths = fitted.state.extra
    players = list(fitted.games.players)
    pi = dict(zip(players, np.exp(strengths.theta), strict=True))
    white = math.exp(strengths.white)
    expected, draws, whites = dict.fromkeys(players, 0.0), 0.0, 0.0
    for _, one, two, _ in rows:
        own, other = pi[one] * white, pi[two]
        total = own + other + strengths.draw * math.sqrt(own * other)
        win, drawn = own / total, strengths.draw * math.sqrt(own * other) / total
        expected[one] += win + drawn / 2
        expected[two] += 1 - win - drawn / 2
        draws += drawn
        whites += win + drawn / 2
    scored = {who: sum(s if who == a else 1 - s for _, a, b, s in rows if who in (a, b)) for who in players}
    assert expected == pytest.approx(scored, abs=1e-7)
    assert draws == pytest.approx(sum(row[3] == 0.5 for row in rows), abs=1e-6)
    assert whites == pytest.approx(sum(row[3] for row in rows), abs=1e-6)


def test_a_general_optimiser_finds_the_same_maximum() -> None:
    """The penalised likelihood of Davidson's model, written from its definition and given to BFGS."""
    rows = some_games()
    fitted = ct.BradleyTerry(prior=2).fit(rows)
    place = {who: index for index, who in enumerate(fitted.games.players)}

    def cost(values: np.ndarray) -> float:
        pi, nu = np.exp(values[:-1]), math.exp(values[-1])
        total = 0.0
        for _, one, two, score in rows:
            own, other = pi[place[one]], pi[place[two]]
            middle = nu * math.sqrt(own * other)
            total -= math.log({1.0: own, 0.5: middle, 0.0: other}[score] / (own + other + middle))
        return float(total - sum(np.log(pi / (1 + pi)) + np.log(1 / (1 + pi))))  # a win and a loss against strength 1

    best = minimize(cost, np.zeros(len(place) + 1), method="BFGS", options={"gtol": 1e-7}).x
    assert fitted.state.extra.theta == pytest.approx(best[:-1], abs=1e-4)
    assert fitted.state.extra.draw == pytest.approx(math.exp(best[-1]), abs=1e-4)


def test_a_newcomer_and_an_equal_expect_one_half() -> None:
    fitted = ct.BradleyTerry().fit([("a", "b", 0.5), ("a", "b", 1), ("b", "a", 1)])
    assert fitted.predict([("a", "b"), ("x", "y")]) == pytest.approx([0.5, 0.5])


def test_what_has_no_maximum_is_refused() -> None:
    with pytest.raises(ct.WrongValue, match=r"because a scored all points or none.*BradleyTerry\(prior=1\)"):
        ct.BradleyTerry(prior=0).fit([("a", "b", 1), ("b", "c", 1), ("c", "b", 1)])
    ratings = ct.BradleyTerry(prior=1, draws="half").fit([("a", "b", 1)]).ratings["rating"]
    assert ratings[0] > 1500 > ratings[1]


def test_predictions_know_earlier_games_only() -> None:
    """With a fit for every day, a day's games are expected as by a fit to the days before."""
    rows = some_games()
    day = rows[-1][0]
    before = [row for row in rows if row[0] < day]
    known = {who for row in before for who in row[1:3]}
    places = [place for place, row in enumerate(rows) if row[0] == day and {row[1], row[2]} <= known]
    estimator = ct.BradleyTerry(every=1)
    expected = estimator.fit(before).predict([row[:3] for row in rows])
    assert estimator.fit(rows).predictions[places] == pytest.approx(expected[places], abs=1e-7)
    assert set(ct.BradleyTerry(every=1000).fit(rows).predictions) == {0.5}


def test_a_far_player_does_not_slow_down_the_others() -> None:
    """Two pools that never met: in one a player beat an equal; in the other one at 8, far too high, lost to one at 0.

    In the first pool each has a gradient of 1/2, and the Hessian is 1/4 for the game and 1/4 for the game against the
    anchor on the diagonal, -1/4 beside it: 1/2 s + 1/4 s = 1/2, so the step is 2/3, up and down. In the second the
    step is longer than the longest allowed, and only there it is cut.
    """
    found = bradley_terry.results(np.array([0, 2]), np.array([1, 3]), np.array([1.0, 0.0]), 4)
    begin = bradley_terry.Strengths(np.array([0.0, 0.0, 8.0, 0.0]))
    now, _ = bradley_terry._newton(found, begin, bradley_terry.Settings(), False)
    assert now.theta[:2] == pytest.approx([2 / 3, -2 / 3])
    assert now.theta[2] == pytest.approx(8.0 - bradley_terry.LARGEST_STEP)


def test_no_single_event_is_rated() -> None:
    with pytest.raises(ct.WrongValue, match="rates no single event: use fit"):
        ct.rate(ct.Event.of("", [("a", "b", 1)], on="2025-01-01"), system=ct.BradleyTerry())
    with pytest.raises(ct.WrongValue, match="not one game: use fit"):
        ct.BradleyTerry().update(1500, 1500, 1)


@pytest.mark.parametrize("wrong", [{"draws": "none"}, {"prior": -1}, {"every": 0}])
def test_wrong_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ct.WrongValue, match=f"{next(iter(wrong))}: expected"):
        ct.BradleyTerry(**wrong)


@pytest.mark.parametrize("white", [False, True])
def test_every_block_is_predicted_from_a_fit_to_all_games_before_it(white: bool) -> None:
    """Pairs and players are counted on from block to block; a fit from scratch to the same games gives the same.

    A fit that only predicts may be one rating point off: 1/4 × ln 10/400 = 0.00144 of an expected score.
    """
    rng = np.random.default_rng(5)
    one = rng.integers(0, 12, 120) * (np.arange(120) + 20) // 140  # newcomers come all the time
    two = (one + rng.integers(1, 12, 120)) % 12
    days = 739_000 + np.arange(120) // 10 * 20
    past = history(one, two, rng.choice([0.0, 0.5, 1.0], 120), days, days)
    settings = bradley_terry.Settings(davidson=True, white=white)
    found = bradley_terry.replay(past, settings, 1.0, predict=True, last=False).predictions
    assert found[:10] == pytest.approx(0.5)
    for first in range(10, 120, 10):
        before = bradley_terry.results(one[:first], two[:first], past.score[:first], 12)
        strengths = bradley_terry.fit(before, 12, settings)
        block = slice(first, first + 10)
        assert found[block] == pytest.approx(bradley_terry.expectations(one[block], two[block], strengths), abs=1.44e-3)


def test_conjugate_gradients_by_elimination() -> None:
    """Four players in a row, weights 1, 2 and 3; numpy's elimination solves the same equations."""
    white, black, weight = np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0])
    diagonal, right = np.array([2.0, 3.5, 5.5, 4.0]), np.array([1.0, -2.0, 0.5, 3.0])
    matrix = np.diag(diagonal)
    matrix[white, black] = matrix[black, white] = -weight
    room = np.zeros((4, 4))
    loop.solve(white, black, weight, diagonal, right, 1e-12, room)
    assert room[0] == pytest.approx(np.linalg.solve(matrix, right), abs=1e-10)
