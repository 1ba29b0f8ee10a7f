"""The public names: what `import crosstable` offers, what records refuse, and what a rated event can show."""

from __future__ import annotations

import doctest
import importlib
import inspect
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import crosstable as ct
from crosstable.estimators.comparison import BY_NAME
from crosstable.model import MatchChange, Place

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "library.md"
RIVERSIDE = ROOT / "examples" / "riverside-open.json"
DAY = date(2025, 8, 2)
NIGHT = ct.Event.of("Club night", [("ann", "bob", 1)], on=DAY)


BY_NAME_OF_CLASS = {estimator.__name__ for estimator in BY_NAME.values()}


def test_about_thirty_names_and_each_is_documented() -> None:
    systems = [name for name in ct.__all__ if name in BY_NAME_OF_CLASS]
    assert 20 <= len(ct.__all__) - len(systems) <= 30  # besides the estimators, of which there is one for each method
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in ct.__all__ if f"`{name}`" not in page and f"ct.{name}" not in page] == []
    assert set(ct.__all__) <= set(dir(ct))


def test_every_name_has_a_docstring_and_types() -> None:
    for name in ct.__all__:
        item = getattr(ct, name)
        if callable(item):
            assert item.__doc__, name
        if callable(item) and not isinstance(item, type):
            parameters = inspect.signature(item).parameters
            assert {*parameters, "return"} <= set(item.__annotations__), name


def test_the_page_is_run() -> None:
    failed, tried = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert tried > 20
    assert failed == 0


@pytest.mark.parametrize(
    "module", ["model.event", "model.values", "systems", "estimators.methods", "estimators.us_chess", ""]
)
def test_the_docstrings_are_run(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"crosstable.{module}".rstrip(".")))
    assert tried > 0
    assert failed == 0


