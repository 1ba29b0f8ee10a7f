"""DWZ: single games and events as another implementation and the federation's calculator have them, and newcomers."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import pytest

from crosstable.model import Answer, Event, Player, Rating
from crosstable.systems import system

DAY = date(2024, 6, 1)


def rated(games: list[tuple[str, str, float]], **players: tuple[float, int, int]) -> dict[str, Answer]:
    """Rate one event; players are (rating, index, age)."""
    event = Event.of(
        "Open", games, on=DAY, ratings={who: {"DWZ": Rating(r, games=index)} for who, (r, index, _) in players.items()}
    )
    (section,) = event.sections
    born = {who: date(DAY.year - age, 1, 1) for who, (_, _, age) in players.items()}
    people = tuple(_with_birth(player, born.get(player.id)) for player in section.players)
    done = system("dwz").rate(replace(event, sections=(replace(section, players=people),)))
    return {answer.id: answer for answer in done.answers}


def _with_birth(player: Player, born: date | None) -> Player:
    return replace(player, birth_date=born)


def test_games_as_in_another_implementation() -> None:
    """skillratings (src/dwz.rs, test_dwz), which says it compared them with the calculator at wertungszahl.de."""
    one, two = (1530.0, 22, 26), (1930.0, 103, 39)
    for score, age, after in ((1.0, 39, (1564, 1906)), (0.5, 39, (1578, 1895)), (0.0, 12, (1573, 1901))):
        found = rated([("a", "b", score)], a=one, b=(*two[:2], age))
        assert (found["a"].published, found["b"].published) == after
        one, two = (found["a"].post, one[1] + 1, 26), (found["b"].post, two[1] + 1, age)
        assert found["a"].state.games == one[1]
    equals = rated([("a", "b", 1.0)], a=(1500, 42, 42), b=(1500, 12, 12))
    assert (equals["a"].published, equals["b"].published) == (1519, 1464)


def test_an_event_as_in_another_implementation() -> None:
    """1½ of 3 against 1930 at the age of 9: 1619 (skillratings, test_dwz_rating_period)."""
    found = rated(
        [("a", "x", 1.0), ("a", "y", 0.5), ("a", "z", 0.0)],
        a=(1530, 17, 9),
        x=(1930, 99, 40),
        y=(1930, 99, 40),
        z=(1930, 99, 40),
    )
    assert found["a"].published == 1619
    assert found["a"].state.games == 18


def test_the_coefficient_by_hand() -> None:
    """E0 = 1.53^4 + 15 = 20.48; a loss of the expected 1/11 of a point costs 800/(20.48 + 1)/11 = 3.39."""
    loss = rated([("a", "b", 0.0)], a=(1530, 22, 30), b=(1930, 103, 39))["a"]
    assert loss.values["e"] == pytest.approx(1.53**4 + 15)
    assert loss.post == pytest.approx(1530 - 800 / (1.53**4 + 15 + 1) / 11)
    # a boy of 12 who wins: J = 5, and E0 × 1530/2000
    young = rated([("a", "b", 1.0)], a=(1530, 22, 12), b=(1930, 103, 39))["a"]
    assert young.values["e"] == pytest.approx((1.53**4 + 5) * 0.765)
    # in the second event at most 5 × 2 = 10
    second = rated([("a", "b", 1.0)], a=(1530, 2, 30), b=(1930, 103, 39))["a"]
    assert second.values["e"] == 10
    # 1000 and a loss: 1 + 15 + e² - 1
    weak = rated([("a", "b", 0.0)], a=(1000, 22, 30), b=(1000, 103, 39))["a"]
    assert weak.values["e"] == pytest.approx(16 + math.exp(2) - 1)
    # 400 and a loss: e^6 - 1 is more than 150
    assert rated([("a", "b", 0.0)], a=(400, 22, 30), b=(400, 9, 39))["a"].values["e"] == 150


OPPONENTS = {
    "o1": (1300, 23, 40),
    "o2": (1540, 9, 40),
    "o3": (1200, 10, 40),
    "o4": (1290, 76, 40),
    "o5": (1400, 99, 40),
}


def test_a_first_rating() -> None:
    """3½ of 5 is 70 %, +145 above the average of 1346: 1491 (skillratings, test_first_dwz)."""
    scores = {"o1": 1.0, "o2": 0.5, "o3": 0.0, "o4": 1.0, "o5": 1.0}
    answers = rated([("new", who, score) for who, score in scores.items()], **OPPONENTS)
    assert (answers["new"].published, answers["new"].state.games) == (1491, 1)
    assert answers.keys() == {"new"}  # their games against a newcomer do not count


def test_half_a_point_of_five_is_991() -> None:
    """10 % is -355: 1346 - 355 (skillratings, test_new_dwz_bad_players)."""
    answers = rated([("new", who, 0.5 if who == "o2" else 0.0) for who in OPPONENTS], **OPPONENTS)
    assert answers["new"].published == 991


def test_too_few_games_are_saved() -> None:
    answer = rated([("new", "o1", 1.0), ("new", "o2", 0.5)], o1=OPPONENTS["o1"], o2=OPPONENTS["o2"])["new"]
    assert (answer.published, answer.state.pending) == (0, ((1300.0, 1.0), (1540.0, 0.5)))
    assert rated([("new", who, 1.0) for who in OPPONENTS], **OPPONENTS)["new"].published == 0
