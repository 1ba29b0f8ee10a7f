"""What scientists' tools expect of an estimator: settings by name, more games later, ratings over time, outcomes,
Arrow.
"""

from __future__ import annotations

import copy
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import crosstable as ct
from crosstable.estimators.base import Estimator
from crosstable.estimators.outcomes import draw_rate, outcomes
from tests.estimators.some_games import some_games
from tests.estimators.test_fit import ALL, rated_one_event_at_a_time

NAMES = ("date", "white", "black", "score")


def frame() -> pl.DataFrame:
    return pl.DataFrame(dict(zip(NAMES, zip(*some_games(), strict=True), strict=True)))


def cloned(estimator: Estimator) -> Estimator:
    """What `sklearn.base.clone` does: settings by name, copied, into a new object that must hold these very objects."""
    settings = {name: copy.deepcopy(value) for name, value in estimator.get_params(deep=False).items()}
    made = type(estimator)(**settings)
    assert all(made.get_params(deep=False)[name] is value for name, value in settings.items())
    return made


@pytest.mark.parametrize("estimator", [*ALL, ct.UsChess(pool="quick")], ids=str)
def test_an_estimator_can_be_cloned(estimator: Estimator) -> None:
    made = cloned(estimator)
    assert made is not estimator
    assert made == estimator


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_scikit_learn_clones_it(estimator: Estimator) -> None:
    base = pytest.importorskip("sklearn.base", reason="scikit-learn is a development dependency")
    assert base.clone(estimator) == estimator


def test_settings_are_set_by_name_and_checked() -> None:
    elo = ct.Elo(k=24)
    assert elo.get_params() == {"k": 24, "curve": None, "scale": None, "start": None}
    assert elo.set_params(k=16, start=1200) is elo
    assert elo == ct.Elo(k=16, start=1200)
    with pytest.raises(ct.WrongValue, match="Elo has no setting 'K'"):
        elo.set_params(K=10)
    with pytest.raises(ct.WrongValue, match="k: expected a number above 0"):
        elo.set_params(k=-1)
    assert elo.k == 16


