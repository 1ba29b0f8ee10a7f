"""Tables of games, of whatever kind and with whatever names: the same ratings; and what is wrong in one, by column and
row.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest

import crosstable as ct
from crosstable.estimators.base import Estimator
from tests.estimators.some_games import some_games


def test_every_kind_of_table_gives_the_same() -> None:
    rows = some_games()
    columns = dict(zip(("date", "white", "black", "score"), map(list, zip(*rows, strict=True)), strict=True))
    frame = pl.DataFrame(columns)
    wanted = ct.Glicko2().fit(rows).ratings
    renamed = {"date": "day", "white": "a", "black": "b", "score": "result"}
    tables: list[Any] = [
        frame,
        frame.lazy(),
        columns,
        frame.with_columns(pl.col("date").cast(pl.String)),
        frame.with_columns(pl.col("date").cast(pl.Datetime)),
        frame.with_columns(pl.col("score").replace_strict({1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"})),
        frame.sample(fraction=1, shuffle=True, seed=1).sort("date"),
    ]
    for table in tables:
        assert ct.Glicko2().fit(table).ratings["rating"].to_list() == pytest.approx(
            wanted["rating"].to_list(), abs=1e-9
        )
    named = ct.Glicko2().fit(frame.rename(renamed), date="day", white="a", black="b", score="result")
    assert named.ratings.equals(wanted)


def test_pandas_in_pandas_out() -> None:
    rows = some_games()
    table = pd.DataFrame(rows, columns=["date", "white", "black", "score"])
    table["date"] = pd.to_datetime(table["date"])
    fitted = ct.Glicko().fit(table)
    assert isinstance(fitted.ratings, pd.DataFrame)
    assert list(fitted.ratings["player"]) == ct.Glicko().fit(rows).ratings["player"].to_list()
    assert isinstance(ct.compare([ct.Elo()], table), pd.DataFrame)
    assert "<table>" in fitted._repr_html_()


def test_predictions_stand_in_the_order_of_the_table() -> None:
    rows = some_games()
    shuffled = rows[::-1]
    forward = dict(zip(rows, ct.Glicko2().fit(rows).predictions, strict=True))
    for row, found in zip(shuffled, ct.Glicko2().fit(shuffled).predictions, strict=True):
        assert found == pytest.approx(forward[row], abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([("2024-03-01", "a", "b", 2)], "column 'score', row 0: 2 is not 1, 0.5 or 0"),
        ([("2024-03-01", "a", "b", None)], "column 'score', row 0"),
        ([("March", "a", "b", 1)], "column 'date', row 0: 'March' is not a date YYYY-MM-DD"),
        ([(20240301, "a", "b", 1)], "column 'date': expected dates"),
        ([("2024-03-01", "a", "a", 1)], "column 'white', row 0: 'a' plays themself"),
        ([("2024-03-01", "a", None, 1)], "column 'black', row 0: None is empty"),
        ([("a", "b", "c", "d", "e")], "tuples of"),
        ({"white": ["a"], "black": ["b"]}, "no column 'score': there are white, black"),
        ({"white": ["a", "b"], "black": ["b", "c"], "score": [1]}, "one length, found white has 2, black has 2, score"),
        (
            {"date": ["2024-03-01"], "white": ["a", "b"], "black": ["b", "c"], "score": [1, 1]},
            "found date has 1, white has 2",
        ),
        ({"white": "a", "black": ["b"], "score": [1]}, "column 'white': expected a list of values, found 'a'"),
        ([], "games: there are no games"),
        ({"date": [], "white": [], "black": [], "score": []}, "games: there are no games"),
        (
            None,
            (
                "games: expected a frame of games, an Arrow table, a mapping of columns, a list of tuples, or events,"
                " found None"
            ),
        ),
        ("games.csv", "found 'games.csv'. Read the file first: polars.read_csv(…)"),
        ([1, 2], "tuples of"),
        ([{"white": "a"}], "tuples of"),
    ],
)
def test_a_wrong_table_is_refused_by_column_and_row(rows: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue) as problem:
        ct.Elo().fit(rows)
    assert says in str(problem.value)


def test_predict_needs_columns_of_one_length() -> None:
    with pytest.raises(ct.WrongValue, match="found white has 1, black has 2"):
        ct.Elo().fit([("a", "b", 1)]).predict({"white": ["a"], "black": ["b", "a"]})


def test_us_chess_says_what_a_path_must_be() -> None:
    with pytest.raises(ct.WrongValue, match=r"'games.csv' is not a folder of history tables \(sections.parquet"):
        ct.UsChess().fit("games.csv")


@pytest.mark.parametrize("estimator", [ct.Elo(), ct.UsChess()], ids=str)
def test_a_file_that_was_read_is_an_event(estimator: Estimator) -> None:
    reading = ct.read("examples/riverside-open.json")
    wanted = estimator.fit([reading.event]).ratings
    assert estimator.fit(reading).ratings.equals(wanted)
    assert estimator.fit([reading]).ratings.equals(wanted)


def test_us_chess_needs_dates_and_rules() -> None:
    with pytest.raises(ct.WrongValue, match="column 'date'"):
        ct.UsChess().fit([("a", "b", 1)])
    early = [("2024-03-01", "a", "b", 1), ("1999-01-01", "a", "b", 1)]
    says = "^date, row 1: no US Chess rules are in force on 1999-01-01: the first day of this rulebook is 2001-01-01"
    with pytest.raises(ct.NoRulesOnDate, match=says):
        ct.UsChess().fit(early)
    with pytest.raises(ct.NoRulesOnDate, match=says):
        ct.UsChess().fit(early[:1]).predict(early)


def test_predict_takes_names_of_columns_too() -> None:
    fitted = ct.Glicko().fit(some_games())
    plain = pl.DataFrame({"date": ["2024-08-01"] * 2, "white": ["p01", "new"], "black": ["p02", "p01"]})
    other = plain.rename({"date": "day", "white": "first", "black": "second"})
    names = {"date": "day", "white": "first", "black": "second"}
    assert fitted.predict(other, **names).tolist() == fitted.predict(plain).tolist()
    assert fitted.unseen(other, **names) == ["new"]
    with pytest.raises(ct.WrongValue, match=r"^no column 'white': there are day, first, second\. Say which it is"):
        fitted.predict(other)


def test_the_usual_names_in_any_letters() -> None:
    frame = pl.DataFrame({"Date": ["2024-03-01"], "White": ["ann"], "Black": ["bob"], "Result": ["1-0"]})
    assert ct.Elo(k=24).fit(frame).ratings["rating"].to_list() == [1512.0, 1488.0]  # 1500 ± 24 × ½


def test_dates_in_the_index_of_a_pandas_frame_count() -> None:
    import pandas as pd

    days = pd.to_datetime(["2024-01-05", "2024-01-12", "2024-01-12"])
    games = pd.DataFrame({"date": days, "white": ["a", "b", "c"], "black": ["b", "c", "a"], "score": [1, 0.5, 0]})
    assert ct.Elo().fit(games.set_index("date")).ratings.equals(ct.Elo().fit(games).ratings)


def test_ids_of_another_kind_are_said() -> None:
    fitted = ct.Elo().fit([(1, 2, 1), (2, 3, 0)])
    assert fitted.unseen([("1", "9")]) == [9]  # numbers as text are numbers
    with pytest.raises(ct.WrongValue, match="numbers for players, found 'ann'"):
        fitted.predict([("ann", 2)])


@pytest.mark.parametrize("empty", [None, float("nan")])
def test_games_of_no_event_are_not_one_event(empty: float | None) -> None:
    games = {
        "date": ["2024-03-01"] * 2,
        "white": ["a", "b"],
        "black": ["b", "c"],
        "score": [1, 1],
        "event": [7.0, empty],
    }
    with pytest.raises(ct.WrongValue, match=r"^column 'event', row 1: .* is empty$"):
        ct.Glicko2().fit(games, event="event")
