"""`fit`, `predict`, `update`: the same numbers as `rate`, event after event."""

from __future__ import annotations

import math
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import crosstable as ct
from crosstable.estimators.base import Estimator
from crosstable.replay.tables import from_tables
from crosstable.replay.us_chess import replay
from tests.estimators.some_games import Row, some_games
from tests.replay.test_tables import tables

ALL = [
    ct.Elo(),
    ct.Elo(k=24, curve="normal", scale=2000 / 7),
    ct.Glicko(),
    ct.Glicko2(),
    ct.Glicko2(tau=0.3, fractional=True),
    ct.StCharles(),
    ct.Stephenson(),
    ct.Elo(start=1200),
    ct.Glicko(start=1200, start_deviation=200, c=40),
    ct.Glicko2(start=1200, start_deviation=200),
    ct.Stephenson(start=1200, start_deviation=200, c=40),
    ct.UsChess(),
    ct.UsChess(profile="as-practised"),
]


def rated_one_event_at_a_time(estimator: Estimator, rows: list[Row]) -> dict[str, ct.Rating]:
    """The plain path: an event per day, each from the ratings that the ones before left."""
    states: dict[str, ct.Rating] = {}
    by_day: dict[date, list[tuple[str, str, float]]] = defaultdict(list)
    for day, white, black, score in rows:
        by_day[day].append((white, black, score))
    for day, games in sorted(by_day.items()):
        playing = {who for white, black, _ in games for who in (white, black)}
        ratings = {who: {estimator.pool: states[who]} for who in playing if who in states}
        event = ct.Event.of("", games, on=day, ratings=ratings, **estimator._one_game())
        for answer in ct.rate(event, system=estimator).answers:
            states[answer.id] = answer.state
    return states


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_fit_gives_what_rate_gives(estimator: Estimator) -> None:
    rows = some_games()
    plain = rated_one_event_at_a_time(estimator, rows)
    frame = estimator.fit(rows).ratings
    assert set(frame["player"]) == set(plain)
    for row in frame.to_dicts():
        state = plain[row["player"]]
        assert row["rating"] == pytest.approx(state.rating, abs=1e-9)
        assert (row["games"], row["last"]) == (state.games, state.date)
        if "deviation" in row:
            assert row["deviation"] == pytest.approx(state.deviation, abs=1e-9)
        if "volatility" in row:
            assert row["volatility"] == pytest.approx(state.volatility, abs=1e-12)


@pytest.mark.parametrize("estimator", ALL, ids=str)
def test_predict_gives_what_expect_gives(estimator: Estimator) -> None:
    fitted = estimator.fit(some_games())
    plain = rated_one_event_at_a_time(estimator, some_games())
    day = max(state.date for state in plain.values() if state.date)  # on the last day no deviation has widened yet
    late = [who for who, state in plain.items() if state.date == day]
    newcomer = estimator.system.start(ct.Player(1, "new"), day)
    game = ct.Game(1, 1, 2, "1-0")  # the first has White
    expected = [
        estimator.system.expect(plain[late[0]], plain[late[1]], game),
        estimator.system.expect(newcomer, plain[late[0]], game),
    ]
    to_come = pl.DataFrame({"date": [day, day], "white": [late[0], "new"], "black": [late[1], late[0]]})
    found = fitted.predict(to_come)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("estimator", [one for one in ALL if not isinstance(one, ct.StCharles)], ids=str)
def test_a_days_games_are_expected_from_the_ratings_before_it(estimator: Estimator) -> None:
    """A club (St. Charles) rates game by game, not day by day."""
    rows = some_games()
    day = rows[-1][0]
    before, last = [row for row in rows if row[0] < day], [row for row in rows if row[0] == day]
    known = {who for row in before for who in row[1:3]}
    places = [place for place, row in enumerate(rows) if row[0] == day and {row[1], row[2]} <= known]
    assert places
    expected = estimator.fit(before).predict(last)[[place - len(before) for place in places]]
    assert estimator.fit(rows).predictions[places] == pytest.approx(expected, abs=1e-12)


def test_us_chess_expects_by_the_initial_ratings_of_newcomers() -> None:
    """We = 1/(1 + 10^((Ro − R)/400)) (2025 §4.2) of the ratings with which the section began."""
    event = ct.read("examples/riverside-open.json").event
    prior = {answer.id: answer.prior for answer in ct.rate(event).answers if answer.pool == "OTBR"}
    fitted = ct.UsChess().fit([event])
    players = fitted.games.players
    for place, found in enumerate(fitted.predictions):
        own, other = (prior[players[int(side[place])]] for side in (fitted.games.white, fitted.games.black))
        assert own is not None
        assert other is not None
        assert found == pytest.approx(1 / (1 + 10 ** ((other - own) / 400)), abs=1e-12)
    assert len(fitted.predictions) == sum(game.played for game in event.sections[0].games)


