"""The public names: what `import crosstable` offers, what records refuse, and what a rated event can show."""

from __future__ import annotations

import doctest
import importlib
import inspect
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

import crosstable as ct
from crosstable.model import MatchChange

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "library.md"
RIVERSIDE = ROOT / "examples" / "riverside-open.json"


def test_about_thirty_names_and_each_is_documented() -> None:
    assert 25 <= len(ct.__all__) <= 36
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


@pytest.mark.parametrize("module", ["model", "systems", "estimators.methods", "estimators.us_chess", ""])
def test_the_docstrings_are_run(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(f"crosstable.{module}".rstrip(".")))
    assert tried > 0
    assert failed == 0


def test_an_unknown_name_says_so() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Glicko3'"):
        ct.Glicko3  # type: ignore[attr-defined]  # noqa: B018


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
        (lambda: ct.Event.of("x", [("a", "b", 2)]), "expected a score of 1, 0.5 or 0, found 2"),
        (
            lambda: ct.Event.of("x", [("a", "b", 1)], on="yesterday"),
            "on: expected a date YYYY-MM-DD, found 'yesterday'",
        ),
        (lambda: ct.Event.of("x", [("a", "b", 1)], ratings={"z": {}}), "ratings: z did not play"),
        (lambda: ct.rules("some day"), "day: expected a date YYYY-MM-DD"),
    ],
)
def test_wrong_types_are_refused_by_field(make: Any, says: str) -> None:
    with pytest.raises(ct.WrongValue, match=says):
        make()


def test_a_wrong_value_is_a_value_error_and_ours() -> None:
    assert issubclass(ct.WrongValue, ValueError)
    assert issubclass(ct.WrongValue, ct.CrosstableError)


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    assert ct.Rating(np.float64(1500), games=np.int32(3)).games == 3  # type: ignore[arg-type]  # what arrays hold


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
