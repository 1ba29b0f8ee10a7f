"""What a committee asks of a reform: level, moves, distribution, groups, and a verdict that a delegate understands."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from crosstable.errors import CrosstableError
from crosstable.lab.reform import ACTUAL, Comparison, compare, find_reform
from crosstable.lab.reform_effects import distribution, inflation, moved
from crosstable.lab.reform_groups import mean_by_event
from crosstable.lab.report.reform import reform_report, write_reform_report
from crosstable.lab.report.verdict import ReformOutcome, ReformVerdict, in_words, verdict
from crosstable.lab.setting import SimulationSetting
from crosstable.lab.simulation import simulate
from crosstable.lab.source import read_source
from crosstable.lab.table_source import frame_source
from crosstable.lab.tracking import source_of
from crosstable.rulebook.reform import Reform
from tests.lab.small import tables, written


def at_end(**ratings: list[float]) -> dict[str, pl.DataFrame]:
    """Rules and the ratings of the same players at the end of 2013, all established."""
    return {
        name: (
            pl.DataFrame({"player": range(len(values)), "post": values}).with_columns(
                year=pl.lit(2013), games=pl.lit(99)
            )
        )
        for name, values in ratings.items()
    }


ROWS = at_end(actual=[1500.0, 1590.0, 1610.0, 1800.0], reform=[1510.0, 1640.0, 1510.0, 1800.0])


def test_inflation_is_a_mean_with_its_interval() -> None:
    """Changes of +10, +50, −100 and 0: mean −10, standard deviation 63.77, error 1.96 × 63.77/2 = 62.5."""
    row = inflation(ROWS).row(0, named=True)
    assert (row["rules"], row["year"], row["players"], row["inflation"]) == ("reform", 2013, 4, -10.0)
    assert (row["low"], row["high"]) == pytest.approx((-72.5, 52.5), abs=0.05)


def test_how_many_move_and_change_class() -> None:
    """50 and −100 are moves of 50, one of them of 100. 1590 to 1640 is a class up, 1610 to 1510 a class down."""
    row = moved(ROWS).row(0, named=True)
    assert (row["by_50"], row["by_100"]) == (2, 1)
    assert (row["to_a_higher_class"], row["to_a_lower_class"]) == (1, 1)
    assert row["median_move"] == 30.0  # of 0, 10, 50, 100


def test_the_distribution_counts_everyone_once() -> None:
    table = distribution(ROWS)
    counts = {(row["rules"], row["class"]): row["players"] for row in table.iter_rows(named=True)}
    assert counts == {
        ("actual", 1400): 2,
        ("actual", 1600): 1,
        ("actual", 1800): 1,
        ("reform", 1400): 2,
        ("reform", 1600): 1,
        ("reform", 1800): 1,
    }
    assert table.group_by("rules").agg(pl.col("share").sum())["share"].to_list() == [1.0, 1.0]


def test_the_interval_of_a_group_goes_by_events() -> None:
    """Two events of two equal games each: the mean is 0.2, and the error that of two numbers, 0.1 and 0.3."""
    mean, low, high = mean_by_event(np.array([0.1, 0.1, 0.3, 0.3]), np.ones(4), np.array([5, 5, 9, 9]))
    error = 1.96 * np.std([0.1, 0.3], ddof=1) / np.sqrt(2)
    assert (mean, low, high) == pytest.approx((0.2, 0.2 - error, 0.2 + error), abs=1e-5)


@pytest.fixture(scope="module")
def found() -> Comparison:
    """A made-up federation, whose birth dates are known."""
    source = source_of(simulate(SimulationSetting(players=600, years=5, events_per_week=4, sandbaggers=4, isolated=8)))
    fast = Reform("K × 4", "us_chess", {"standard": {"numerator": 3200.0}})
    return compare(source, [find_reform("no-bonus"), fast], samples=100)


def test_groups_begin_with_juniors_and_show_no_handful(found: Comparison) -> None:
    groups = found.effects["groups"]
    assert groups["by"].unique(maintain_order=True).to_list() == ["age", "rating", "class"]
    ages = groups.filter(pl.col("by") == "age")["group"].unique(maintain_order=True).to_list()
    assert ages[0] in ("under 9", "9 to 12")
    by_age = groups.filter((pl.col("by") == "age") & (pl.col("rules") == "K × 4"))
    every = int(found.window.sum())
    assert by_age["games"].sum() <= 2 * every
    standing = groups.filter((pl.col("by") == "rating") & (pl.col("rules") == "K × 4"))
    assert standing["games"].sum() == 2 * every


def test_years_roll_from_one_origin_to_the_next(found: Comparison) -> None:
    years = found.years.filter(pl.col("rules") == "No bonus")
    assert years["games"].sum() == int(found.window.sum())
    total = (years["gain"] * years["games"]).sum() / years["games"].sum()
    assert found.recalibrated is not None
    assert total == pytest.approx(found.recalibrated.behind_actual("No bonus").difference, abs=1e-12)
    fits = found.fits[ACTUAL]
    assert [fit.before for fit in fits] == [date(year, 1, 1) for year in years["year"]]
    assert [fit.games for fit in fits] == sorted(fit.games for fit in fits)


def test_the_verdict_is_the_recalibrated_joint_one(found: Comparison) -> None:
    """Ratings that swing with every game are worse whatever the slope, and the sentence says how much and how
    surely.
    """
    one = verdict(found, "K × 4")
    pair = found.headline.behind_actual("K × 4")
    worth = -np.log10(0.5) - found.headline.deviance[ACTUAL]
    assert one.outcome is ReformOutcome.WORSE
    assert one.gain == pytest.approx(pair.difference / worth)
    assert one.low < one.gain < one.high < 0
    assert (one.low, one.high) == pytest.approx((pair.joint_low / worth, pair.joint_high / worth))
    words = in_words(one)
    assert words.startswith("“K × 4” predicts results worse than the actual rules: its ratings tell")
    assert f"{-100 * one.gain:.1f}\N{NO-BREAK SPACE}% less about who will win" in words
    assert "change class." in words


def test_a_verdict_that_is_open_says_so() -> None:
    open_ = ReformVerdict("B = 9", ReformOutcome.OPEN, 0.001, -0.002, 0.004, raw_is_opposite=False)
    assert (
        in_words(open_)
        == "These games cannot tell whether “B = 9” predicts results better: it lies between 0.20\N{NO-BREAK SPACE}%"
        " worse and 0.40\N{NO-BREAK SPACE}% better."
    )
    sure = ReformVerdict("K × 1.2", ReformOutcome.BETTER, 0.0066, 0.0046, 0.0084, raw_is_opposite=True)
    assert (
        in_words(sure)
        == "“K × 1.2” predicts results better than the actual rules: its ratings tell 0.66\N{NO-BREAK SPACE}% more"
        " about who will win (0.46\N{NO-BREAK SPACE}% to 0.84\N{NO-BREAK SPACE}%). (With the printed winning"
        " expectancy it looks the other way round.)"
    )


def test_the_first_page_of_the_report(found: Comparison, tmp_path: Path) -> None:
    report = reform_report(found, ["lab", "reform"])
    assert report.lead.count("“") == 2
    assert "predicts them worse" in report.lead or "predict them worse" in report.lead
    first = report.parts[0]
    assert first.title == "At a glance"
    assert first.table is not None
    assert first.table["reform"].to_list() == ["No bonus", "K × 4"]
    assert {"results", "tells_more_%", "from", "to", "level_points", "moved_50_%", "other_class_%"} <= set(
        first.table.columns
    )
    titles = [part.title for part in report.parts]
    for title in (
        "Differences",
        "Does it hold in every year?",
        "Inflation, year by year",
        "How far players move",
        "The distribution before and after",
        "For whom it predicts better",
        "How newcomers travel",
    ):
        assert title in titles
    text = write_reform_report(found, tmp_path / "reform.html", ["lab", "reform"])[0].read_text(encoding="utf-8")
    assert "birth" not in text.replace("birth dates are known", "")


def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "lab.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    written(tmp_path / "history", tables(events=150, players=40))
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(page), "exec"), {})  # noqa: S102 - our own page
    assert "K × 1.2" in capsys.readouterr().out


def test_a_data_frame_is_a_source(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"date": [date(2020, 1, 1)] * 2, "white": ["A", "B"], "black": ["B", "C"], "score": [1.0, 0.5]}
    )
    frame.write_parquet(tmp_path / "games.parquet")
    source = frame_source(frame)
    assert source.digest == read_source(str(tmp_path / "games.parquet")).digest
    with pytest.raises(CrosstableError, match="games: no column score"):
        frame_source(frame.drop("score"))