def test_us_chess_carries_players_from_event_to_event_by_id() -> None:
    first = ct.read("examples/riverside-open.json").event
    section = first.sections[0]
    later = [date(2025, 9, 6), date(2025, 9, 7)]
    second = ct.Event("Again", *later, (_moved(section, *later),))
    after_first = {(answer.id, answer.pool): answer.state for answer in ct.rate(first).answers}
    carried = ct.Event("Again", *later, (_moved(section, *later, after_first),))
    wanted = {(answer.id, answer.pool): answer.state for answer in ct.rate(carried).answers}
    fitted = ct.UsChess().fit([second, first])  # in whatever order they are given
    found = {(row["player"], row["pool"]): row["rating"] for row in fitted.ratings.to_dicts()}
    assert {key: pytest.approx(state.rating, abs=1e-9) for key, state in wanted.items()}.items() <= found.items()


def test_us_chess_takes_history_tables_and_histories(tmp_path: Path) -> None:
    three = tables()
    history = from_tables(*three).history
    for name, frame in zip(("sections", "entries", "games"), three, strict=True):
        frame.write_parquet(tmp_path / f"{name}.parquet")
    states = replay(history, profile="as-practised").states
    wanted = {
        (history.ids[player], pool): record.rating
        for player in range(len(history.players))
        for place, pool in enumerate(("OTBR", "OTBQ"))
        if (record := states.rating(player, place)) is not None
    }
    for given in (three, history, tmp_path, str(tmp_path)):
        fitted = ct.UsChess(profile="as-practised").fit(given)
        assert {(row["player"], row["pool"]): row["rating"] for row in fitted.ratings.to_dicts()} == wanted
        assert len(fitted.predictions) == 3


def _moved(section: ct.Section, start: date, end: date, states: dict[Any, ct.Rating] | None = None) -> ct.Section:
    from dataclasses import replace

    players = section.players
    if states is not None:
        players = tuple(
            replace(
                one, ratings={**one.ratings, **{pool: state for (who, pool), state in states.items() if who == one.id}}
            )
            for one in players
        )
    return replace(section, start=start, end=end, players=players)


def test_without_dates_each_game_is_rated_by_itself() -> None:
    # K = 32: ann +16 against bob; then bob (1484) against cyd (1500) draws: 32 × (0.5 − 1/(1 + 10^(16/400))) = 0.736
    found = {
        row["player"]: row["rating"]
        for row in ct.Elo().fit([("ann", "bob", 1), ("bob", "cyd", 0.5)]).ratings.to_dicts()
    }
    gain = 32 * (0.5 - 1 / (1 + 10 ** (16 / 400)))
    assert found == {"ann": pytest.approx(1516), "bob": pytest.approx(1484 + gain), "cyd": pytest.approx(1500 - gain)}


def test_games_of_one_event_are_rated_together() -> None:
    day = date(2024, 3, 1)
    rows = {"date": [day, day], "white": ["a", "b"], "black": ["b", "c"], "score": [1, 1], "event": ["x", "y"]}
    together = {row["player"]: row["rating"] for row in ct.Elo().fit(rows).ratings.to_dicts()}
    assert together["b"] == pytest.approx(1500)  # both games from 1500: −16 and +16
    apart = {row["player"]: row["rating"] for row in ct.Elo().fit(rows, event="event").ratings.to_dicts()}
    assert apart["b"] > 1500  # the second game from 1484


def test_one_game() -> None:
    ann, bob = ct.Elo(k=24).update(ct.Rating(1600), 1600, 1.0)
    assert (ann.rating, bob.rating) == (1612, 1588)  # 24 × (1 − 1/2)
    # Glicko, two newcomers: g = 1/sqrt(1 + 3 q² 350²/π²), E = 1/2, r' = 1500 ± q/(1/350² + q² g²/4) × g/2
    q = math.log(10) / 400
    g = 1 / math.sqrt(1 + 3 * q**2 * 350**2 / math.pi**2)
    precision = 1 / 350**2 + q**2 * g**2 / 4
    ann, bob = ct.Glicko().update(None, None, 1)
    assert ann.rating == pytest.approx(1500 + q / precision * g / 2)
    assert bob.deviation == pytest.approx(precision**-0.5)
    ann, _ = ct.UsChess(pool="OTBB").update(ct.Rating(1500, games=30), ct.Rating(1500, games=30), 0.5, on="2025-08-02")
    assert (ann.rating, ann.games) == (pytest.approx(1500), 31)


