"""Where games come from: folders, offices and plain tables; nothing tells who is named first, and mistakes are said in
words.
"""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from crosstable.cli import main
from crosstable.cli.output import day as typed
from crosstable.errors import CrosstableError
from crosstable.lab.games import NoHistory
from crosstable.lab.predictors import names, predictor
from crosstable.lab.source import read_source
from tests.lab.small import csv, tables, turned, written

PLAIN = "date,white,black,score\n2020-01-01,Ann,Ben,1\n2020-01-01,Cy,Ann,0.5\n2020-02-01,Ben,Cy,0\n"
#: These rate any games of chess; the others may refuse (go, systems without a start, rules of the 1990s)
ANY_GAMES = {
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
}


def test_crosstables_name_the_better_finisher_first_and_the_lab_does_not(tmp_path: Path) -> None:
    frames = tables()
    assert (frames["games"]["half_points"] / 2).mean() > 0.75
    games = read_source(str(written(tmp_path, frames))).games
    assert len(games) == frames["games"].height
    assert games.score[~games.white].mean() == pytest.approx(0.5, abs=0.03)


def test_every_prediction_turns_round_when_every_row_is_turned(tmp_path: Path) -> None:
    frames = tables()
    forth = read_source(str(written(tmp_path / "forth", frames)))
    back = read_source(str(written(tmp_path / "back", frames | {"games": turned(frames["games"])})))
    assert forth.games.digest() == back.games.digest()
    for name in names():
        try:
            found = predictor(name)(forth)
        except CrosstableError:
            assert name not in ANY_GAMES
            continue
        assert np.array_equal(found, predictor(name)(back)), name


def test_a_plain_table(tmp_path: Path) -> None:
    games = read_source(str(csv(tmp_path, PLAIN))).games
    assert games.ids.tolist() == ["Ann", "Ben", "Cy"]
    assert (games.one.tolist(), games.two.tolist(), games.score.tolist()) == ([0, 2, 1], [1, 0, 2], [1.0, 0.5, 0.0])
    assert games.white.all()
    assert games.periods().first.tolist() == [0, 2, 3]
    assert games.day.tolist() == [date(2020, 1, 1).toordinal()] * 2 + [date(2020, 2, 1).toordinal()]


def test_results_may_be_written_as_results(tmp_path: Path) -> None:
    text = "date,white,black,score\n2020-01-01,A,B,1-0\n2020-01-02,A,C, 1/2-1/2\n2020-01-03,B,C,0-1\n2020-01-04,B,C,1\n"
    games = read_source(str(csv(tmp_path, text))).games
    assert games.score.tolist() == [1.0, 0.5, 0.0, 1.0]


def test_an_empty_cell_is_called_empty(tmp_path: Path) -> None:
    path = csv(tmp_path, "date,white,black,score\n,A,B,1\n2020-01-02,A,C,\n")
    with pytest.raises(CrosstableError, match=r"line 2: date is empty; line 3: score is empty$"):
        read_source(str(path))


def test_a_table_whose_columns_only_name_the_players(tmp_path: Path) -> None:
    path = str(csv(tmp_path, PLAIN))
    assert not read_source(path, colours=False).games.white.any()


def test_a_table_in_any_order_is_rated_by_date(tmp_path: Path) -> None:
    lines = PLAIN.splitlines()
    mixed = "\n".join([lines[0], lines[3], lines[1], lines[2]])
    assert (
        read_source(str(csv(tmp_path, mixed))).games.digest() == read_source(str(csv(tmp_path, PLAIN))).games.digest()
    )


def test_us_chess_rates_a_plain_table(tmp_path: Path) -> None:
    found = predictor("us_chess")(read_source(str(csv(tmp_path, PLAIN))))
    assert found[:2].tolist() == [0.5, 0.5]  # both days begin with newcomers
    assert found[2] < 0.5  # Ben lost, Cy drew


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("date,white,black\n", "no column score"),
        ("date,white,black,score\n", "holds no games"),
        (
            "date,white,black,score\nsoon,A,B,1\n2020-01-01,A,A,1\n2020-01-01,,B,2\n",
            (
                r"line 2: date 'soon' is not a date.*line 4: score '2' is not a score.*line 4: white is empty.*line 3:"
                r" white 'A' plays against themself"
            ),
        ),
    ],
)
def test_all_mistakes_of_a_table_are_said_at_once(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(CrosstableError, match=words):
        read_source(str(csv(tmp_path, text)))


def test_no_source_and_no_games_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(CrosstableError, match="no such folder or file"):
        read_source(str(tmp_path / "nowhere"))
    with pytest.raises(CrosstableError, match=r"sections\.parquet"):
        read_source(str(tmp_path))
    frames = tables(events=2)
    empty = frames | {"games": frames["games"].clear()}
    with pytest.raises(NoHistory, match="no games"):
        read_source(str(written(tmp_path / "empty", empty)))
    with pytest.raises(CrosstableError, match="OTBR, OTBQ, OTBB"):
        read_source(str(written(tmp_path / "some", frames)), "ELO")


def test_an_office_is_a_source(migrated: Path, tmp_path: Path) -> None:
    from crosstable import office
    from crosstable.office.example.load import load

    shutil.copyfile(migrated, tmp_path / "office.db")
    url = f"sqlite:///{tmp_path}/office.db"
    office.setup(url)
    load(count=80, tournaments=15, lists=0)
    source = read_source(url)
    assert len(source.games) > 50
    assert predictor("us_chess")(source).std() > 0
    assert predictor("published")(source).std() > 0


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("2020-03-04", (2020, 3, 4)),
        ("03/04/2020", (2020, 3, 4)),
        ("4.3.2020", (2020, 3, 4)),
        ("Mar 4 2020", (2020, 3, 4)),
    ],
)
def test_a_date_is_read_as_from_is(tmp_path: Path, cell: str, day: tuple[int, int, int]) -> None:
    """03/04/2020 is the fourth of March in a table and behind --from alike."""
    games = read_source(str(csv(tmp_path, f"date,white,black,score\n{cell},A,B,1\n2020-05-01,A,B,1\n"))).games
    assert date.fromordinal(int(games.day[0])) == date(*day) == typed(cell)


