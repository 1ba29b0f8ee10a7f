"""Where games come from: folders, offices and plain tables; nothing tells who is named first, and mistakes are said in words."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from crosstable.errors import CrosstableError
from crosstable.lab.games import NoHistory
from crosstable.lab.predictors import names, predictor
from crosstable.lab.source import read_source
from tests.lab.small import csv, tables, turned, written

PLAIN = "date,white,black,score\n2020-01-01,Ann,Ben,1\n2020-01-01,Cy,Ann,0.5\n2020-02-01,Ben,Cy,0\n"
#: These rate any games of chess; the others may refuse (go, systems without a start, rules of the 1990s)
ANY_GAMES = {
    "constant", "white", "published", "tempered", "live", "elo", "glicko", "glicko2", "stephenson", "glicko_boost", "st_charles", "us_chess",
}  # fmt: skip


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
        ("date,white,black,score\nsoon,A,B,1\n2020-01-01,A,A,1\n2020-01-01,,B,2\n",
         r"line 2: date 'soon' is not a date.*line 4: score '2' is no score.*line 4: white is empty.*line 3: white 'A' plays against themself"),
    ],
)  # fmt: skip
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