@pytest.mark.parametrize(
    ("estimator", "says"),
    [
        (ct.Glicko(), "a: Glicko also needs deviation. Write Rating(1600, deviation=…), or None for a newcomer"),
        (ct.Glicko2(), "deviation and volatility. Write Rating(1600, deviation=…, volatility=…), or None"),
        (ct.UsChess(), "a: UsChess also needs games. Write Rating(1600, games=…), or None for a newcomer"),
    ],
    ids=str,
)
def test_one_game_says_what_a_rating_lacks(estimator: Estimator, says: str) -> None:
    with pytest.raises(ct.WrongValue) as problem:
        estimator.update(1600, None, 1)
    assert says in str(problem.value)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: ct.Elo().update(1600, 1600, 2), r"^score: expected 1, 0\.5 or 0, found 2$"),
        (lambda: ct.Elo().update(1600, 1600, math.nan), r"^score: expected 1, 0\.5 or 0, found nan$"),
        (lambda: ct.Elo().update(math.nan, 1600, 1), "^a: expected a rating, found nan$"),
        (lambda: ct.Glicko().update(None, ct.Rating(math.inf, deviation=50), 1), "^b: expected a rating, found inf$"),
        (lambda: ct.Elo().update(1600, 1600, 1, on="May"), "^on: expected a date YYYY-MM-DD, found 'May'$"),
    ],
)
def test_one_game_names_what_is_wrong(call: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue, match=says):
        call()


def test_settings_of_ones_own() -> None:
    """Glicko's step 1: RD' = sqrt(RD² + c² t), t in periods of 30 days; a newcomer's numbers are those given."""
    system = ct.Glicko(c=20).system
    assert system.age(ct.Rating(1500, deviation=50), 90).deviation == pytest.approx(math.sqrt(50**2 + 20**2 * 3))
    for estimator in (ct.Glicko(start=1200, start_deviation=200), ct.Glicko2(start=1200, start_deviation=200)):
        new = estimator.system.start(ct.Player(1, "new"), date(2025, 8, 2))
        assert (new.rating, new.deviation) == (1200, 200)
    drawn = [("2024-03-01", "ann", "bob", 0.5)]  # between equals: nobody moves
    for estimator in (ct.Elo(start=1200), ct.Glicko(start=1200), ct.Glicko2(start=1200)):
        assert estimator.fit(drawn).ratings["rating"].to_list() == pytest.approx([1200, 1200])
        assert estimator.update(None, None, 0.5)[0].rating == pytest.approx(1200)
    assert str(ct.Glicko(c=20)) == "Glicko(c=20)"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ct.Elo(k=-5), "k: expected a number above 0, found -5"),
        (lambda: ct.Elo(k="32"), "k: expected a number above 0, found '32'"),
        (lambda: ct.Elo(curve="straight"), "curve: expected one of logistic, normal, found 'straight'"),
        (lambda: ct.Elo(scale=math.inf), "scale"),
        (lambda: ct.Glicko2(tau=0), "tau"),
        (lambda: ct.Elo(K=32), "^Elo has no setting 'K': there are k, curve, scale, start$"),
        (lambda: ct.Glicko(tau=1), "^Glicko has no setting 'tau': there are start, start_deviation, c$"),
        (lambda: ct.StCharles(k=1), "^StCharles has no setting 'k': there are none$"),
        (lambda: ct.Glicko(c=-1), "^c: expected a number above 0, found -1$"),
        (lambda: ct.Glicko(start_deviation=400), "^start_deviation: expected at most 350, found 400$"),
        (lambda: ct.UsChess(profile="as-wished"), "profile: expected one of as-written, as-practised"),
        (lambda: ct.UsChess(pool="RAPID"), "pool: expected one of OTBR"),
    ],
)
def test_impossible_settings_are_refused(make: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue, match=says):
        make()


def test_what_a_fit_shows() -> None:
    fitted = ct.Elo(k=24).fit(some_games())
    assert repr(fitted).startswith("Elo(k=24): ")
    assert repr(ct.Elo().fit([("a", "b", 1)])) == "Elo(): 2 players, 1 game"
    assert "<th>player</th>" in fitted._repr_html_()
    assert np.isfinite(fitted.predictions).all()


def test_a_pool_by_its_name() -> None:
    assert ct.UsChess(pool="quick") == ct.UsChess(pool="OTBQ")


def test_players_whom_the_fit_did_not_see_count_as_newcomers_and_are_named() -> None:
    fitted = ct.Elo().fit([("2024-03-01", "ann", "bob", 1)])
    ann = 1500 + 32 * 0.5  # docs/event-document.md: Elo starts at 1500 with K = 32
    more = [("2024-03-08", "ann", "zoe"), ("2024-03-08", "yan", "zoe"), ("2024-03-08", "ann", "bob")]
    assert fitted.predict(more)[:2] == pytest.approx([1 / (1 + 10 ** ((1500 - ann) / 400)), 0.5])
    assert fitted.unseen(more) == ["yan", "zoe"]
    assert fitted.unseen(more[2:]) == []