def test_a_date_with_the_day_before_a_slash_is_refused(tmp_path: Path) -> None:
    path = csv(tmp_path, "date,white,black,score\n03/04/2020,A,B,1\n13/04/2020,A,B,1\n")
    with pytest.raises(
        CrosstableError, match=r"line 3: date '13/04/2020' is not a date such as 2013-05-31 or 5/31/2013$"
    ):
        read_source(str(path))


def test_text_ratings_later_years_and_repeated_rounds_are_refused(tmp_path: Path) -> None:
    text = """date,white,black,score,round,white_rating,black_rating
2020-01-01,A,B,1,1,15oo,1400
2999-01-01,A,C,1,2,1500,
2020-01-01,C,D,1,1,1500,inf
2020-01-02,A,D,1,2,1500,1400
2020-01-02,A,D,1,2,1500,1400
"""
    with pytest.raises(CrosstableError) as refused:
        read_source(str(csv(tmp_path, text)))
    for words in (
        "line 3: date '2999-01-01' is after today",
        "line 2: white_rating '15oo' is not a number",
        "line 4: black_rating 'inf' is not a number",
        "line 6: white 'A' has this game on an earlier line too",
    ):
        assert words in str(refused.value)


def test_repeated_rows_without_rounds_bring_a_caution(tmp_path: Path) -> None:
    """Two blitz games of an evening may look the same, so they stay."""
    source = read_source(
        str(csv(tmp_path, "date,white,black,score\n" + "2020-01-01,A,B,1\n" * 3 + "2020-01-01,A,C,1\n"))
    )
    (caution,) = source.cautions
    assert (caution.kind, dict(caution.facts)) == ("repeated-rows", {"rows": 2, "line": 3})
    assert len(source.games) == 4
    assert source.until(date(2020, 1, 1)).cautions == source.cautions


def test_a_table_that_names_the_winner_first_brings_a_caution(tmp_path: Path) -> None:
    """Of 100 games the first-named wins 61 and loses 39: 0.61. White has never had 0.60."""
    lines = [f"2020-01-01,A{n},B{n},{int(n < 61)}" for n in range(100)]
    (caution,) = read_source(str(csv(tmp_path, "\n".join(["date,white,black,score", *lines])))).cautions
    assert caution.kind == "first-named-wins"
    assert caution.text.startswith("The player named first scored 0.61 on average in 100 games")
    assert read_source(str(tmp_path / "games.csv"), colours=False).cautions == ()
    lines[60] = "2020-01-01,A60,B60,0"
    assert read_source(str(csv(tmp_path, "\n".join(["date,white,black,score", *lines])))).cautions == ()


def test_few_events_bring_a_caution_in_words_json_and_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = csv(tmp_path, PLAIN)
    arguments = ["lab", "backtest", str(path), "--systems", "constant,elo", "--samples", "5", "--json"]
    assert main([*arguments, "--report", str(tmp_path / "few.html")]) == 0
    shown = capsys.readouterr()
    words = "Only 2 events are in the window. Intervals from resampled events need at least 30"
    assert f"warning: {words}" in shown.err
    found = json.loads(shown.out)
    assert (found["events"], [one["kind"] for one in found["cautions"]]) == (2, ["few-events"])
    assert {"players_low", "players_high"} <= set(found["pairs"][0])
    assert words in (tmp_path / "few.html").read_text(encoding="utf-8")


def test_no_system_at_all_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "backtest", str(csv(tmp_path, PLAIN)), "--systems", ""]) == 1
    assert "name at least one system" in capsys.readouterr().err
    assert main(["lab", "simulate", "--players", "60", "--years", "1", "--systems", " , "]) == 1
    assert "name at least one system" in capsys.readouterr().err
