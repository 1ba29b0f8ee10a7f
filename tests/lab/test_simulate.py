"""`lab simulate`: on simulated truth the true model predicts best; the federation and its pairings are as
documented.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.history_tables import write_tables
from crosstable.lab.setting import SimulationSetting
from crosstable.lab.simulation import Simulation, play, simulate
from crosstable.lab.source import read_source
from crosstable.lab.tracking import TRUTH, Tracking, track
from crosstable.simulation import season
from crosstable.simulation.season import SANDBAG

SMALL = SimulationSetting(players=240, years=4, seed=3, events_per_week=3, sandbaggers=6, isolated=12)


@pytest.fixture(scope="module")
def found() -> Tracking:
    return track(SMALL, ["us_chess", "elo", "glicko", "glicko2", "stephenson"], samples=50)


@pytest.fixture(scope="module")
def simulation(found: Tracking) -> Simulation:
    return found.simulation


def test_the_true_model_has_the_best_deviance(found: Tracking) -> None:
    deviance = {row["system"]: row["deviance"] for row in found.backtest.rows}
    assert min(deviance, key=lambda name: deviance[name]) == TRUTH
    assert deviance["constant"] == pytest.approx(0.30103, abs=5e-6)
    beaten = [pair for pair in found.backtest.pairs if pair.b == TRUTH]
    assert all(pair.low > 0 for pair in beaten)


def test_results_follow_the_truth(simulation: Simulation) -> None:
    """Score less expectation averages nought, overall and for favourites."""
    surprise = simulation.games.score - simulation.expected
    assert abs(surprise.mean()) < 4 * surprise.std() / np.sqrt(len(surprise))
    favourites = surprise[simulation.expected > 0.75]
    assert abs(favourites.mean()) < 4 * favourites.std() / np.sqrt(len(favourites))


def test_one_seed_one_federation() -> None:
    tiny = SimulationSetting(players=60, years=1, seed=9, events_per_week=1, sandbaggers=2, isolated=4)
    assert simulate(tiny).games.digest() == simulate(tiny).games.digest()
    other = SimulationSetting(players=60, years=1, seed=10, events_per_week=1, sandbaggers=2, isolated=4)
    assert simulate(other).games.digest() != simulate(tiny).games.digest()


def test_the_compiled_season_is_the_plain_one() -> None:
    """There is one generator: the lab compiles the functions that the example office calls."""
    tiny = SimulationSetting(players=60, years=1, seed=9, events_per_week=0.5, sandbaggers=2, isolated=4)
    fast, plain = play(tiny), play(tiny, season)
    assert fast.games > 100
    assert np.array_equal(fast.people.strength, plain.people.strength)
    assert all(np.array_equal(one, other) for one, other in zip(fast.played, plain.played, strict=True))


def test_the_isolated_only_meet_each_other(simulation: Simulation) -> None:
    games = simulation.games
    isolated = simulation.people.isolated[games.ids]
    assert (isolated[games.one] == isolated[games.two]).all()
    assert isolated[games.one].any()


def test_sandbaggers_play_below_themselves(simulation: Simulation) -> None:
    games, people = simulation.games, simulation.people
    week = (games.day - SMALL.first.toordinal()) // 7
    strength = people.strength[week, games.ids[games.two]]
    below = strength - simulation.truth[:, 1]
    bags = people.sandbagger[games.ids[games.two]]
    assert np.allclose(below[~bags], 0)
    assert set(np.round(below[bags]).tolist()) == {0.0, SANDBAG}
    assert (below[bags] == SANDBAG).mean() > 0.8


def test_children_learn_and_the_old_decline(simulation: Simulation) -> None:
    people = simulation.people
    age = (SMALL.first.toordinal() + 7 * people.first_week - people.born) / 365.25
    there = people.first_week == 0
    change = people.strength[-1] - people.strength[0]
    assert change[there & (age < 12)].mean() > 100
    assert change[there & (age > 55)].mean() < 0


def test_systems_learn_and_newcomers_are_farther_off(found: Tracking) -> None:
    glicko = found.years.filter(found.years["system"] == "glicko")
    assert glicko["correlation"][-1] > 0.9
    assert glicko["spread_of_error"][-1] < glicko["spread_of_error"][0]
    soon = found.soon.filter(found.soon["system"] == "glicko")["mean_distance"].to_list()
    assert soon[0] > soon[-1]


def test_sandbaggers_fool_every_system(found: Tracking) -> None:
    """They play 350 points below themselves most of the time: no system that sees results can know better."""
    last = found.groups.filter((found.groups["group"] == "sandbaggers") & (found.groups["year"] == 2008))
    assert len(last) == 5
    assert (last["away_from_truth"] < -100).all()


def test_a_simulation_is_a_source_like_any_other(simulation: Simulation, tmp_path: Path) -> None:
    write_tables(simulation.games, tmp_path / "made")
    games = read_source(str(tmp_path / "made")).games
    assert (len(games), games.players) == (len(simulation.games), simulation.games.players)
    assert np.array_equal(games.score, simulation.games.score)
    assert games.white.all()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["lab", "simulate", "--players", "60", "--years", "1", "--events", "1", "--sandbaggers", "2"]
    arguments += ["--isolated", "4", "--systems", "elo", "--report", str(tmp_path / "sim.html"), "--json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"games", "rows", "pairs", "years", "soon", "groups"} <= set(found)
    assert "Does a system find the truth?" in (tmp_path / "sim.html").read_text(encoding="utf-8")


def test_what_cannot_be_simulated_is_refused_in_words() -> None:
    with pytest.raises(CrosstableError, match=r"players is 3.*years is 0"):
        simulate(SimulationSetting(players=3, years=0, sandbaggers=0, isolated=0))
    with pytest.raises(CrosstableError, match="more than half"):
        simulate(SimulationSetting(players=50, sandbaggers=30))
    with pytest.raises(CrosstableError, match="events_per_week is 0, but must be more than 0"):
        simulate(SimulationSetting(events_per_week=0))
    with pytest.raises(CrosstableError, match="aga: only us_chess"):
        track(SMALL, ["aga"])
