"""The federations' profiles: every one can be read, stored and written again; a wrong one names everything at once."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest

from crosstable import federations
from crosstable.federations.current import current, using


@pytest.mark.parametrize("name", federations.NAMES)
def test_a_profile_is_the_same_after_storing_and_writing(name: str) -> None:
    one = federations.federation(name)
    assert federations.from_data(one.to_json()) == one
    assert federations.from_data(tomllib.loads(federations.to_toml(one))) == one


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "Harbor League"\nshort_name = "Harbor"\nsince = 2026-01-01\n[systems]\ndefault = ["elo"]\n'
        '[checks]\noff = ["number-gap"]\n[checks.levels]\nre-entry = "error"\n'
    )
    one = federations.federation(path)
    assert one.titles_of_pools == {"ELO": "Elo"}
    assert (one.checks.off, dict(one.checks.levels)) == (("number-gap",), {"re-entry": "error"})
    assert federations.from_data(tomllib.loads(federations.to_toml(one))) == one


def test_everything_that_is_wrong_is_named_at_once() -> None:
    wrong = {"name": "x", "colour": "red", "systems": {"default": ["nope"]}, "ids": {"first": "a"}, "accent": "red"}
    with pytest.raises(federations.FederationError) as problem:
        federations.from_data(wrong, "own.toml")
    lines = str(problem.value).splitlines()
    assert len(lines) == 6
    for part in (
        "'colour'",
        "'nope'",
        "ids.first",
        "short_name is missing",
        "since is missing",
        "'red' is not a colour",
    ):
        assert any(part in line and line.startswith("own.toml: ") for line in lines), part


def test_an_unknown_name_says_which_there_are() -> None:
    with pytest.raises(federations.FederationError, match="us_chess, aga, glicko_league"):
        federations.federation("atlantis")


@pytest.mark.parametrize(
    ("systems", "name"),
    [(["us_chess"], "US Chess"), (["us_chess", "glicko"], "US Chess"), (["aga"], "American Go Association")],
)
def test_an_office_of_which_only_the_systems_are_known(systems: list[str], name: str) -> None:
    assert federations.for_systems({"default": systems}).name == name


def test_a_second_system_adds_its_pool_last() -> None:
    one = federations.for_systems({"default": ["glicko", "us_chess"]})
    assert next(iter(one.titles_of_pools.items())) == ("OTBR", "Regular")
    assert list(one.titles_of_pools.items())[-1] == ("GLICKO", "Glicko")


@pytest.mark.parametrize(
    ("months", "day", "before", "after"),
    [
        ((3, 9), 15, date(2026, 3, 14), date(2026, 3, 15)),
        ((3, 9), 15, date(2026, 3, 15), date(2026, 9, 15)),
        ((3, 9), 15, date(2026, 12, 31), date(2027, 3, 15)),
    ],
)
def test_the_next_list_of_a_calendar(months: tuple[int, ...], day: int, before: date, after: date) -> None:
    assert federations.ListCalendar(months=months, day=day).after(before) == after


def test_the_federation_whose_words_are_used() -> None:
    assert current().name == "US Chess"
    with using(lambda: federations.federation("aga")):
        assert current().name == "American Go Association"
    assert current().name == "US Chess"
