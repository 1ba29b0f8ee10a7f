"""FIDE, the DWZ and Glicko-Boost for a table of games: the same numbers as `rate`, event after event."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

import numpy as np
import pytest

import crosstable as ct
from crosstable.estimators.base import Estimator
from tests.estimators.some_games import Row, some_games
from tests.estimators.test_fit import rated_one_event_at_a_time

BOOST = [ct.GlickoBoost(), ct.GlickoBoost(start=1200, start_deviation=200)]


@pytest.mark.parametrize("estimator", BOOST, ids=str)
def test_glicko_boost_fits_as_it_rates(estimator: Estimator) -> None:
    rows = some_games()
    plain, fitted = rated_one_event_at_a_time(estimator, rows), estimator.fit(rows)
    for row in fitted.ratings.to_dicts():
        state = plain[row["player"]]
        assert (row["rating"], row["deviation"]) == pytest.approx((state.rating, state.deviation), abs=1e-9)


@pytest.mark.parametrize("days", [0, 400])
def test_glicko_boost_predicts_as_it_expects(days: int) -> None:
    """Deviations grow until the day of the game, as `age` makes them."""
    estimator, rows = ct.GlickoBoost(), some_games()
    plain, fitted = rated_one_event_at_a_time(estimator, rows), estimator.fit(rows)
    last = rows[-1][0]
    one, two = [who for who, state in plain.items() if state.date == last][:2]
    method, game = estimator.system, ct.Game(1, 1, 2, "1-0")
    expected = method.expect(method.age(plain[one], days), method.age(plain[two], days), game)
    to_come = [(date.fromordinal(last.toordinal() + days), one, two)]
    assert fitted.predict(to_come) == pytest.approx([expected], abs=1e-12)


def by_events(rows: list[Row], start: float, system: str) -> dict[str, ct.Rating]:
    """Everybody brings a rating to the first event."""
    states: dict[str, ct.Rating] = defaultdict(lambda: ct.Rating(start, games=0))
    for day in sorted({row[0] for row in rows}):
        games = [row[1:] for row in rows if row[0] == day]
        ratings = {who: {system.upper(): states[who]} for game in games for who in game[:2]}
        for answer in ct.rate(ct.Event.of("", games, on=day, ratings=ratings), system=system).answers:
            states[answer.id] = answer.state
    return states


def test_fide_fits_as_it_rates() -> None:
    """The sample is of 2024: a day under the rules of 2022, and others under those of 1 March 2024."""
    rows = [(date.fromordinal(row[0].toordinal() - 10), *row[1:]) for row in some_games()]
    assert min(row[0] for row in rows) < date(2024, 3, 1) < max(row[0] for row in rows)
    plain, fitted = by_events(rows, 1900, "fide"), ct.Fide(start=1900).fit(rows)
    for row in fitted.ratings.to_dicts():
        state = plain[row["player"]]
        assert (row["rating"], row["games"], row["last"]) == (state.rating, state.games, state.date)
    one, two = sorted(plain)[:2]
    method = ct.system("fide")
    expected = [method.expect(plain[one], plain[two]), method.expect(ct.Rating(1900), plain[one])]
    assert fitted.predict([(one, two), ("new", one)]) == pytest.approx(expected, abs=1e-12)


def test_dwz_fits_as_it_rates() -> None:
    rows = some_games()
    plain, fitted = by_events(rows, 1100, "dwz"), ct.Dwz(start=1100).fit(rows)
    for row in fitted.ratings.to_dicts():
        state = plain[row["player"]]
        assert row["rating"] == pytest.approx(state.rating, abs=1e-9)
        assert (row["games"], row["last"]) == (state.games, state.date)
    one, two = sorted(plain)[:2]
    expected = [ct.system("dwz").expect(plain[one], plain[two]), ct.system("dwz").expect(ct.Rating(1100), plain[one])]
    assert fitted.predict([(one, two), ("new", one)]) == pytest.approx(expected, abs=1e-12)


def test_fide_predicts_a_day_from_the_ratings_before_it() -> None:
    """Two wins of equals with K = 40: 2 × 40 × 0.5 = 40 points each way, a table's difference of 80 is 0.61."""
    games = [("2025-03-01", "a", "b", 1), ("2025-03-01", "a", "b", 1), ("2025-03-08", "a", "b", 0)]
    fitted = ct.Fide().fit(games)
    assert fitted.predictions.tolist() == [0.5, 0.5, 0.61]
    # 0 instead of the 0.61 expected: 40 × 0.61 = 24.4 points
    assert dict(fitted.ratings.select("player", "rating").rows()) == {"a": 1840 - 24, "b": 1760 + 24}


def test_a_table_without_dates_is_rated_by_the_newest_rules_and_an_old_one_by_the_first() -> None:
    for games in ([("a", "b", 1)], [("1999-01-01", "a", "b", 1)]):
        assert sorted(ct.Fide().fit(games).state.rating) == [1780, 1820]


def test_both_are_in_compare() -> None:
    frame = ct.compare(["fide", "glicko_boost"], some_games())
    assert set(frame["system"]) == {"Fide()", "GlickoBoost()"}
    assert np.isfinite(frame["log_loss"].to_numpy()).all()
