"""`lab backtest`: the figures by arithmetic, the paired bootstrap, and everything that would be cheating."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.backtest import Entry, OverlappingWindows, backtest
from crosstable.lab.bootstrap import Clusters, paired
from crosstable.lab.games import NoHistory
from crosstable.lab.predictors import Predictor, Settings, predictor
from crosstable.lab.predictors.base import LooksAhead, UnknownParameter
from crosstable.lab.source import Source, read_source
from tests.lab.small import FIRST, csv, tables, turned, written


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return read_source(str(written(tmp_path_factory.mktemp("record"), tables(events=120))))


def test_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two games of equals, then one between 1516 and 1484 (Elo, K = 32): the expected score is 1/(1 + 10^(-32/400))."""
    path = csv(tmp_path, "date,white,black,score\n2012-05-05,A,B,1\n2013-01-05,A,B,0\n")
    arguments = [
        "lab",
        "backtest",
        str(path),
        "--systems",
        "constant,elo",
        "--from",
        "2013-01-01",
        "--to",
        "2013-12-31",
    ]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"games", "rows", "pairs"}
    assert found["games"] == 1
    constant, elo = found["rows"]
    assert constant["deviance"] == pytest.approx(0.30103, abs=5e-6)
    chance = 1 / (1 + 10 ** (-32 / 400))
    assert elo == pytest.approx(
        {
            "system": "elo", "n": 1, "deviance": -np.log10(1 - chance), "log_loss": -np.log(1 - chance),
            "brier": chance**2, "accuracy": 0.0,
        }
    )  # fmt: skip
    (pair,) = found["pairs"]
    assert (pair["a"], pair["b"]) == ("constant", "elo")
    assert pair["difference"] == pytest.approx(constant["deviance"] - elo["deviance"])
    assert pair["low"] <= pair["difference"] <= pair["high"]


def test_turning_every_row_changes_no_figure(tmp_path: Path) -> None:
    frames = tables(events=80)
    entries = [Entry(predictor(name)) for name in ("published", "elo", "glicko2", "us_chess")]
    since = FIRST + timedelta(days=300)
    forth = backtest(read_source(str(written(tmp_path / "a", frames))), entries, since)
    other = frames | {"games": turned(frames["games"])}
    back = backtest(read_source(str(written(tmp_path / "b", other))), entries, since)
    assert forth.as_json() == back.as_json()


def test_published_ratings_predict_better_than_one_half(source: Source) -> None:
    found = backtest(source, [Entry(predictor("constant")), Entry(predictor("published"))], FIRST + timedelta(days=300))
    (pair,) = found.pairs
    assert 0 < pair.low < pair.difference < pair.high


def events(*numbers: int) -> Clusters:
    """Games of these events, each between two players of its own."""
    place = np.arange(len(numbers))
    return Clusters(np.array(numbers), 2 * place, 2 * place + 1)


def test_a_bootstrap_over_events_by_hand() -> None:
    """Two events of one game each: the resampled mean is the first, the second, or their average."""
    losses = {"a": np.array([0.3, 0.1]), "b": np.array([0.0, 0.0])}
    (pair,) = paired(losses, events(7, 9), samples=400, seed=2)
    assert pair.difference == pytest.approx(0.2)
    assert (pair.low, pair.high) == pytest.approx((0.1, 0.3))
    assert paired(losses, events(7, 9), 400, 2) == paired(losses, events(7, 9), 400, 2)
    whole = paired(losses, events(7, 7), 400, 2)[0]  # one event: nothing to resample
    assert (whole.low, whole.high) == pytest.approx((0.2, 0.2))


def peeking(source: Source, settings: Settings) -> np.ndarray:
    return np.where(source.games.score > 0.5, 0.9, 0.1)


def same_day(source: Source, settings: Settings) -> np.ndarray:
    """Sees the results of its own event, and of nothing later."""
    games = source.games
    _, event = np.unique(games.event, return_inverse=True)
    mean = np.bincount(event, weights=games.score) / np.bincount(event)
    return np.clip(mean[event], 0.1, 0.9)


