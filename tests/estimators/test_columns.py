"""Columns as files make them: empty cells, numbers that became floats, several kinds in one column."""

from __future__ import annotations

import io
from datetime import date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import crosstable as ct

WHOLE = "date,white,black,score\n2024-03-01,1,2,1\n2024-03-08,2,3,0.5\n2024-03-15,3,1,0\n"
EMPTY_CELL = WHOLE.replace("03-08,2,3", "03-08,,3")
NIGHT = ["2024-03-01", "2024-03-02"]
EMPTY = [None, float("nan"), pd.NA, pd.NaT, "", " "]


def pandas(text: str) -> Any:
    return pd.read_csv(io.StringIO(text))


@pytest.mark.parametrize("estimator", [ct.Elo(), ct.UsChess()], ids=str)
def test_an_empty_cell_is_no_player(estimator: Any) -> None:
    with pytest.raises(ct.WrongValue, match=r"^column 'white', row 1: nan is empty$"):
        estimator.fit(pandas(EMPTY_CELL))


@pytest.mark.parametrize("estimator", [ct.Elo(), ct.UsChess()], ids=str)
def test_one_and_one_point_nothing_are_one_player(estimator: Any) -> None:
    """pandas makes floats of a column that had an empty cell; the other column stays whole."""
    kept = pandas(EMPTY_CELL).dropna()
    assert (kept["white"].dtype, kept["black"].dtype) == (np.float64, np.int64)
    fitted = estimator.fit(kept)
    assert sorted(fitted.ratings["player"]) == [1, 2, 3]
    assert fitted.unseen(kept) == []
    assert fitted.unseen(kept.astype({"black": "float64"})) == []


@pytest.mark.parametrize("kind", ["float64", "Int64", "Int32", "object", "string", "category"])
def test_ids_are_the_same_in_every_kind_of_column(kind: str) -> None:
    games = pandas(WHOLE)
    mixed = games.astype({"white": kind})
    ratings = ct.Elo().fit(games).ratings["rating"].tolist()
    assert ct.Elo().fit(mixed).ratings["rating"].tolist() == ratings


@pytest.mark.parametrize("column", ["white", "black", "date"])
@pytest.mark.parametrize("empty", EMPTY, ids=repr)
def test_empty_cells_are_refused_by_column_and_row(column: str, empty: Any) -> None:
    names = {"date": [date(2024, 3, 1), date(2024, 3, 2)], "white": ["ann", "bob"], "black": ["cyd", "dan"]}
    names |= {"score": [1, 0], column: [names[column][0], empty]}
    for table in (names, pd.DataFrame(names), list(zip(*names.values(), strict=True))):
        for estimator in (ct.Elo(), ct.UsChess()):
            with pytest.raises(ct.WrongValue, match=f"^column '{column}', row 1: .* is "):
                estimator.fit(table)


@pytest.mark.parametrize(
    "white",
    [
        pl.Series([1.0, float("nan")]),
        pl.Series([1, None]),
        pd.Series([1, None], dtype="Int64"),
        pd.Series(["1", None], dtype="string"),
        np.array([1, np.nan]),
        np.array(["1", None], dtype=object),
    ],
    ids=lambda white: f"{type(white).__module__.partition('.')[0]} {white.dtype}",
)
def test_an_empty_cell_of_any_column_is_refused(white: Any) -> None:
    games = {"date": NIGHT, "white": white, "black": [2, 3], "score": [1, 0]}
    with pytest.raises(ct.WrongValue, match=r"^column 'white', row 1: .* is empty$"):
        ct.Elo().fit(games)
    fitted = ct.Elo().fit([("2024-02-01", 1, 2, 1)])
    for ask in (fitted.predict, fitted.unseen):
        with pytest.raises(ct.WrongValue, match=r"^column 'white', row 1: .* is empty$"):
            ask(games)


def test_half_a_number_is_no_player() -> None:
    with pytest.raises(ct.WrongValue, match=r"^column 'white', row 1: 1\.5 is not a whole number$"):
        ct.Elo().fit({"white": [1.0, 1.5], "black": [2, 3], "score": [1, 0]})


def test_several_kinds_in_one_column_are_read_as_they_would_be_typed() -> None:
    days = [date(2024, 3, 1), "2024-03-08", datetime(2024, 3, 15, 19, 30)]
    mixed = pd.DataFrame({"date": days, "white": [1, "2", 3.0], "black": ["2", 3, 1], "score": [1, "1/2", 0.0]})
    plain = ct.Elo().fit(pandas(WHOLE)).ratings
    found = ct.Elo().fit(mixed).ratings
    assert found["rating"].tolist() == plain["rating"].tolist()
    assert found["player"].tolist() == [str(who) for who in plain["player"]]
    assert found["last"].tolist() == plain["last"].tolist()


def test_what_is_neither_text_nor_number_is_refused_by_row() -> None:
    with pytest.raises(ct.WrongValue, match=r"^column 'score', row 1: expected text, a number or a date, found \[0\]$"):
        ct.Elo().fit([("ann", "bob", 1), ("ann", "cyd", [0])])
    with pytest.raises(ct.WrongValue, match=r"^column 'score', row 1: 'won' is not 1, 0\.5 or 0$"):
        ct.Elo().fit(pd.DataFrame({"white": ["a", "a"], "black": ["b", "c"], "score": [1, "won"]}))
    with pytest.raises(ct.WrongValue, match=r"^column 'date', row 1: '8 March' is not a date YYYY-MM-DD$"):
        ct.Elo().fit([(date(2024, 3, 1), "ann", "bob", 1), ("8 March", "ann", "bob", 1)])


def test_two_columns_of_one_name_are_refused() -> None:
    games = pd.DataFrame([["ann", "bob", "cyd", 1]], columns=["white", "white", "black", "score"])
    with pytest.raises(ct.WrongValue, match=r"^column 'white': 2 columns have this name"):
        ct.Elo().fit(games)


def test_the_day_on_the_clock_counts() -> None:
    """Half past eleven in the evening, five hours behind Greenwich, is still that day."""
    late = datetime(2024, 3, 1, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    there = pd.Series([late]).dt.tz_convert("America/Chicago") + pd.Timedelta(hours=1)  # 23:30 in Chicago, as well
    frame = pl.DataFrame({"date": [late]}).with_columns(pl.col("date").dt.convert_time_zone("America/New_York"))
    rest = {"white": ["ann"], "black": ["bob"], "score": [1]}
    for day in ([late], pd.Series([late]), there, frame["date"]):
        assert list(ct.Elo().fit({"date": day, **rest}).ratings["last"]) == [date(2024, 3, 1)] * 2


def test_games_of_a_generator_are_read_once() -> None:
    rows = [("2024-03-01", "ann", "bob", 1)]
    assert len(ct.UsChess().fit(row for row in rows).ratings) == 2
