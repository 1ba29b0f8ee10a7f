"""Predictions recalibrated on earlier games: the terms that were put in are found, and the future is not looked at."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from crosstable.cli import main
from crosstable.lab.bootstrap import Clusters, paired
from crosstable.lab.games import GameRows, LabGames, arranged
from crosstable.lab.recalibration import first_origin, origins, recalibrated
from crosstable.lab.reform import ACTUAL, compare, expected_scores
from crosstable.lab.source import Source, read_source
from crosstable.replay.scores import game_deviance
from crosstable.rulebook import rulebook
from crosstable.rulebook.reform import Reform
from tests.lab.small import tables, written

SLOPE, PROVISIONAL, WHITE = 0.7, -0.2, 0.15


def made(count: int = 60_000, seed: int = 3) -> tuple[LabGames, np.ndarray]:
    """Games of three years whose logits are 0.7 of the predicted ones, 0.5 with a provisional player, and 0.15 for
    White.
    """
    random = np.random.default_rng(seed)
    own = random.normal(0, 1.5, count)
    provisional, white = random.random(count) < 0.3, random.random(count) < 0.5
    logit = (SLOPE + PROVISIONAL * provisional) * own + WHITE * white
    score = (random.random(count) < 1 / (1 + np.exp(-logit))).astype(float)
    played = np.full((count, 2), np.nan)
    played[provisional, 0] = 10
    day = date(2010, 1, 1).toordinal() + np.sort(random.integers(0, 3 * 365, count))
    number = np.arange(count)
    games = arranged(
        GameRows(
            sides=(number * 2, number * 2 + 1),
            score=score,
            colour=np.where(white, 1, 0),
            round=np.zeros(count),
            event=number,
            day=day,
            rating=np.full((count, 2), 1500.0),
            played=played,
        )
    )
    turned = games.one % 2 == 1  # where the colours are unknown, a hash names the players
    return games, 1 / (1 + np.exp(np.where(turned, own, -own)))


def test_the_terms_that_were_put_in_come_out() -> None:
    """A standard error of the slope on 20,000 games is about 0.012."""
    games, expected = made()
    window = games.window(date(2011, 1, 1), None)
    found = recalibrated(games, expected, window, date(2011, 1, 1))
    assert found is not None
    assert [fit.before for fit in found.fits] == [date(2011, 1, 1), date(2012, 1, 1)]
    first, second = found.fits
    assert (first.games, second.games) == tuple(
        int((games.day < date(year, 1, 1).toordinal()).sum()) for year in (2011, 2012)
    )
    for fit in found.fits:
        assert fit.slope == pytest.approx(SLOPE, abs=0.04)
        assert fit.provisional == pytest.approx(PROVISIONAL, abs=0.06)
        assert fit.white == pytest.approx(WHITE, abs=0.08)
    assert np.array_equal(found.expected[~window], expected[~window])


def test_cells_fit_as_well_as_the_games_themselves() -> None:
    """Newton's method on the games themselves, in a few lines, comes to the same slope."""
    games, expected = made(20_000)
    found = recalibrated(games, expected, games.window(date(2012, 1, 1), None), date(2012, 1, 1))
    rows = games.day < date(2012, 1, 1).toordinal()
    own = np.log(expected / (1 - expected))[rows]
    x = np.stack([own, own * ~np.isnan(games.played[rows]).all(axis=1), games.white[rows]], axis=1)
    terms = np.zeros(3)
    for _ in range(20):
        p = 1 / (1 + np.exp(-x @ terms))
        terms += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x, x.T @ (games.score[rows] - p))
    assert found is not None
    fit = found.fits[0]
    assert (fit.slope, fit.provisional, fit.white) == pytest.approx(tuple(terms), abs=1e-4)


def test_the_slope_alone(capsys: pytest.CaptureFixture[str]) -> None:
    games, expected = made(20_000)
    since = date(2012, 1, 1)
    found = recalibrated(games, expected, games.window(since, None), since, ("slope",))
    assert found is not None
    assert (found.fits[0].provisional, found.fits[0].white) == (0.0, 0.0)
    assert 0.5 < found.fits[0].slope < SLOPE  # between those with and without a provisional player
    with pytest.raises(SystemExit):
        main(["lab", "reform", "x", "no-bonus", "--recalibrate", "slope,age"])
    assert "write slope, or slope and some of provisional, white" in capsys.readouterr().err


def test_later_results_never_change_a_recalibrated_prediction() -> None:
    games, expected = made(20_000)
    since = date(2011, 1, 1)
    window = games.window(since, None)
    before = recalibrated(games, expected, window, since)
    first = int(np.argmax(games.day >= date(2012, 1, 1).toordinal()))
    after = recalibrated(games.replaced(first), expected, window, since)
    assert before is not None
    assert after is not None
    assert np.array_equal(before.expected, after.expected)  # both origins look at the games before 2012 alone
    assert before.fits == after.fits