def test_an_unknown_name_says_so() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Glicko3'"):
        ct.Glicko3  # noqa: B018  looking for it raises


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ct.Rating("1500"), "Rating.rating: expected a number, found '1500'"),
        (lambda: ct.Rating(None), "Rating.rating: expected a number, found None"),
        (lambda: ct.Rating(1500, games=2.5), "Rating.games: expected a whole number, found 2.5"),
        (lambda: ct.Rating(1500, date="2025-08-02"), "Rating.date: expected a date"),
        (lambda: ct.Rating(1500, date=datetime(2025, 8, 2)), "Rating.date: expected a date"),
        (lambda: ct.Player("1", "a"), "Player.number: expected a whole number, found '1'"),
        (lambda: ct.Player(1, 30000001), "Player.id: expected text, found 30000001"),
        (lambda: ct.Player(1, "a", birth_date="2010-01-01"), "Player.birth_date: expected a date"),
        (lambda: ct.Player(1, "a", ratings={"OTBR": 1500}), r"Player.ratings\['OTBR'\]: expected a Rating, found 1500"),
        (lambda: ct.Game(1, "a", 2, "1-0"), "Game.white: expected a whole number, found 'a'"),
        (lambda: ct.Game(1, 1, 2, 1), "Game.result: expected text, found 1"),
        (lambda: ct.Section(1, "", "2025-08-02", None, (), ()), "Section.start: expected a date"),
        (lambda: ct.Event("x", date(2025, 8, 2), "2025-08-03", ()), "Event.end: expected a date"),
        (lambda: ct.Event.of("x", [("a", "b", 2)], on=DAY), "expected a score of 1, 0.5 or 0, found 2"),
        (lambda: ct.Event.of("x", [("a", "b", None)], on=DAY), "expected a score of 1, 0.5 or 0, found None"),
        (lambda: ct.Event.of("x", "abc", on=DAY), "games: expected a list of .*found 'abc'"),
        (lambda: ct.Event.of("x", ["abc"], on=DAY), "games: expected .*found 'abc'"),
        (lambda: ct.Event.of("x", None, on=DAY), "games: expected a list of .*found None"),
        (lambda: ct.Event.of("x", [("a", "b")], on=DAY), r"games: expected .*found \('a', 'b'\)"),
        (lambda: ct.Event.of("x", [("a", "b", 1)], on=None), "on: expected a date YYYY-MM-DD, found None"),
        (
            lambda: ct.Event.of("x", [("a", "b", 1)], on=DAY, ratings={"a": 1500}),
            r'Player.ratings: expected ratings by pool, as in \{"OTBR": Rating\(1500, games=40\)\}, found 1500',
        ),
        (lambda: ct.Event.of("x", [("a", "b", 1)], on=DAY, ratings=[1500]), "ratings: expected ratings by player"),
        (
            lambda: ct.Event.of("x", [("a", "b", 1)], on="yesterday"),
            "on: expected a date YYYY-MM-DD, found 'yesterday'",
        ),
        (lambda: ct.Event.of("x", [("a", "b", 1)], on=DAY, ratings={"z": {}}), "ratings: z did not play"),
        (
            lambda: ct.Event.of("x", [("a", "b", 1)], on=DAY, time_control=60),
            'Section.time_control: expected text, as in "G/60;d5", found 60',
        ),
        (
            lambda: ct.Event.of("x", [("a", "b", 1)], on=DAY, mode="internet"),
            "Section.mode: expected one of otb, online, found 'internet'",
        ),
        (
            lambda: ct.Event.of("x", [("a", "b", 1)], on=DAY, kind="knockout"),
            "Section.kind: expected one of swiss, .*found 'knockout'",
        ),
        (lambda: ct.Event.of("x", [("a", None, 1)], on=DAY), "games: expected a player's id, found None"),
        (lambda: ct.Event.of("x", [("a", 1.5, 1)], on=DAY), r"games: expected a player's id, found 1\.5"),
        (lambda: ct.Event.of("x", [("a", "b", 1)], on=pd.NaT), "on: expected a date YYYY-MM-DD, found NaT"),
        (lambda: ct.rules("some day"), "day: expected a date YYYY-MM-DD"),
    ],
)
def test_wrong_types_are_refused_by_field(make: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue, match=says):
        make()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: ct.rate(None), "event: expected an Event, what read gives, or the path of a file, found None"),
        (lambda: ct.public(5), "event: expected an Event.*found 5"),
        (lambda: ct.check(None), "event: expected an Event.*found None"),
        (lambda: ct.write(None), "event: expected an Event.*found None"),
        (lambda: ct.read(None), "path: expected the path of a file, found None"),
        (lambda: ct.read(RIVERSIDE, start="May"), "start: expected a date YYYY-MM-DD, found 'May'"),
        (lambda: ct.rate(NIGHT, system=ct.Elo), r"system: .*found the class Elo. Write Elo\(\)"),
        (lambda: ct.rate(NIGHT, system=None), "system: expected a name, as in 'glicko'.*found None"),
        (lambda: ct.rules(DAY, system=ct.UsChess), r"Write UsChess\(\)"),
    ],
)
def test_wrong_arguments_are_refused_by_name(call: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue, match=says):
        call()


def test_a_time_is_taken_as_its_day() -> None:
    for time in (datetime(2025, 8, 2, 19, 30), pd.Timestamp("2025-08-02 23:30", tz="America/Chicago")):
        assert ct.Event.of("x", [("a", "b", 1)], on=time).end == DAY
        assert ct.rules(time).date == DAY


def test_ids_may_be_whole_numbers() -> None:
    night = ct.Event.of("x", [(1, 2, 1), ("2", 3, 0)], on=DAY, ratings={1: {"ELO": ct.Rating(1600)}})
    assert [player.id for player in night.sections[0].players] == ["1", "2", "3"]
    assert ct.rate(night, "elo").answers[0].prior == 1600


def test_what_players_leave_with() -> None:
    """G/60;d5 counts for regular and quick; ann's blitz rating stays as it was."""
    held = {"OTBR": ct.Rating(1500, games=40), "OTBQ": ct.Rating(1480, games=40), "OTBB": ct.Rating(1300, games=9)}
    night = ct.Event.of("x", [("ann", "bob", 1)], on=DAY, ratings={"ann": held, "bob": held}, time_control="G/60;d5")
    rated = ct.rate(night)
    left = rated.ratings()
    assert left["ann"]["OTBB"] is held["OTBB"]
    for answer in rated.answers:
        assert left[answer.id][answer.pool] == answer.state
    assert {answer.pool for answer in rated.answers} == {"OTBR", "OTBQ"}
    assert left["ann"]["OTBR"].games == 41