@pytest.mark.parametrize("cheat", [peeking, same_day])
def test_a_system_that_peeks_is_refused(source: Source, cheat: object) -> None:
    cheater = Predictor("oracle", "Sees the future", cheat)
    with pytest.raises(LooksAhead, match="oracle looks ahead"):
        backtest(source, [Entry(cheater)], FIRST + timedelta(days=200))


def test_no_system_of_ours_peeks(source: Source) -> None:
    entries = [
        Entry(predictor(name))
        for name in ("constant", "white", "published", "tempered", "live", "elo", "glicko", "glicko2", "stephenson", "glicko_boost",
                     "st_charles", "us_chess")
    ]  # fmt: skip
    for seed in range(3):
        backtest(source, entries, FIRST + timedelta(days=100), samples=10, seed=seed)


def test_later_games_do_not_reach_a_window(source: Source) -> None:
    """Scored to a day, nothing after it is even handed over."""
    last = FIRST + timedelta(days=400)
    seen = []

    def spy(given: Source, settings: Settings) -> np.ndarray:
        seen.append(int(given.games.day.max()))
        return np.full(len(given.games), 0.5)

    backtest(source, [Entry(Predictor("spy", "", spy))], FIRST + timedelta(days=300), last)
    assert max(seen) <= last.toordinal()


def test_an_overlapping_window_is_refused(source: Source) -> None:
    tuned = Entry(predictor("elo"), {"k": 20.0}, "elo, tuned", tuned_until=date(2011, 6, 30))
    with pytest.raises(OverlappingWindows, match="tuned on games up to 2011-06-30"):
        backtest(source, [tuned], date(2011, 6, 30))
    with pytest.raises(OverlappingWindows, match="the first game"):
        backtest(source, [tuned])
    assert backtest(source, [tuned], date(2011, 7, 1)).rows[0]["system"] == "elo, tuned"


def test_what_cannot_be_is_refused_in_words(source: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(NoHistory, match="no games between rated players"):
        backtest(source, [Entry(predictor("constant"))], date(1990, 1, 1), date(1990, 12, 31))
    with pytest.raises(CrosstableError, match="nothing predicts under the name 'elo2'"):
        predictor("elo2")
    with pytest.raises(UnknownParameter, match="elo has no parameter 'K'"):
        predictor("elo").settings({"K": 10})
    with pytest.raises(UnknownParameter, match="is not between"):
        predictor("elo").settings({"k": 1e6})
    with pytest.raises(CrosstableError, match="named twice"):
        backtest(source, [Entry(predictor("elo")), Entry(predictor("elo"))])
    path = csv(tmp_path, "date,white,black,score\n2012-05-05,A,B,1\n")
    assert main(["lab", "backtest", str(path), "--systems", "published"]) == 1
    assert "needs published ratings" in capsys.readouterr().err


def test_openings_use_the_published_rating_of_the_first_appearance(source: Source) -> None:
    """Opened with good ratings, Elo starts well; from scratch it knows nothing of the first games."""
    first = FIRST + timedelta(days=60)
    opened = Entry(predictor("elo"), {"opening": 1.0}, "opened")
    found = backtest(source, [Entry(predictor("elo")), opened], FIRST, first)
    assert found.rows[1]["deviance"] < found.rows[0]["deviance"]


@pytest.mark.shared
def test_the_figures_of_the_published_record(shared: Path) -> None:
    """2013, games between rated players: what was measured before this code existed."""
    source = read_source(str(shared / "data"))
    found = backtest(
        source,
        [
            Entry(predictor("published")),
            Entry(predictor("published"), {"slope": 0.68}, "slope"),
            Entry(predictor("glicko")),
            Entry(predictor("glicko2")),
        ],
        date(2013, 1, 1),
        date(2013, 12, 31),
        samples=20,
    )
    assert found.as_json()["games"] == 493_216
    deviance = {row["system"]: row["deviance"] for row in found.rows}
    assert deviance == pytest.approx(
        {"published": 0.25372, "slope": 0.24690, "glicko": 0.26712, "glicko2": 0.26898}, abs=5e-6
    )