def test_too_few_games_before_the_window_give_no_slope() -> None:
    games, expected = made(400)
    assert recalibrated(games, expected, games.window(date(2012, 1, 1), None), date(2012, 1, 1)) is None
    assert first_origin(games) is None
    many, _ = made(5_000)
    assert first_origin(many) == date(2011, 1, 1)
    assert [date.fromordinal(day) for day in origins(many, many.window(date(2011, 6, 1), None), date(2011, 6, 1))] == [
        date(2011, 6, 1),
        date(2012, 1, 1),
    ]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return read_source(str(written(tmp_path_factory.mktemp("record"), tables(events=150, players=40))))


def test_a_reform_of_the_scale_is_predicted_with_that_scale(source: Source) -> None:
    before = np.full((len(source.games), 2), 1500.0)
    before[:, 0] += 200.0
    wide = Reform("wide", "us_chess", {"standard": {"scale": 800.0}}, date(2011, 1, 1)).apply()
    found = expected_scores(source, before, wide)
    later = source.games.day >= date(2011, 1, 1).toordinal()
    assert np.allclose(found[~later], 1 / (1 + 10 ** (-200 / 400)), atol=1e-12)
    assert np.allclose(found[later], 1 / (1 + 10 ** (-200 / 800)), atol=1e-12)
    assert np.allclose(expected_scores(source, before, rulebook()), 1 / (1 + 10**-0.5), atol=1e-12)


def test_predictions_that_are_only_stretched_are_as_good_recalibrated() -> None:
    """Logits 1.7 times as large mean the same to a reader who knows it: raw they lose, recalibrated they are equal."""
    games, expected = made()
    since = date(2011, 1, 1)
    window = games.window(since, None)
    stretched = 1 / (1 + ((1 - expected) / expected) ** 1.7)
    one, other = (recalibrated(games, each, window, since) for each in (expected, stretched))
    assert one is not None
    assert other is not None
    lost = game_deviance(stretched, games.score) - game_deviance(expected, games.score)
    assert lost[window].mean() > 0.02
    assert np.abs(one.expected - other.expected)[window].max() < 1e-3
    assert one.fits[0].slope == pytest.approx(1.7 * other.fits[0].slope, rel=1e-3)


def test_the_verdict_of_a_reform_is_the_recalibrated_one(source: Source) -> None:
    found = compare(source, [Reform("K × 3", "us_chess", {"standard": {"numerator": 2400.0}})], samples=20)
    assert found.recalibrated is not None
    assert found.headline is found.recalibrated
    slopes = {name: fits[-1].slope for name, fits in found.fits.items()}
    assert slopes["K × 3"] < slopes[ACTUAL]  # ratings that move three times as fast lie too far apart
    early = compare(
        source, [Reform("K × 3", "us_chess", {"standard": {"numerator": 2400.0}})], date(2009, 1, 1), samples=5
    )
    assert early.recalibrated is None
    assert early.headline is early.raw


def test_a_reform_is_recalibrated_only_with_games_that_it_rated() -> None:
    """Of 20,000 games in 2010 to 2012, those before the reform's day say nothing of the slope that its ratings need."""
    games, expected = made(20_000)
    begins = date(2012, 3, 1)
    early = games.day < begins.toordinal()
    stretched = np.where(early, expected, 1 / (1 + ((1 - expected) / expected) ** 2))  # logits twice as large
    since = first_origin(games, begins)
    assert since is not None
    days = np.sort(games.day[~early])
    assert since == date.fromordinal(int(days[len(days) // 2]))  # no 1 January follows
    found = recalibrated(games, stretched, games.window(since, None), since, begins=begins)
    assert found is not None
    assert found.fits[0].games == int((~early & (games.day < since.toordinal())).sum())
    assert found.fits[0].slope == pytest.approx(SLOPE / 2, abs=0.05)
    assert recalibrated(games, stretched, games.window(begins, None), begins, begins=begins) is None
    assert first_origin(games, date(2010, 3, 1)) == date(2011, 1, 1)


def test_players_who_play_many_games_widen_an_interval() -> None:
    """1,000 games of 20 players: each loses or wins the same in all of theirs, so there are 10 independent pairs, not
    1,000.

    Each pair's mean is 1 or −1, so the variance of the mean of ten is 1/10.
    """
    pair = np.repeat(np.arange(10), 100)
    sign = np.where(pair % 2, 1.0, -1.0)
    clusters = Clusters(np.arange(1000), pair * 2, pair * 2 + 1)
    (found,) = paired({"a": sign, "b": np.zeros(1000)}, clusters, samples=200)
    events, players = found.high - found.low, found.players_high - found.players_low
    assert players == pytest.approx(2 * 1.96 * np.sqrt(1 / 10), rel=1e-4)
    assert players > 5 * events
    assert found.joint_high - found.joint_low >= players


def test_a_joint_interval_is_wider_than_one_alone() -> None:
    """Six systems that differ by chance: of 15 pairs some exclude 0 alone; together they cover 0 in 95 of 100
    studies.
    """
    random = np.random.default_rng(4)
    count, excluded = 400, 0
    for study in range(40):
        losses = {str(one): random.normal(0, 1, count) for one in range(6)}
        clusters = Clusters(np.arange(count), np.arange(count) * 2, np.arange(count) * 2 + 1)
        excluded += any(pair.sure for pair in paired(losses, clusters, samples=200, seed=study))
    assert excluded <= 6  # 40 studies at 5 %: 2 expected, more than 6 once in 250
