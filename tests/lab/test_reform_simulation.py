"""`lab simulate --reform`: the same federations under other rules, held against the true strengths."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.reform import ACTUAL, find_reform
from crosstable.lab.reform_simulation import DISTANCE, LEVEL, Recovery, interval, recovery
from crosstable.lab.report.recovery import conclusions
from crosstable.lab.setting import SimulationSetting
from crosstable.rulebook.reform import Reform

SMALL = SimulationSetting(players=240, years=4, seed=3, events_per_week=3, sandbaggers=4, isolated=8)


@pytest.fixture(scope="module")
def found() -> Recovery:
    same = Reform("the same", "us_chess", {"standard": {"numerator": 800.0}})
    return recovery(SMALL, [find_reform("no-bonus"), same], seeds=3)


def test_rules_that_say_the_same_change_nothing(found: Recovery) -> None:
    for table in (found.years, found.newcomers):
        same = table.filter(pl.col("rules") == "the same")
        assert len(same) == len(table.filter(pl.col("rules") == ACTUAL))
        assert same.select(pl.col("change", "low", "high").abs().max()).row(0) == (0.0, 0.0, 0.0)


def test_without_a_bonus_the_level_sinks(found: Recovery) -> None:
    level = found.years.filter((pl.col("rules") == "No bonus") & (pl.col("what") == LEVEL)).sort("year")
    assert level["change"][-1] < 0
    assert level["low"][-1] <= level["change"][-1] <= level["high"][-1]


def test_newcomers_are_nearer_to_the_truth_after_more_events(found: Recovery) -> None:
    path = found.newcomers.filter(pl.col("rules") == ACTUAL).sort("events")
    assert path["points"][0] > path["points"][-1] > 0
    assert path["players"].to_list() == sorted(path["players"], reverse=True)
    distance = found.years.filter((pl.col("rules") == ACTUAL) & (pl.col("what") == DISTANCE))
    assert distance["points"].min() > 0


def test_an_interval_of_seeds_by_hand() -> None:
    """1, 2 and 3: mean 2, standard deviation 1, Student's 4.303 with two degrees of freedom."""
    mean, low, high = interval([1.0, 2.0, 3.0])
    assert (mean, low, high) == pytest.approx((2.0, 2 - 4.303 / np.sqrt(3), 2 + 4.303 / np.sqrt(3)))
    assert interval([4.0]) == (4.0, None, None)
    assert interval([]) == (None, None, None)


def test_the_sentences_say_how_sure_they_are(found: Recovery) -> None:
    first, bonus, same = conclusions(found)
    assert first == "In 3 made-up federations of 240 players over 4 years:"
    assert bonus.startswith("under “No bonus” after 5 events a newcomer's rating is ")
    assert "as under the actual rules (change +0.0, +0.0 to +0.0)" in same


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["lab", "simulate", "--players", "80", "--years", "2", "--events", "1", "--sandbaggers", "2"]
    arguments += ["--isolated", "4", "--reform", "no-bonus", "--seeds", "2"]
    assert main([*arguments, "--json", "--report", str(tmp_path / "sooner.html")]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["rules"], shown["seeds"]) == ([ACTUAL, "No bonus"], [1, 2])
    text = (tmp_path / "sooner.html").read_text(encoding="utf-8")
    assert "Does it find the truth sooner? No bonus" in text
    assert "<dt>Seeds</dt><dd>1, 2</dd>" in text
    assert main(arguments) == 0
    assert "In 2 made-up federations of 80 players over 2 years:" in capsys.readouterr().out


def test_only_reforms_of_us_chess_are_simulated() -> None:
    with pytest.raises(CrosstableError, match="only reforms of us_chess"):
        recovery(SMALL, [Reform("x", "elo", {"curve": {"scale": 500}})])
    with pytest.raises(CrosstableError, match="one title"):
        recovery(SMALL, [find_reform("no-bonus"), find_reform("no-bonus")])
