"""Glicko: the paper's example, ageing, bounds, and the server's one-game form of 1995."""

from __future__ import annotations

import math
from datetime import date, timedelta

import pytest

from crosstable.errors import EventRejected
from crosstable.model import Game, Rating
from crosstable.systems.glicko import SYSTEM, Glicko1995, formulas
from tests.systems.small_events import DAY, GLICKMANS_GAMES, against_all, entrants, event, glickmans_example


def record(rating: float, deviation: float | None, day: date | None = None) -> Rating:
    return Rating(rating, deviation=deviation, date=day)


EXAMPLE = glickmans_example()


def test_the_papers_example() -> None:
    answer = SYSTEM.rate(event(entrants("GLICKO", EXAMPLE), GLICKMANS_GAMES)).answers[0]
    assert (answer.post, answer.values["deviation"]) == pytest.approx((1464.10646, 151.39890), abs=5e-6)
    assert answer.published == 1464


def test_the_papers_terms() -> None:
    weights = [formulas.weight(deviation) for deviation in (30, 100, 300)]
    assert [round(weight, 4) for weight in weights] == [0.9955, 0.9531, 0.7242]
    chances = [formulas.expected(1500, r, g) for r, g in zip((1400, 1550, 1700), weights, strict=True)]
    assert [round(chance, 3) for chance in chances] == [0.639, 0.432, 0.303]
    information = sum(formulas.information(g, e) for g, e in zip(weights, chances, strict=True))
    assert 1 / information == pytest.approx(53685.74, abs=0.005)


def test_the_papers_prediction() -> None:
    assert SYSTEM.expect(record(1400, 80), record(1500, 150)) == pytest.approx(0.376, abs=5e-4)


def test_the_papers_c() -> None:
    # RD 50 becomes 350 in 100 periods with c = sqrt(1200) = 34.64
    assert formulas.aged(50, math.sqrt(1200), 100, 1e9) == pytest.approx(350, abs=1e-9)


def test_time_without_games_counts_from_the_rating_to_the_start() -> None:
    # 60 days are two periods: sqrt(100^2 + 2 × 15.8^2) = 102.4659
    players = entrants("GLICKO", [record(1500, 100, DAY - timedelta(days=60)), record(1500, 100)])
    answer = SYSTEM.rate(event(players, [Game(1, 1, 2, "1/2-1/2")])).answers[0]
    assert answer.derivation[0].deviation == pytest.approx(math.sqrt(100**2 + 2 * 15.8**2), abs=1e-9)


def test_the_deviation_stays_between_30_and_350() -> None:
    players = entrants("GLICKO", [record(1500, 30), record(1500, 340, date(1995, 1, 1)), None])
    rated = SYSTEM.rate(event(players, against_all(["1-0", "1-0"])))
    assert rated.answers[0].values["deviation"] == 30
    assert rated.answers[1].derivation[0].deviation == 350
    assert rated.answers[2].derivation[0].deviation == 350


@pytest.mark.parametrize(
    ("deviation", "code"), [(-50.0, "wrong-deviation"), (0.0, "wrong-deviation"), (None, "missing-deviation")]
)
def test_a_wrong_deviation_is_an_error(deviation: float | None, code: str) -> None:
    with pytest.raises(EventRejected) as caught:
        SYSTEM.rate(event(entrants("GLICKO", [record(1500, deviation), record(1500, 80)]), [Game(1, 1, 2, "1-0")]))
    assert [finding.code for finding in caught.value.findings] == [code]


def test_the_one_game_form_of_1995() -> None:
    """By hand, q = ln 10/400: 1500/200 beats 1400/30.

    f = 0.995498, E = 0.639468: K = q f/(1/200^2 + q^2 f^2 E(1 - E)) = 0.0057306/(0.000025 + 0.0000075712) = 175.94...
    """
    q = math.log(10) / 400
    f = 1 / math.sqrt(1 + 3 * (q * 30 / math.pi) ** 2)
    e = 1 / (1 + 10 ** (-f * 100 / 400))
    k = q * f / (1 / 200**2 + (q * f) ** 2 * e * (1 - e))
    day = date(1996, 8, 1)
    answer = Glicko1995().rate(event(entrants("GLICKO", EXAMPLE[:2]), [Game(1, 1, 2, "1-0")], day)).answers[0]
    assert answer.post == pytest.approx(1500 + k * (1 - e), abs=1e-9)
    assert answer.values["deviation"] == pytest.approx(1 / math.sqrt(1 / 200**2 + (q * f) ** 2 * e * (1 - e)), abs=1e-9)


def test_the_one_game_form_counts_every_game_from_the_one_before() -> None:
    day = date(1996, 8, 1)
    system = Glicko1995()
    both = system.rate(event(entrants("GLICKO", EXAMPLE[:3]), against_all(["1-0", "0-1"]), day)).answers[0]
    first = system.rate(event(entrants("GLICKO", EXAMPLE[:2]), [Game(1, 1, 2, "1-0")], day)).answers[0]
    second = system.rate(event(entrants("GLICKO", [first.state, EXAMPLE[2]]), [Game(1, 1, 2, "0-1")], day)).answers[0]
    assert both.post == pytest.approx(second.post, abs=1e-9)


def test_from_april_1997_k_is_never_below_16() -> None:
    players = entrants("GLICKO", [record(1500, 20), record(1500, 20)])
    before = Glicko1995().rate(event(players, [Game(1, 1, 2, "1-0")], date(1997, 4, 27))).answers[0]
    after = Glicko1995().rate(event(players, [Game(1, 1, 2, "1-0")], date(1997, 4, 28))).answers[0]
    assert before.post < 1502  # K = q f RD'^2 is about 2.3
    assert after.post == pytest.approx(1508, abs=1e-9)  # 16 × (1 - 1/2)


def test_the_server_began_newcomers_at_1720() -> None:
    with pytest.raises(EventRejected, match="1995-04-19"):
        Glicko1995().rate(event(entrants("GLICKO", [None, None]), [Game(1, 1, 2, "1-0")], date(1995, 4, 18)))
    answers = (
        Glicko1995().rate(event(entrants("GLICKO", [None, None]), [Game(1, 1, 2, "1-0")], date(1995, 4, 19))).answers
    )
    assert sum(answer.post for answer in answers) == pytest.approx(2 * 1720, abs=1e-9)