def test_ratings_under_other_keys_are_said() -> None:
    """Nobody should find out afterwards that ann was rated as a newcomer."""
    other = {"ann": {"OTBR": ct.Rating(1500, games=40)}, "bob": {"ELO": ct.Rating(1600)}}
    night = ct.Event.of("x", [("ann", "bob", 1)], on=DAY, ratings=other)
    (said,) = ct.rate(night, "elo").findings
    assert said.message == "Elo does not use OTBR ratings: ann counts as unrated. It reads ELO."
    assert ct.rate(NIGHT, "elo").findings == ()


def test_an_event_needs_a_day() -> None:
    with pytest.raises(ct.WrongValue, match=r"Event\.of, on: expected a date YYYY-MM-DD, found None"):
        ct.Event.of("Club night", games=[("ann", "bob", 1)])


@pytest.mark.parametrize("path", [RIVERSIDE, str(RIVERSIDE)])
def test_a_path_is_read(path: Any) -> None:
    assert ct.rate(path) == ct.rate(ct.read(path).event)
    assert ct.check(path) == ct.check(ct.read(path)) == ct.check(ct.read(path).event)
    assert ct.write(path) == ct.write(ct.read(path).event)


def test_a_path_without_a_file_is_a_finding() -> None:
    assert [finding.code for finding in ct.check("there/is/none.csv")] == ["no-file"]
    with pytest.raises(ct.EventRejected, match="no-file"):
        ct.rate("there/is/none.csv")


def test_what_a_file_does_not_say_is_said_to_read(tmp_path: Path) -> None:
    file = tmp_path / "night.csv"
    file.write_text("No.,Name,ID,Rating,Rnd 1\n1,Ada,12345678,1500/30,W2\n2,Bo,12345679,1500/30,L1\n")
    with pytest.raises(ct.EventRejected):
        ct.rate(file)
    event = ct.read(file, start="2025-08-02", end=date(2025, 8, 3), time_control="G/90;d5").event
    section = event.sections[0]
    assert (section.start, section.end, section.time_control) == (DAY, date(2025, 8, 3), "G/90;d5")
    assert {answer.id for answer in ct.rate(event).answers} == {"12345678", "12345679"}


def test_a_refusal_has_a_line_for_each_finding_errors_first() -> None:
    notice, error = (ct.Finding(level, "x", Place(), f"{level}.") for level in (ct.Level.NOTICE, ct.Level.ERROR))
    refusal = ct.EventRejected([notice, error])
    assert str(refusal).splitlines() == [str(error), str(notice)]
    assert refusal.findings == (notice, error)


def test_writing_an_unknown_format_names_those_that_there_are() -> None:
    with pytest.raises(ct.EventRejected, match=r"foo: no format .* Choose one of event-json, .*csv\. \[") as refused:
        ct.write(NIGHT, "foo")
    assert "Export" not in str(refused.value)


def test_a_rated_event_is_printed_in_a_few_lines() -> None:
    assert str(ct.rate(NIGHT, system="elo")).splitlines() == [  # K = 32, both from 1500
        "Club night · elo: 2 new ratings",
        "  section 1 ELO ann: unrated → 1516",
        "  section 1 ELO bob: unrated → 1484",
    ]
    newcomers = ct.Event.of("Night", [("ann", "bob", 1)], on=DAY, time_control="G/90;d5")
    assert str(ct.rate(newcomers)).splitlines()[1].startswith("  section 1 OTBR ann: new → ")
    games = [(f"p{n}", f"q{n}", 1) for n in range(15)]
    lines = repr(ct.rate(ct.Event.of("Large", games, on=DAY), system="elo")).splitlines()
    assert len(lines) == 22
    assert lines[-1] == "  … 10 more"


