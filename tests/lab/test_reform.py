"""`lab reform`: the whole history under other rules, beside the actual ones."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.bootstrap import PairDifference
from crosstable.lab.reform import ACTUAL, compare, find_reform
from crosstable.lab.reform_tables import floors
from crosstable.lab.report import reform as report
from crosstable.lab.report.page import LabReport, page
from crosstable.lab.source import Source, read_source
from crosstable.rulebook import PROFILES, rulebook
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
    actual, reformed = found.raw.rows
    assert {key: value for key, value in actual.items() if key != "rules"} == {
        key: value for key, value in reformed.items() if key != "rules"
    }
    assert found.effects["classes"]["difference"].abs().max() == 0


def test_without_a_bonus_nobody_stands_higher_on_the_whole(source: Source) -> None:
    found = compare(source, [find_reform("no-bonus")], samples=10)
    total = (found.effects["classes"]["difference"] * found.effects["classes"]["players"]).sum()
    assert total < 0
    assert found.movers["difference"].min() < -1


def test_without_floors_a_loser_falls_through(tmp_path: Path) -> None:
    """Ann opens at 1830, so her floor is 1600; she loses 120 games to players of 1400 and stands on it, or far
    below.
    """
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
    last = found.effects["floors"].filter(pl.col("rules") == ACTUAL).row(-1, named=True)
    assert last["share_ending_in_00"] > 0


def test_a_reform_from_a_day_on_leaves_what_was_before(source: Source) -> None:
    later = reform("later", date(2012, 1, 1), standard={"numerator": 1600.0})
    found = compare(source, [later], samples=10)
    moved = {year: part["difference"].abs().max() for (year,), part in found.effects["classes"].group_by("year")}
    assert {year: difference != 0 for year, difference in moved.items()} == {2010: False, 2011: False, 2012: True}


def test_what_is_already_the_rule_changes_nothing_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """B is 8 from 2012-08-03 to 2014-03-19 (history list of the 2025 document, section 8)."""
    lines = [f"2013-0{month}-01,Ann,Ben,1" for month in range(1, 8)]
    path = csv(tmp_path, "\n".join(["date,white,black,score", *lines]))
    same = tmp_path / "eight.toml"
    same.write_text('title = "B = 8"\nfrom = 2013-02-10\n[bonus]\nmultiplier = 8.0\n')
    page = tmp_path / "eight.html"
    assert main(["lab", "reform", str(path), str(same), "--samples", "5", "--report", str(page)]) == 0
    said = "this is already the rule in those years (2013-02-10 to 2013-07-01): nothing changes"
    assert capsys.readouterr().out == f"B = 8: {said}\n"
    text = page.read_text(encoding="utf-8")
    assert said in text
    assert "from 2012-08-03: 8<" in text
    assert "neither better" not in text


def test_a_reform_after_the_last_game_is_refused(source: Source) -> None:
    with pytest.raises(CrosstableError, match="late begins on 2030-01-01, after the last game of 2012-11-10"):
        compare(source, [reform("late", date(2030, 1, 1), bonus={"multiplier": 20.0})])


def _at_the_end_of_2013(ratings: list[int]) -> pl.DataFrame:
    players = {"player": [str(place) for place in range(len(ratings))], "post": [float(rating) for rating in ratings]}
    return pl.DataFrame(players).with_columns(year=pl.lit(2013), games=pl.lit(99))


def test_the_share_on_floors_is_no_chance() -> None:
    """Of 500 players 24 end in 00 and 476 not: 24/500 − 476/500/99 = 0.0384; of 500 without one it is 0, not −1/99."""
    some = _at_the_end_of_2013([1500] * 24 + [1550] * 476)
    none = _at_the_end_of_2013([1550] * 500)
    few = _at_the_end_of_2013([1500] * 8 + [1550] * 391)
    found = floors({"some": some, "none": none, "few": few})
    shares = dict(zip(found["rules"], found["on_floor"], strict=True))
    assert shares == {"few": None, "none": 0.0, "some": pytest.approx(0.0384, abs=5e-5)}


def test_three_games_are_too_little_and_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = csv(
        tmp_path, "date,white,black,score\n" + "2013-01-01,Ann,Ben,1\n2013-02-01,Ben,Cay,0\n2013-03-01,Cay,Ann,1\n"
    )
    page = tmp_path / "three.html"
    assert main(["lab", "reform", str(path), "no-floors", "--samples", "5", "--report", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "By class and year: nothing to show: no player is established at the end of a year\n" in shown
    assert "On a floor (figure 2.1 of the 1996 report): nothing to show: no year has 400 established players" in shown
    assert "no player who came without a rating has played 20 events" in shown
    text = page.read_text(encoding="utf-8")
    assert "Nothing to show: no player is established" in text
    assert "share ending in 00" not in text


def test_an_interval_shows_the_side_of_nought() -> None:
    assert PairDifference("a", "b", 0.00003, 0.000002, 0.00005).figures() == ("+0.000030", "+0.000002 to +0.000050")
    assert PairDifference("a", "b", 0.25, -0.5, 0.0).figures() == ("+0.25000", "-0.50000 to +0.00000")


def test_two_reforms_against_each_other(source: Source) -> None:
    found = compare(source, [find_reform("no-bonus"), reform("B = 8", bonus={"multiplier": 8.0})], samples=10)
    assert found.names == [ACTUAL, "No bonus", "B = 8"]
    assert {(pair.a, pair.b) for pair in found.raw.pairs} == {
        (ACTUAL, "No bonus"),
        (ACTUAL, "B = 8"),
        ("No bonus", "B = 8"),
    }
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
        "No one earns a floor by a high rating.",
        (
            "from 2001-01-01: The highest established rating, rounded, minus 200, down to a multiple of 100: from 1400"
            " to 2100; from 2010-04-01"
        ),
        "earned_floor.lowest = 100000.0",
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


@pytest.mark.parametrize(
    "day", [date(2013, 5, 8), date(2013, 5, 12), date(2013, 5, 17), date(2013, 5, 18), date(2013, 5, 19)]
)
def test_a_reform_may_begin_on_any_day_about_the_day_of_practice(day: date) -> None:
    """N* changed on 2013-05-08 as written and on 2013-05-18 as practised (effective_games.toml); the reform caps it at
    40.
    """
    book = reform("cap", day, effective_games={"cap": 40.0}).apply()
    actual = rulebook("us_chess")
    for profile in PROFILES:
        for ordinal in range(date(2013, 5, 1).toordinal(), date(2013, 6, 1).toordinal()):
            when = date.fromordinal(ordinal)
            now, before = (one.rules["effective_games"].on(when, profile) for one in (book, actual))
            assert now is not None
            assert before is not None
            assert now["cap"] == (40.0 if when >= day else 50.0)
            assert now["centre"] == before["centre"]


def test_a_report_has_every_row_and_its_own_seed(source: Source, tmp_path: Path) -> None:
    """Six sets of rules over three years; the list of figures is whole, and the seed is the one that was given."""
    files = []
    for points in range(20, 45, 5):
        files.append(str(tmp_path / f"{points}.toml"))
        Path(files[-1]).write_text(f'title = "B = {points}"\n[bonus]\nmultiplier = {points}.0\n')
    path = tmp_path / "many.html"
    arguments = ["lab", "reform", source.name, *files, "--report", str(path), "--samples", "5", "--seed", "77"]
    assert main(arguments) == 0
    text = path.read_text(encoding="utf-8")
    assert "<dt>Seed</dt><dd>77</dd>" in text
    classes = len(pl.read_csv(path.with_name("many-inflation-and-deflation-by-class-and-year.csv")))
    assert classes > 60
    assert f"All figures: {classes} rows" in text
    assert "The first" not in text


def test_the_floors_table_has_every_year_of_every_rule() -> None:
    """Five sets of rules over 13 years are 65 lines; the page shows them all, the actual rules first."""
    names = [ACTUAL, *(f"reform {number}" for number in range(4))]
    rows = [(name, year, 500, 0.02, 0.01) for name in names for year in range(2001, 2014)]
    table = pl.DataFrame(rows, ["rules", "year", "players", "share_ending_in_00", "on_floor"], orient="row")
    found = page(LabReport("floors", "", (report._floors(table, names),)))
    assert "All figures: 65 rows" in found
    assert found.count("<td>actual</td>") == 13
    mixed = pl.concat([_at_the_end_of_2013([1550] * 500).with_columns(year=pl.lit(year)) for year in (2013, 2012)])
    assert floors({ACTUAL: mixed, "Reform": mixed})["rules"].to_list() == [ACTUAL, ACTUAL, "Reform", "Reform"]
