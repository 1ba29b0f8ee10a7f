"""Elo, checked against arithmetic by hand."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from crosstable.errors import EventRejected
from crosstable.model import Game, Rating
from crosstable.rulebook import build
from crosstable.systems.elo import SYSTEM, Elo
from tests.systems.small_events import against_all, entrants, event, posts


def test_equal_players_move_half_of_k() -> None:
    rated = SYSTEM.rate(event(entrants("ELO", [None, None]), [Game(1, 1, 2, "1-0")]))
    assert posts(rated.answers) == {1: 1516, 2: 1484}  # 1500 ± 32 × (1 - 1/2)


def test_400_points_are_ten_to_one() -> None:
    rated = SYSTEM.rate(event(entrants("ELO", [Rating(1900), Rating(1500)]), [Game(1, 1, 2, "0-1")]))
    assert posts(rated.answers)[1] == pytest.approx(1900 - 32 * 10 / 11, abs=1e-9)


def test_an_event_counts_from_the_ratings_before_it() -> None:
    # 32 × (2 - (1/2 + 10/11)): the second opponent is 400 lower, whatever the first game brought
    players = entrants("ELO", [Rating(1900), Rating(1900), Rating(1500)])
    rated = SYSTEM.rate(event(players, against_all(["1-0", "1-0"])))
    assert posts(rated.answers)[1] == pytest.approx(1900 + 32 * (2 - (0.5 + 10 / 11)), abs=1e-9)


def test_the_normal_curve_of_elo() -> None:
    # 282.84 = 200 sqrt 2 points are one standard deviation of the difference: Phi(1) = 0.8413447
    normal = Elo(curve="normal", scale=200 * 2**0.5)
    assert normal.expect(Rating(1500 + 200 * 2**0.5), Rating(1500)) == pytest.approx(0.8413447461, abs=1e-9)


def test_any_k_schedule() -> None:
    text = resources.files("crosstable.rulebook").joinpath("elo.toml").read_text(encoding="utf-8")
    old = "schedule = [{ k = 32 }]"
    assert old in text
    lines = "{ games_below = 30, k = 40 }, { rating_below = 2400, k = 20 }, { k = 10 }"
    index = tomllib.loads(text.replace(old, f"schedule = [{lines}]"))
    elo = Elo(build("elo", index, index.pop("rule")))
    rules = elo.latest
    assert elo.k_of(Rating(2500, games=29), rules) == 40
    assert elo.k_of(Rating(2399, games=30), rules) == 20
    assert elo.k_of(Rating(2400, games=30), rules) == 10
    assert elo.k_of(Rating(2400), rules) == 10  # nobody counted the games: not new
    assert Elo(k=24).k_of(Rating(1500), rules) == 24


def test_a_schedule_that_fits_nobody_is_an_error() -> None:
    text = resources.files("crosstable.rulebook").joinpath("elo.toml").read_text(encoding="utf-8")
    index = tomllib.loads(text.replace("[{ k = 32 }]", "[{ rating_below = 1000, k = 32 }]"))
    elo = Elo(build("elo", index, index.pop("rule")))
    with pytest.raises(EventRejected, match="no-k"):
        elo.rate(event(entrants("ELO", [Rating(1500), Rating(900)]), [Game(1, 1, 2, "1-0")]))


@pytest.mark.parametrize("wrong", [Elo(k=0), Elo(scale=-1), Elo(curve="linear")])
def test_wrong_settings_are_findings(wrong: Elo) -> None:
    with pytest.raises(EventRejected, match="settings"):
        wrong.rate(event(entrants("ELO", [None, None]), [Game(1, 1, 2, "1-0")]))


def test_ratings_that_are_none() -> None:
    with pytest.raises(EventRejected) as caught:
        SYSTEM.rate(event(entrants("ELO", [Rating(float("nan")), Rating(1e9)]), [Game(1, 1, 2, "1-0")]))
    assert [finding.code for finding in caught.value.findings] == ["wrong-rating", "wrong-rating"]
