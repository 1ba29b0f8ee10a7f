"""Glicko-2: the paper's example to full precision, the volatility, fractional periods."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest

from crosstable.errors import EventRejected
from crosstable.model import Game, Rating
from crosstable.systems.glicko2 import SYSTEM, Glicko2, formulas
from tests.systems.small_events import DAY, GLICKMANS_GAMES, against_all, entrants, event, glickmans_example


def record(rating: float, deviation: float, volatility: float | None = 0.06) -> Rating:
    return Rating(rating, deviation=deviation, volatility=volatility)


EXAMPLE = glickmans_example(volatility=0.06)


def test_the_papers_example() -> None:
    answer = SYSTEM.rate(event(entrants("GLICKO2", EXAMPLE), GLICKMANS_GAMES)).answers[0]
    assert answer.post == pytest.approx(1464.0507, abs=5e-5)
    assert answer.values["deviation"] == pytest.approx(151.5165, abs=5e-5)
    assert answer.values["volatility"] == pytest.approx(0.0599959843, abs=5e-11)


def test_the_papers_steps() -> None:
    """Full-precision values of the example, to half a unit of the last digit given."""
    mus = [(r - 1500) / 173.7178 for r in (1400, 1550, 1700)]
    weights = [formulas.weight(rd / 173.7178) for rd in (30, 100, 300)]
    chances = [formulas.expected(0.0, mu, g) for mu, g in zip(mus, weights, strict=True)]
    v = 1 / sum(formulas.information(g, e) for g, e in zip(weights, chances, strict=True))
    delta = v * sum(g * (s - e) for g, e, s in zip(weights, chances, (1, 0, 0), strict=True))
    phi, a = 200 / 173.7178, math.log(0.06**2)
    assert v == pytest.approx(1.7789771, abs=5e-8)
    assert delta == pytest.approx(-0.4839333, abs=5e-8)
    assert a == pytest.approx(-5.6268214, abs=5e-8)
    assert formulas.slope(a, a, delta, phi, v, 0.5) == pytest.approx(-5.355028e-4, abs=5e-11)
    assert formulas.slope(a - 0.5, a, delta, phi, v, 0.5) == pytest.approx(1.9996751, abs=5e-8)
    sigma = formulas.new_volatility(0.06, delta, phi, v, 0.5, 1e-6, 2)  # closes in two iterations
    assert sigma == pytest.approx(0.0599959843, abs=5e-11)
    star = formulas.widened(phi, sigma, 1.0)
    assert star == pytest.approx(1.1528547, abs=5e-8)
    variance = formulas.variance_after(star, 1 / v)
    assert math.sqrt(variance) == pytest.approx(0.8721992, abs=5e-8)
    assert variance * delta / v == pytest.approx(-0.2069410, abs=5e-8)


def test_a_volatility_that_does_not_close_says_so() -> None:
    assert math.isnan(formulas.new_volatility(0.06, 3.0, 1.0, 1.0, 0.5, 1e-6, 0))


def test_a_great_surprise_raises_the_volatility() -> None:
    players = entrants("GLICKO2", [record(1500, 60), *[record(2300, 60)] * 8])
    answer = SYSTEM.rate(event(players, against_all(["1-0"] * 8))).answers[0]
    assert answer.values["volatility"] > 0.06


def test_the_volatility_is_added_once_per_event_or_by_the_calendar() -> None:
    """Without time since the last rating the fractional form adds nothing: RD' < RD; 30 days are one full period."""
    today, month_ago = (
        Rating(1500, deviation=200, volatility=0.06, date=DAY - timedelta(days=days)) for days in (0, 30)
    )
    whole = SYSTEM.rate(event(entrants("GLICKO2", [today, *EXAMPLE[1:]]), GLICKMANS_GAMES)).answers[0]
    none = Glicko2(fractional=True).rate(event(entrants("GLICKO2", [today, *EXAMPLE[1:]]), GLICKMANS_GAMES)).answers[0]
    full = (
        Glicko2(fractional=True).rate(event(entrants("GLICKO2", [month_ago, *EXAMPLE[1:]]), GLICKMANS_GAMES)).answers[0]
    )
    assert full.post == pytest.approx(whole.post, abs=1e-12)
    phi = 200 / 173.7178
    assert none.values["deviation"] == pytest.approx(173.7178 / math.sqrt(1 / phi**2 + 1 / 1.7789771), abs=1e-4)
    assert none.values["deviation"] < whole.values["deviation"]


def test_a_player_without_games_only_widens() -> None:
    aged = SYSTEM.age(record(1500, 200), 30)
    assert aged.deviation == pytest.approx(173.7178 * math.sqrt((200 / 173.7178) ** 2 + 0.06**2), abs=1e-9)
    assert (aged.rating, aged.volatility) == (1500, 0.06)


@pytest.mark.parametrize("tau", [0.0, -1.0, math.nan])
def test_tau_must_be_above_zero(tau: float) -> None:
    with pytest.raises(EventRejected, match=r"tau is .*, but must be above 0"):
        Glicko2(tau=tau).rate(event(entrants("GLICKO2", EXAMPLE[:2]), [Game(1, 1, 2, "1-0")]))


def test_all_findings_at_once() -> None:
    players = entrants("GLICKO2", [record(1500, -200), record(1500, 100, None), record(1500, 100, 0.0)])
    with pytest.raises(EventRejected) as caught:
        Glicko2(tau=0).rate(event(players, against_all(["1-0", "1-0"])))
    codes = [finding.code for finding in caught.value.findings]
    assert codes == ["wrong-tau", "wrong-deviation", "missing-volatility", "wrong-volatility"]
