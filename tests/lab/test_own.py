"""Predictors of one's own in the lab: a class in a file, a table of predictions, and the leaderboard."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.backtest import Entry, backtest
from crosstable.lab.own import load_predictor, own_predictor, table_predictor, write_games
from crosstable.lab.predictors import predictor
from crosstable.lab.predictors.base import LooksAhead
from crosstable.lab.source import Source, read_source
from tests.lab.small import tables, written

SINCE, UNTIL = date(2010, 9, 1), date(2010, 12, 31)
OWN = '''
import polars as pl

class Published:
    """The ratings as they were published."""
    name = "by hand"

    def predict(self, games):
        difference = (games["white_rating"] - games["black_rating"]).fill_null(0)
        return 1 / (1 + 10 ** (-difference / 400))
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("history"), tables())


@pytest.fixture(scope="module")
def source(folder: Path) -> Source:
    return read_source(str(folder))


def test_a_class_in_a_file_is_scored_like_any_other(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its formula is that of `published` with its defaults, so the scores are too."""
    (tmp_path / "mine.py").write_text(OWN)
    arguments = ["--own", f"{tmp_path / 'mine.py'}:Published", "--systems", "published", "--samples", "20", "--json"]
    assert main(["lab", "backtest", str(folder), *arguments]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["system"] for row in rows] == ["published", "by hand"]
    assert rows[1]["deviance"] == pytest.approx(rows[0]["deviance"], abs=1e-12)


def test_an_own_predictor_learns_day_by_day(source: Source) -> None:
    seen: list[tuple[date, int]] = []

    class Curious:
        def predict(self, games: pl.DataFrame) -> list[float]:
            assert "score" not in games.columns
            assert games["date"].n_unique() == 1
            return [0.5] * len(games)

        def learn(self, games: pl.DataFrame) -> None:
            seen.append((games["date"][0], int(games["score"].len())))

    own_predictor(Curious())(source)
    assert [day for day, _ in seen] == sorted({date.fromordinal(int(day)) for day in source.games.day})
    assert sum(games for _, games in seen) == len(source.games)


def test_an_own_predictor_that_uses_the_order_of_rows_is_refused(source: Source) -> None:
    with pytest.raises(LooksAhead, match="ByRow uses the order of rows"):
        backtest(source, [Entry(own_predictor(ByRow()))], SINCE, UNTIL, samples=10)


class ByRow:
    """Uses the place of a row."""

    def predict(self, games: pl.DataFrame) -> list[float]:
        return np.linspace(0.2, 0.8, len(games)).tolist()


def predictions(source: Source, path: Path) -> pl.DataFrame:
    write_games(source, path)
    frame = pl.read_parquet(path)
    return frame.with_columns(expected=pl.Series(predictor("published")(source)))


def test_a_table_of_predictions_is_scored_and_cannot_be_checked(source: Source, tmp_path: Path) -> None:
    frame = predictions(source, tmp_path / "games.parquet")
    frame.select("game", "white", "black", "expected").sample(fraction=1, shuffle=True, seed=1).write_csv(
        tmp_path / "mine.csv"
    )
    entries = [
        Entry(predictor("published")),
        Entry(table_predictor(tmp_path / "mine.csv", "mine", SINCE, UNTIL)),
    ]
    found = backtest(source, entries, SINCE, UNTIL, samples=10)
    assert found.rows[1]["deviance"] == pytest.approx(found.rows[0]["deviance"], abs=1e-12)
    assert [one.kind for one in found.cautions][-1] == "from-a-file"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda frame: frame.filter(pl.col("game") != frame["game"].max()), "game 1439 of the window is not predicted"),
        (lambda frame: frame.with_columns(white=pl.lit("1")), "other games"),
        (lambda frame: pl.concat([frame, frame[-1:]]), "predicted twice"),
        (lambda frame: frame.with_columns(expected=pl.lit(1.5)), "no expected score between 0 and 1"),
        (lambda frame: frame.drop("expected"), "no column expected"),
    ],
)
def test_wrong_tables_of_predictions_are_refused(source: Source, tmp_path: Path, change: object, says: str) -> None:
    frame = predictions(source, tmp_path / "games.parquet")
    assert callable(change)
    change(frame).write_parquet(tmp_path / "mine.parquet")
    with pytest.raises(CrosstableError, match=says):
        table_predictor(tmp_path / "mine.parquet", "mine", SINCE, None)(source)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mine.py", "write FILE.py:CLASS"),
        ("nowhere.py:Mine", "write FILE.py:CLASS"),
        ("{}:Nobody", "AttributeError"),
        ("{}:Path", "has no method predict"),
    ],
)
def test_wrong_names_of_predictors_are_refused(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from pathlib import Path\n")
    with pytest.raises(CrosstableError, match=says):
        load_predictor(text.format(file))


def test_a_leaderboard_is_one_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    page = tmp_path / "board.html"
    own = ["--own", f"{tmp_path / 'mine.py'}:Published", "--samples", "50"]
    assert main(["lab", "leaderboard", str(folder), "--from", "2010-09-01", "--report", str(page), *own]) == 0
    table = pl.read_csv(next(tmp_path.glob("board*standings*.csv")))
    assert {"tempered", "us_chess", "glicko2", "by hand", "constant"} <= set(table["system"])
    assert table["deviance"].to_list() == sorted(table["deviance"])
    assert table["place"][0] == 1
    behind = table.filter(pl.col("system") == "constant")
    assert behind["place"][0] > 1
    assert behind["low"][0] <= behind["behind"][0] <= behind["high"][0]
    text = page.read_text(encoding="utf-8")
    assert "by hand" in text
    assert "The ratings as they were published." in text
