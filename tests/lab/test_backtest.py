"""`lab backtest`: the figures by arithmetic, the paired bootstrap, and everything that would be cheating."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.backtest import Entry, OverlappingWindows, backtest
from crosstable.lab.bootstrap import Clusters, paired
from crosstable.lab.games import NoHistory
from crosstable.lab.predictors import Predictor, Settings, predictor
from crosstable.lab.predictors.base import LooksAhead, UnknownParameter
from crosstable.lab.predictors.us_chess import replayed_ratings
from crosstable.lab.source import Source, read_source
from crosstable.replay.scores import game_deviance
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
    assert {"games", "rows", "pairs"} <= set(found)
    assert found["games"] == 1
    constant, elo = found["rows"]
    assert constant["deviance"] == pytest.approx(0.30103, abs=5e-6)
    chance = 1 / (1 + 10 ** (-32 / 400))
    assert elo == pytest.approx(
        {
            "system": "elo",
            "n": 1,
            "deviance": -np.log10(1 - chance),
            "log_loss": -np.log(1 - chance),
            "brier": chance**2,
            "accuracy": 0.0,
        }
    )
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


def test_a_rating_that_was_not_known_when_the_event_began(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A league from January to March holds the weekend of February: in it Ann and Ben have ratings that the weekend
    gave.
    """
    text = """date,event,white,black,score
2013-01-05,league,Ann,Ben,1
2013-02-09,weekend,Ann,Cay,1
2013-02-16,other,Dan,Eve,1
2013-03-30,league,Cay,Dan,0
2013-04-06,spring,Ann,Cay,0
"""
    path = csv(tmp_path, text)
    games = read_source(str(path)).games
    assert games.overlapping().tolist() == [False, False, True, True, False]  # weekend, other, league twice, spring
    assert main(["lab", "backtest", str(path), "--systems", "constant,elo", "--samples", "5"]) == 0
    assert (
        "In 2 games (40.0 %) a rating already held an event that ended after this one began." in capsys.readouterr().out
    )
    found = backtest(read_source(str(path)), [Entry(predictor("elo"))], samples=5)
    assert found.known.games == 3
    assert found.known.rows[0]["n"] == 3


def test_published_ratings_predict_better_than_one_half(source: Source) -> None:
    found = backtest(
        source,
        [Entry(predictor("constant")), Entry(predictor("published"))],
        FIRST + timedelta(days=300),
    )
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


def knows_draws(source: Source, settings: Settings) -> np.ndarray:
    """Turning results round leaves draws drawn; another result for each game does not."""
    return np.where(source.games.score == 0.5, 0.5, np.nan_to_num(published(source, settings), nan=0.5))


def published(source: Source, settings: Settings) -> np.ndarray:
    return predictor("published")(source)


def next_rating(source: Source, settings: Settings) -> np.ndarray:
    """Looks at the rating that is published before a player's next event: results are not touched, but it knows
    them.
    """
    games = source.games
    last = np.zeros(games.players)
    for row in range(len(games)):
        last[games.one[row]], last[games.two[row]] = games.rating[row]
    return 1 / (1 + 10 ** ((last[games.two] - last[games.one]) / 400))


@pytest.mark.parametrize("cheat", [peeking, same_day, knows_draws])
def test_a_system_that_peeks_is_refused(source: Source, cheat: object) -> None:
    cheater = Predictor("oracle", "Sees the future", cheat)
    with pytest.raises(LooksAhead, match="oracle looks ahead"):
        backtest(source, [Entry(cheater)], FIRST + timedelta(days=200))


def test_a_later_rating_is_refused(tmp_path: Path) -> None:
    """Ratings that rise with every result, as published ones do."""
    lines, rating = [], {"A": 1500, "B": 1500, "C": 1500}
    for event in range(60):
        one, two = ("AB", "BC", "CA")[event % 3]
        lines.append(f"{FIRST + timedelta(days=7 * event)},{one},{two},1,{rating[one]},{rating[two]}")
        rating[one] += 16 + event
        rating[two] -= 16
    path = csv(tmp_path, "\n".join(["date,white,black,score,white_rating,black_rating", *lines]))
    with pytest.raises(LooksAhead, match="oracle looks ahead"):
        backtest(read_source(str(path)), [Entry(Predictor("oracle", "", next_rating))], FIRST + timedelta(days=100))


def by_row(source: Source, settings: Settings) -> np.ndarray:
    """The first rows of a round are those of the leaders: whose other rows stand higher is expected to win."""
    games = source.games
    place = np.arange(len(games)) - np.searchsorted(games.event * 100 + games.round, games.event * 100 + games.round)
    keys = np.concatenate([games.event * games.players + side for side in (games.one, games.two)])
    _, seat = np.unique(keys, return_inverse=True)
    mean = (np.bincount(seat, np.tile(place, 2)) / np.bincount(seat))[seat].reshape(2, -1)
    return 1 / (1 + np.exp(mean[0] - mean[1]))