def test_what_was_fitted_keeps_its_settings() -> None:
    elo = ct.Elo(k=24)
    fitted = elo.fit([("ann", "bob", 1)])
    elo.set_params(k=10)
    assert str(fitted.estimator) == "Elo(k=24)"
    assert fitted.update([("ann", "bob", 1)]).ratings["rating"][0] > 1512 + 10  # 12, then 24 × 0.465


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_update_gives_what_fit_of_all_games_gives(estimator: Estimator) -> None:
    rows = some_games()
    day = rows[len(rows) // 2][0]
    early, late = [row for row in rows if row[0] < day], [row for row in rows if row[0] >= day]
    whole = estimator.fit(rows)
    for first, then in ((early, late), (late, early)):  # a late report is put where its date belongs
        fitted = estimator.fit(first)
        before = fitted.ratings
        found = fitted.partial_fit(then)
        assert fitted.ratings.equals(before)
        assert dict(found.ratings.select("player", "rating").iter_rows()) == pytest.approx(
            dict(whole.ratings.select("player", "rating").iter_rows()), abs=1e-9
        )
    assert estimator.fit(early).update(late).predictions == pytest.approx(whole.predictions, abs=1e-9)


def test_update_keeps_events_apart_and_joins_the_rest_of_one() -> None:
    rows = [
        ("2024-03-01", "ann", "bob", 1, "A"),
        ("2024-03-01", "ann", "cyd", 1, "B"),
        ("2024-03-01", "bob", "cyd", 0, "A"),
    ]
    table = pl.DataFrame(rows, schema=[*NAMES, "event"], orient="row")
    found = ct.Elo(k=24).fit(table[:1], event="event").update(table[1:]).ratings
    assert found.equals(ct.Elo(k=24).fit(table, event="event").ratings)


def test_update_says_what_is_wrong() -> None:
    with pytest.raises(ct.WrongValue, match="the games that were fitted have dates"):
        ct.Elo().fit(some_games()).update([("p01", "p02", 1)])
    event = ct.read("examples/riverside-open.json").event
    with pytest.raises(ct.WrongValue, match="Fit all of them together"):
        ct.UsChess().fit([event]).update(some_games())


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_the_history_is_every_rating_on_its_day(estimator: Estimator) -> None:
    """Each row is what rating the events up to that day, one at a time, gives; the last ones are the ratings."""
    rows = some_games()
    found = estimator.fit(rows).history_
    days = sorted({row[0] for row in rows})
    assert sorted(set(found["date"])) == days
    for day in (days[2], days[-1]):
        plain = rated_one_event_at_a_time(estimator, [row for row in rows if row[0] <= day])
        here = found.filter(pl.col("date") == day)
        assert set(here["player"]) == {who for row in rows if row[0] == day for who in row[1:3]}
        for row in here.to_dicts():
            state = plain[row["player"]]
            assert row["rating"] == pytest.approx(state.rating, abs=1e-9)
            assert row["games"] == state.games
            if "deviation" in row:
                assert row["deviation"] == pytest.approx(state.deviation, abs=1e-9)
            if "volatility" in row:
                assert row["volatility"] == pytest.approx(state.volatility, abs=1e-12)


def test_the_history_of_a_system_that_cannot_go_on_from_a_state() -> None:
    """The way that holds for every system gives the same as the quick one."""
    fitted = ct.Glicko().fit(some_games())
    plain = list(Estimator._steps(fitted.estimator, fitted.games))
    quick = [state.rating.copy() for state in fitted.estimator._steps(fitted.games)]
    assert len(plain) == len(quick)
    for one, other in zip(plain, quick, strict=True):
        assert one.rating == pytest.approx(other, abs=1e-9)


def test_the_history_without_dates_counts_games() -> None:
    found = ct.Elo(k=24).fit([("ann", "bob", 1), ("cyd", "ann", 0.5)]).history_
    assert found.columns == ["game", "player", "rating", "games"]
    assert found["game"].to_list() == [1, 1, 2, 2]
    assert found["rating"][:2].to_list() == [1512.0, 1488.0]  # 1500 ± 24 × ½


def test_the_history_of_events_has_every_pool() -> None:
    event = ct.read("examples/riverside-open.json").event
    found = ct.UsChess().fit([event]).history_
    wanted = {(answer.id, answer.pool): answer.post for answer in ct.rate(event).answers}
    assert {(row["player"], row["pool"]): row["rating"] for row in found.to_dicts()} == pytest.approx(wanted, abs=1e-9)


def test_the_history_of_a_pandas_frame_is_one() -> None:
    assert isinstance(ct.Elo().fit(frame().to_pandas()).history_, pd.DataFrame)


@pytest.mark.parametrize("estimator", [ct.Glicko(), ct.Elo(), ct.UsChess()], ids=str)
def test_a_chart_has_the_players_asked_for(estimator: Estimator) -> None:
    fitted = estimator.fit(some_games())
    values = fitted.plot(["p01", "p02"]).to_dict()["data"]["values"]
    assert {row["player"] for row in values} == {"p01", "p02"}
    assert len(values) == len(fitted.history_.filter(pl.col("player").is_in(["p01", "p02"])))
    assert len({row["player"] for row in fitted.plot().to_dict()["data"]["values"]}) == 10
    with pytest.raises(ct.WrongValue, match="players: no games of 'nemo'"):
        fitted.plot(["nemo"])


def test_the_band_of_a_chart_is_two_deviations_to_each_side() -> None:
    fitted = ct.Glicko().fit(some_games())
    row = fitted.plot(["p01"]).to_dict()["data"]["values"][0]
    assert row["high"] - row["low"] == pytest.approx(4 * row["deviation"])


def test_davidsons_chances_give_the_expected_score() -> None:
    expected = np.array([0.02, 0.3, 0.5, 0.76, 0.999])
    found = outcomes(expected, 0.8)
    assert found.sum(axis=1) == pytest.approx(1.0)
    assert found[:, 0] + found[:, 1] / 2 == pytest.approx(expected)
    assert found[2].tolist() == pytest.approx([1 / 2.8, 0.8 / 2.8, 1 / 2.8])  # equal players: 1 to ν to 1
    win, draw, loss = found[3]
    assert draw == pytest.approx(0.8 * np.sqrt(win * loss))  # Davidson: the draw is ν times the geometric mean
    assert outcomes(expected, 0.0)[:, 1].tolist() == [0.0] * 5


def test_the_draw_rate_expects_as_many_draws_as_there_were() -> None:
    expected = np.full(10, 0.5)
    score = np.array([0.5] * 4 + [1.0] * 3 + [0.0] * 3)
    assert draw_rate(expected, score) == pytest.approx(2 * 0.4 / 0.6)  # ν / (2 + ν) = 0.4
    assert draw_rate(expected, np.ones(10)) == 0.0


def test_predict_proba_is_about_the_same_games_as_predict() -> None:
    fitted = ct.Glicko2().fit(some_games())
    more = [("2024-09-01", "p01", "p02"), ("2024-09-01", "new", "p03")]
    chances = fitted.predict_proba(more)
    assert chances.shape == (2, 3)
    assert chances[:, 0] + chances[:, 1] / 2 == pytest.approx(fitted.predict(more))
    draws = sum(row[3] == 0.5 for row in some_games())
    assert outcomes(fitted.predictions, fitted.draw_rate_)[:, 1].sum() == pytest.approx(draws)


def test_without_colours_white_has_no_advantage() -> None:
    """Turned round, a table without colours gives the same; with them Stephenson's system tells White from Black."""
    rows = some_games()
    turned = [(day, black, white, 1 - score) for day, white, black, score in rows]
    blind = [ct.Stephenson().fit(table, colours=False) for table in (rows, turned)]
    assert blind[0].predictions == pytest.approx(1 - blind[1].predictions, abs=1e-9)
    more = [("2024-09-01", "p01", "p02"), ("2024-09-01", "p02", "p01")]
    assert blind[0].predict(more).sum() == pytest.approx(1.0)
    seeing = ct.Stephenson().fit(rows)
    assert seeing.predict(more).sum() > 1.0
    assert (seeing.predictions != blind[0].predictions).any()
    found = ct.compare([ct.Stephenson()], rows, colours=False)
    assert found["deviance"][0] == pytest.approx(blind[0].scores()["deviance"])


class Relation:
    """What a DuckDB relation offers: names of columns, and a stream of Arrow data."""

    def __init__(self, table: pa.Table) -> None:
        self.table, self.columns = table, table.column_names

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("estimator", [ct.Glicko(), ct.UsChess()], ids=str)
def test_arrow_tables_are_tables_of_games(estimator: Estimator) -> None:
    wanted, table = estimator.fit(some_games()).ratings, frame().to_arrow()
    for given in (table, table.to_batches()[0], table.to_reader(), Relation(table)):
        assert estimator.fit(given).ratings.equals(wanted)
    assert ct.compare([estimator], table.to_reader())["games"][0] == len(some_games())


@pytest.mark.parametrize("estimator", [ct.Glicko(), ct.UsChess()], ids=str)
def test_duckdb_relations_are_tables_of_games(estimator: Estimator) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is a development dependency")
    base = duckdb.connect()
    base.register("arrow", frame().to_arrow())
    relation = base.sql("select * from arrow")
    assert estimator.fit(relation).ratings.equals(estimator.fit(some_games()).ratings)
    assert ct.compare([estimator], relation)["games"][0] == len(some_games())


class WhiteWinsMore:
    """Expect of White what White has scored so far, in all games before."""

    def __init__(self) -> None:
        self.points, self.games = 1.0, 2.0

    def predict(self, games: pl.DataFrame) -> list[float]:
        assert "score" not in games.columns
        return [self.points / self.games] * len(games)

    def learn(self, games: pl.DataFrame) -> None:
        self.points += games["score"].sum()
        self.games += len(games)


def test_compare_takes_a_predictor_of_ones_own() -> None:
    first, later = date(2024, 1, 1), date(2024, 2, 1)
    rows = [(first, "a", "b", 1.0), (first, "c", "d", 1.0), (later, "e", "f", 1.0)]
    own = WhiteWinsMore()
    for _ in range(2):  # a copy does the work, so it can be asked again
        found = ct.compare([own, "elo"], rows, test_from=later).filter(pl.col("system") == "WhiteWinsMore")
        assert found["brier"][0] == pytest.approx((1 - 3 / 4) ** 2)  # two wins before, and the draw to begin with


def test_an_own_predictor_sees_the_other_columns_of_the_table() -> None:
    class ByRating:
        name = "by rating"

        def predict(self, games: pl.DataFrame) -> pl.Series:
            return 1 / (1 + 10 ** ((games["black_elo"] - games["white_elo"]) / 400))

    day = date(2024, 1, 1)
    table = pl.DataFrame(
        {
            "date": [day + timedelta(days=1), day],
            "w": ["a", "b"],
            "black": ["b", "c"],
            "score": [1.0, 0.0],
            "white_elo": [1900, 1500],
            "black_elo": [1500, 1500],
        }
    )
    found = ct.compare([ByRating()], table, white="w", test_from=day + timedelta(days=1))
    assert found["system"][0] == "by rating"
    assert found["brier"][0] == pytest.approx((1 - 1 / 1.1) ** 2)  # 400 points: 10 to 1


def test_compare_takes_tables_of_predictions() -> None:
    rows = some_games()[::-1]
    fitted = ct.Glicko().fit(rows)
    table = pl.DataFrame(dict(zip(NAMES, zip(*rows, strict=True), strict=True)))
    found = ct.compare(
        [ct.Glicko()],
        table.with_columns(mine=pl.Series(fitted.predictions)),
        predictions={"column": "mine", "values": fitted.predictions, "list": fitted.predictions.tolist()},
    )
    assert len(found) == 4
    assert len(set(found["deviance"])) == 1


@pytest.mark.parametrize(
    ("predictions", "says"),
    [
        ({"mine": [0.5]}, "mine: 1 predictions for"),
        ({"mine": "not there"}, "predictions: no column 'not there': there are"),
        ({"mine": [0.5] * 20 + [1.5] * 100}, "mine"),
        ([0.5], "predictions: write"),
    ],
)
def test_wrong_predictions_are_refused(predictions: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue, match=says):
        ct.compare([], some_games(), predictions=predictions)


def test_a_wrong_answer_of_an_own_predictor_is_refused() -> None:
    class Sure:
        def predict(self, games: pl.DataFrame) -> list[Any]:
            return [0.5] * (len(games) - 1) + [1.2]

    with pytest.raises(ct.WrongValue, match=r"Sure, row \d+: 1.2 is not an expected score between 0 and 1"):
        ct.compare([Sure()], some_games())