def test_a_wrong_value_is_a_value_error_and_ours() -> None:
    assert issubclass(ct.WrongValue, ValueError)
    assert issubclass(ct.WrongValue, ct.CrosstableError)


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    assert ct.Rating(np.float64(1500), games=np.int32(3)).games == 3  # what arrays hold


def test_a_rating_under_a_wrong_name_is_refused() -> None:
    event = ct.Event.of(
        "x",
        [("a", "b", 1)],
        on="2025-08-02",
        ratings={"a": {"regular": ct.Rating(1500, games=30)}},
        time_control="G/90",
    )
    for system in ("us_chess", "glicko", ct.Elo()):
        with pytest.raises(ct.EventRejected, match=r"no rating pool 'regular'.*Known: OTBR"):
            ct.rate(event, system=system)


def test_systems_by_name_and_as_objects() -> None:
    night = ct.Event.of("Club night", [("ann", "bob", 1)], on="2025-08-02")
    by_name = ct.rate(night, system="glicko2").answers[0].post
    assert ct.rate(night, system=ct.Glicko2()).answers[0].post == by_name
    assert ct.rate(night, system=ct.system("glicko2")).answers[0].post == by_name
    assert ct.rate(night, system=ct.Elo(k=24)).answers[0].post == 1512  # 24 × (1 − 1/2)
    with pytest.raises(ct.UnknownSystem, match="us_chess"):
        ct.rate(night, system="chess960")


def test_an_estimators_profile_counts() -> None:
    days = (date(2008, 6, 6), date(2008, 6, 6))  # B is 6 as written, still 10 as practised (docs/readings.md)
    assert ct.rules(days[0])["bonus"]["multiplier"] == 6
    assert ct.rules(days[0], system=ct.UsChess(profile="as-practised"))["bonus"]["multiplier"] == 10


def test_games_stand_in_rounds() -> None:
    event = ct.Event.of("x", [("a", "b", 1), ("c", "d", "1/2-1/2"), ("a", "c", 0)], on=date(2025, 8, 2))
    assert [(game.round, game.white, game.black, game.result) for game in event.sections[0].games] == [
        (1, 1, 2, "1-0"),
        (1, 3, 4, "1/2-1/2"),
        (2, 1, 3, "0-1"),
    ]


def test_a_rated_event_as_a_frame_and_as_a_page() -> None:
    rated = ct.rate(ct.read(RIVERSIDE))
    frame = rated.frame()
    assert frame.height == len(rated.answers)
    assert {"section", "pool", "number", "id", "prior", "post", "published"} <= set(frame.columns)
    assert frame.filter(id="30000004", pool="OTBR")["published"].item() == 1666  # README
    page = rated.to_html()
    assert page.startswith("<!doctype html>")
    assert page.count("<details>") == len(rated.answers)
    assert "http" not in page
    assert "2025 §4.2" in page
    assert rated._repr_html_().startswith("<table>")


def test_names_cannot_write_html() -> None:
    night = ct.Event.of("<script>alert(1)</script>", [("<b>ann</b>", "bob", 1)], on="2025-08-02")
    rated = ct.rate(night, system="elo")
    assert "<script>" not in rated.to_html() + rated._repr_html_()
    assert "<b>ann" not in rated.to_html() + rated._repr_html_()


def test_a_match_change_is_kept() -> None:
    assert ct.Rating(1500, match_changes=(MatchChange(date(2025, 3, 1), -12.5),)).match_changes[0].change == -12.5


def test_records_show_only_what_differs_from_the_default() -> None:
    assert repr(ct.Rating(1500, games=3)) == "Rating(rating=1500, games=3)"
    ann = ct.Player(1, "30000001", "Ann", ratings={"OTBR": ct.Rating(1500)})
    assert repr(ann) == "Player(number=1, id='30000001', name='Ann', ratings={'OTBR': Rating(rating=1500)})"
    event = ct.Event.of("Club night", games=[("ann", "bob", 1)], on="2025-08-02", time_control="G/60")
    import datetime

    names = {"Event": ct.Event, "Section": ct.Section, "Player": ct.Player, "Game": ct.Game, "datetime": datetime}
    assert eval(repr(event), names) == event  # noqa: S307  our own text