def test_the_order_of_rows_tells_nothing_and_may_not_be_used(source: Source) -> None:
    """In the crosstables' own order it predicts far better than chance; in ours it is a coin, and refused all
    the same.
    """
    games = source.games
    assert game_deviance(by_row(source, {}), games.score).mean() > 0.29
    with pytest.raises(LooksAhead, match="rows uses the order of rows inside an event"):
        backtest(source, [Entry(Predictor("rows", "", by_row))], FIRST + timedelta(days=200))
    with pytest.raises(LooksAhead, match="rows uses the order of rows inside a round"):
        backtest(source, [Entry(Predictor("rows", "", by_row, learns="round"))], FIRST + timedelta(days=200))


def test_a_predictor_that_remembers_its_first_answer_gains_nothing(source: Source) -> None:
    """It answers with what it saw first: results that never were, in an order that is no longer there."""
    kept: list[np.ndarray] = []

    def remembers(given: Source, settings: Settings) -> np.ndarray:
        if not kept:
            kept.append(peeking(given, settings))
        return kept[0][: len(given.games)]

    with pytest.raises(LooksAhead, match="remembers an earlier answer"):
        backtest(source, [Entry(Predictor("memory", "", remembers))], FIRST + timedelta(days=200))


def test_every_result_is_another_and_both_rows_of_a_game_agree(source: Source) -> None:
    games, first = source.games, len(source.games) // 2
    other = source.replaced(first)
    assert (other.games.score[first:] != games.score[first:]).all()
    assert np.array_equal(other.games.score[:first], games.score[:first])
    before, after = source.federation.history, other.federation.history
    section = np.repeat(np.arange(len(after.sections)), np.diff(after.entry_start))
    entry = np.repeat(np.arange(len(section)), np.diff(after.game_start))
    rival = after.entry_start[section[entry]] + after.opponent
    forth = {(a, b): points for a, b, points in zip(entry, rival, after.half_points, strict=True)}
    once = {key: points for key, points in forth.items() if list(entry[rival == key[1]]).count(key[0]) == 1}
    assert all(points + once[b, a] == 2 for (a, b), points in once.items() if (b, a) in once)
    assert (before.half_points != after.half_points).mean() > 0.45


def test_no_system_of_ours_peeks(source: Source) -> None:
    entries = [
        Entry(predictor(name))
        for name in (
            "constant",
            "white",
            "published",
            "tempered",
            "live",
            "informed",
            "elo",
            "glicko",
            "glicko2",
            "stephenson",
            "glicko_boost",
            "st_charles",
            "us_chess",
        )
    ]
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
    with pytest.raises(CrosstableError, match="no predictor is called 'elo2'"):
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


def test_windows_roll_and_cover_the_whole(source: Source) -> None:
    """Each part has its own fit, and their games and deviances add up to the whole."""
    since = date(2011, 3, 1)
    found = backtest(source, [Entry(predictor("published")), Entry(predictor("elo"))], since, samples=5)
    rows = [row for row in found.windows if row["system"] == "published"]
    assert [row["from"] for row in rows] == [since, date(2012, 1, 1)]
    assert sum(row["n"] for row in rows) == int(found.window.sum())
    whole = sum(row["n"] * row["deviance"] for row in rows) / sum(row["n"] for row in rows)
    assert whole == pytest.approx(found.rows[0]["deviance"])
    assert all(row["recalibrated"] is not None for row in found.windows)
    early = backtest(source, [Entry(predictor("published"))], FIRST, samples=5)
    assert early.windows[0]["recalibrated"] is None


def test_an_opening_does_not_reach_back_to_another_pool(tmp_path: Path) -> None:
    """Player 1000's first regular rating, published later, must not open a quick rating before it was known.

    The first sections are quick; who opens how there would depend on regular sections that have not begun.
    """
    frames = tables(events=40, players=30)
    quick = pl.col("section") < 10
    sections = frames["sections"].with_columns(system=pl.when(quick).then(pl.lit("Q")).otherwise("system"))
    entries = frames["entries"].with_columns(
        pl.lit(None, pl.Int16).alias(f"quick_{name}") for name in ("pre", "pre_games", "post", "post_games")
    )
    source = read_source(str(written(tmp_path, frames | {"sections": sections, "entries": entries})))
    replayed = replayed_ratings(source, opening=True)
    history = source.federation.history
    early = slice(0, int(replayed.row_start[10]))
    later = history.sections["event_end_day"][12]
    part = source.until(date.fromordinal(int(later)))
    again = replayed_ratings(part, opening=True)
    for field in ("prior", "post"):
        assert np.array_equal(replayed.rows[field][early], again.rows[field][early], equal_nan=True)
    opened = replayed.rows[int(replayed.row_start[10])]
    assert opened["prior"] == frames["entries"].filter(section=10).sort("number")["regular_pre"][0]


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
