"""The predictors of systems that people ask for: they know only what was known, and they learn."""

from __future__ import annotations

import numpy as np
import pytest

from crosstable.lab.backtest import Entry, backtest
from crosstable.lab.predictors import checked_predictions, names, predictor
from crosstable.lab.source import Source, read_source
from crosstable.model import Rating
from crosstable.replay.scores import game_deviance
from crosstable.systems import system
from tests.lab.small import tables, written

NAMES = ["bradley_terry", "dwz", "fide", "trueskill", "weng_lin", "whole_history", "elo_mmr", "chessmetrics"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return read_source(str(written(tmp_path_factory.mktemp("record"), tables(events=120))))


@pytest.mark.parametrize("name", NAMES)
def test_it_uses_only_what_was_known_and_learns(source: Source, name: str) -> None:
    """Strengths with a spread of 300 points: after half of the games a system must do better than one half for each."""
    assert name in names()
    count = len(source.games)
    found = checked_predictions(predictor(name), source, None, (count // 3, 2 * count // 3), 1)
    later = slice(count // 2, None)
    assert game_deviance(found[later], source.games.score[later]).mean() < np.log10(2) - 0.02


def test_fide_is_not_limited_and_knows_who_is_unrated(source: Source) -> None:
    """With the published ratings the first game is expected by the table; without any, and unrated, everybody is
    equal.
    """
    games = source.games
    found = predictor("fide")(source)
    expected = system("fide").expect(*(Rating(float(rating)) for rating in games.rating[0]))
    assert found[0] == pytest.approx(expected)
    assert set(predictor("fide")(source, {"opening": 0.0, "start": 0.0})) == {0.5}


def test_a_backtest_says_when_fide_rates_games_older_than_its_rulebook(source: Source) -> None:
    """The games are of 2010 and 2011, the rulebook begins in 2022."""
    found = backtest(source, [Entry(predictor("fide")), Entry(predictor("elo"))], samples=5)
    (early,) = (one for one in found.cautions if one.kind == "rules-not-yet-in-force")
    assert early.facts == {"name": "fide", "games": len(source.games), "first": "2022-01-01"}
