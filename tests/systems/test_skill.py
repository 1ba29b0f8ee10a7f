"""TrueSkill and Weng–Lin against the packages in use, their papers' symmetries, and the arrays against `rate`."""

from __future__ import annotations

import math
from datetime import date

import pytest

import crosstable as ct
from crosstable.estimators.base import Estimator
from crosstable.systems import system
from crosstable.systems.skill import formulas
from tests.estimators.some_games import some_games
from tests.estimators.test_fit import rated_one_event_at_a_time

STRONG, NEW, ABOVE, BELOW = (29.0, 3.0), (22.0, 7.0), (31.5, 1.2), (10.0, 2.0)
NEWCOMER = (25.0, 25 / 3)

#: (first, second, score of the first, first after, second after), by `trueskill` 0.4.5, whose normal distribution
#: function is an approximation good to about 1e-7; the first line is also the example of its documentation (29.396 and
#: 20.604, 7.171)
TRUESKILL = [
    (NEWCOMER, NEWCOMER, 1.0, (29.395832, 7.171476), (20.604168, 7.171476)),
    (NEWCOMER, NEWCOMER, 0.5, (25.0, 6.457520), (25.0, 6.457520)),
    (STRONG, NEW, 1.0, (29.407025, 2.931522), (19.785368, 6.064371)),
    (STRONG, NEW, 0.0, (27.718311, 2.885789), (28.973692, 5.375911)),
    (STRONG, NEW, 0.5, (28.321467, 2.851994), (25.691909, 4.812472)),
    (ABOVE, BELOW, 0.5, (30.729156, 1.181127), (12.134655, 1.899756)),
    (ABOVE, BELOW, 0.0, (30.641735, 1.182281), (12.376745, 1.905252)),
]
#: The same by `openskill` 6.2.0, BradleyTerryFull with its defaults
WENG_LIN = [
    (NEWCOMER, NEWCOMER, 1.0, (27.635389493140497, 8.06590141354368), (22.364610506859503, 8.06590141354368)),
    (STRONG, NEW, 1.0, (29.30479308115367, 2.9911625382543385), (20.341615440476915, 6.6985904344085965)),
    (STRONG, NEW, 0.0, (28.36948853758508, 2.9911625382543385), (25.43062404800468, 6.6985904344085965)),
    (STRONG, NEW, 0.5, (28.837140809369377, 2.9911625382543385), (22.886119744240798, 6.6985904344085965)),
    (ABOVE, BELOW, 0.0, (31.279149749348107, 1.2027605941079438), (10.611588570868413, 2.0007424934030187)),
]


@pytest.mark.parametrize(
    ("estimator", "line", "tolerance"),
    [*((ct.TrueSkill(), line, 5e-6) for line in TRUESKILL), *((ct.WengLin(), line, 1e-9) for line in WENG_LIN)],
)
def test_one_game_is_as_in_the_packages(estimator: Estimator, line: tuple, tolerance: float) -> None:
    first, second, score, *after = line
    found = estimator.update(*(ct.Rating(mean, deviation=width) for mean, width in (first, second)), score)
    for rating, expected in zip(found, after, strict=True):
        assert (rating.rating, rating.deviation) == pytest.approx(expected, abs=tolerance)


def test_a_newcomers_game_by_hand() -> None:
    """Weng and Lin's algorithm 1: c² = 2 (25/3)² + 2 tau² + 2 (25/6)², p = ½, mu + sigma²/c × ½, gamma = sigma/c."""
    variance = (25 / 3) ** 2 + (25 / 300) ** 2
    c = math.sqrt(2 * variance + 2 * (25 / 6) ** 2)
    won, _ = ct.WengLin().update(None, None, 1)
    assert won.rating == pytest.approx(25 + variance / c / 2)
    assert won.deviation == pytest.approx(math.sqrt(variance * (1 - math.sqrt(variance) / c * variance / c**2 / 4)))


def test_equals_draw_as_often_as_the_rulebook_says() -> None:
    """The margin epsilon: two known skills that are equal draw with probability Phi(e/c) - Phi(-e/c) = 0.1, c² = 2
    beta².
    """
    known = system("trueskill")
    numbers = known.numbers(known.rules(date.max))  # type: ignore[attr-defined]  # a SkillSystem
    width = numbers.limit / (math.sqrt(2) * numbers.beta)
    assert formulas.below(width) - formulas.below(-width) == pytest.approx(0.1)


@pytest.mark.parametrize("t", [-80.0, -38.0, 38.0, 80.0])
def test_results_that_no_double_can_tell_apart_stay_finite(t: float) -> None:
    """The limits of v and w far out: the surprise grows with the distance, and w tends to 1 or 0."""
    for v, w in (formulas.decided(t, 0.1), formulas.drawn(t, 0.1)):
        assert math.isfinite(v)
        assert 0 <= w <= 1 + 1e-9
    assert formulas.decided(-80.0, 0.1)[0] == pytest.approx(80.1, rel=1e-3)
    assert formulas.drawn(80.0, 0.1)[0] == pytest.approx(-79.9, rel=1e-3)


ALL = [ct.TrueSkill(), ct.TrueSkill(draws=0.5, tau=0, start=1500, start_deviation=300, beta=200), ct.WengLin()]


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_fit_gives_what_rate_gives(estimator: Estimator) -> None:
    rows = some_games()
    plain = rated_one_event_at_a_time(estimator, rows)
    fitted = estimator.fit(rows)
    for row in fitted.ratings.to_dicts():
        state = plain[row["player"]]
        assert (row["rating"], row["deviation"]) == pytest.approx((state.rating, state.deviation), abs=1e-9)
        assert (row["games"], row["last"]) == (state.games, state.date)
    known = sorted(plain)[:2]
    newcomer = estimator.system.start(ct.Player(1, "new"), date(2024, 1, 1))
    expected = [
        estimator.system.expect(plain[known[0]], plain[known[1]]),
        estimator.system.expect(newcomer, plain[known[0]]),
    ]
    assert fitted.predict([(known[0], known[1]), ("new", known[0])]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("wrong", [{"draws": 1}, {"beta": 0}, {"tau": -1}, {"start_deviation": -1}])
def test_wrong_settings_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ct.WrongValue, match=f"{next(iter(wrong))}: expected"):
        ct.TrueSkill(**wrong)  # type: ignore[arg-type]  # each is a number
