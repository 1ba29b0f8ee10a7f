"""`lab reform`: the whole history under other rules, beside the actual ones."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.reform import ACTUAL, compare, find_reform
from crosstable.lab.source import Source, read_source
from crosstable.rulebook.reform import Reform
from tests.lab.small import csv, tables, written


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return read_source(str(written(tmp_path_factory.mktemp("record"), tables(events=150, players=40))))


def reform(title: str, since: date | None = None, **rules: dict[str, float]) -> Reform:
    return Reform(title, "us_chess", rules, since)


def test_a_reform_that_changes_nothing_changes_nothing(source: Source) -> None:
    same = reform("the same", date(2009, 1, 1), standard={"numerator": 800.0})
    found = compare(source, [same], samples=10)
    actual, reformed = found.rows
    assert {key: value for key, value in actual.items() if key != "rules"} == {
        key: value for key, value in reformed.items() if key != "rules"
    }
    assert found.classes is not None
    assert found.classes["difference"].abs().max() == 0


def test_without_a_bonus_nobody_stands_higher_on_the_whole(source: Source) -> None:
    found = compare(source, [find_reform("no-bonus")], samples=10)
    assert found.classes is not None
    total = (found.classes["difference"] * found.classes["players"]).sum()
    assert total < 0
    assert found.movers["difference"].min() < -1


def test_without_floors_a_loser_falls_through(tmp_path: Path) -> None:
    """Ann opens at 1830, so her floor is 1600; she loses 120 games to players of 1400 and stands on it, or far below."""
    lines = [
        f"{date(2015, 1, 1) + timedelta(days=7 * event)},Ann,Rival {event % 6} {game},0,1830,1400"
        for event in range(30)
        for game in range(4)
    ]
    path = csv(tmp_path, "\n".join(["date,white,black,score,white_rating,black_rating", *lines]))
    found = compare(read_source(str(path)), [find_reform("no-floors")], samples=10)
    ann = found.movers.filter(pl.col("player") == "Ann").row(0, named=True)
    assert ann["actual"] == 1600
    assert ann["reformed"] < 1500
    assert found.floors is not None
    last = found.floors.filter(pl.col("rules") == ACTUAL).row(-1, named=True)
    assert last["share_ending_in_00"] > 0


def test_a_reform_from_a_day_on_leaves_what_was_before(source: Source) -> None:
    later = reform("later", date(2012, 1, 1), standard={"numerator": 1600.0})
    found = compare(source, [later], until=date(2011, 12, 31), samples=10)
    assert found.rows[0]["deviance"] == found.rows[1]["deviance"]
    assert compare(source, [later], samples=10).rows[0]["deviance"] != found.rows[0]["deviance"]


def test_two_reforms_against_each_other(source: Source) -> None:
    found = compare(source, [find_reform("no-bonus"), reform("B = 8", bonus={"multiplier": 8.0})], samples=10)
    assert found.names == [ACTUAL, "No bonus", "B = 8"]
    assert {(pair.a, pair.b) for pair in found.pairs} == {
        (ACTUAL, "No bonus"), (ACTUAL, "B = 8"), ("No bonus", "B = 8"),
    }  # fmt: skip
    assert found.newcomers is not None
    with pytest.raises(CrosstableError, match="one title"):
        compare(source, [find_reform("no-bonus"), find_reform("no-bonus")])


def test_st_charles_with_24_instead_of_21(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two equals at 400: the winner of the one game gains 24 and not 21."""
    path = csv(tmp_path, "date,white,black,score\n2020-01-01,Ann,Ben,1\n")
    change = tmp_path / "more.toml"
    change.write_text('title = "24 points"\nsystem = "st_charles"\n[formula]\nat_risk = 24\n')
    assert main(["lab", "reform", str(path), str(change), "--json", "--samples", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    movers = {row["player"]: (row["actual"], row["reformed"]) for row in found["movers"]}
    assert movers == {"Ann": (421.0, 424.0), "Ben": (379.0, 376.0)}


def test_the_report_of_a_reform(source: Source, tmp_path: Path) -> None:
    path = tmp_path / "reform.html"
    assert main(["lab", "reform", source.name, "no-bonus", "no-floors", "--report", str(path), "--samples", "10"]) == 0
    text = path.read_text(encoding="utf-8")
    for words in (
        "Inflation and deflation",
        "Share on floors",
        "How newcomers travel",
        "Who gains",
        "earned_floor",
        "lab reform",
    ):
        assert words in text
    assert path.with_name("reform-prediction.csv").exists()


def test_what_is_wrong_with_a_reform_is_said_first(
    source: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[bonus]\nmultiplyer = 8\n")
    assert main(["lab", "reform", str(tmp_path / "nowhere"), str(wrong)]) == 1
    assert "bonus has no multiplyer" in capsys.readouterr().err
    with pytest.raises(CrosstableError, match="no-bonus, no-floors"):
        find_reform("no-bonuses")
    with pytest.raises(CrosstableError, match="cannot be replayed"):
        compare(source, [Reform("x", "fide", {"k": {"normal": 30}})])
    both = [find_reform("no-bonus"), Reform("x", "elo", {"curve": {"scale": 500}})]
    with pytest.raises(CrosstableError, match="one system"):
        compare(source, both)
