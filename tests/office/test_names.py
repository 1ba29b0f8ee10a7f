"""The words of players' names follow the names: however a player comes in, half a name leads to the player."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crosstable import office as the_office
from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import NameWord, Player
from crosstable.office.ledger.names import words_of
from crosstable.office.people.rights import Actor, Role
from crosstable.office.storage.database import writing

OFFICER = Actor("olive", Role.OFFICER)
RIVERSIDE = Path(__file__).parents[2] / "examples" / "riverside-open.json"


def words(number: str) -> list[str]:
    return sorted(NameWord.objects.filter(player__number=number).values_list("word", flat=True))


@pytest.fixture
def opened(office: str) -> str:
    with writing():
        office_settings.create("Test office")
    return office


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Ahmed Dale", ["ahmed", "dale"]),
        ("José Núñez-Łoś", ["jose", "nunez", "los"]),
        ("O'Brien, Seán", ["obrien", "sean"]),
        ("Anna Anna", ["anna"]),
        ("", []),
    ],
)
def test_words(name: str, wanted: list[str]) -> None:
    assert words_of(name) == wanted


def test_a_new_player_and_another_name(opened: str) -> None:
    players.add(OFFICER, "12345678", name="Ahmed Dale")
    assert words("12345678") == ["ahmed", "dale"]
    players.change(OFFICER, "12345678", "a wedding", name="Ahmed Dale-Knight")
    assert words("12345678") == ["ahmed", "dale", "knight"]


def test_a_report_brings_players(opened: str) -> None:
    the_office.submit(OFFICER, RIVERSIDE.read_bytes(), "r.json", "202508030001")
    the_office.accept(OFFICER, "202508030001")
    names = {one["id"]: one["name"] for one in json.loads(RIVERSIDE.read_text())["sections"][0]["players"]}
    assert all(words(number) == sorted(words_of(name)) for number, name in names.items())


def test_an_officer_withholds_a_name(opened: str) -> None:
    players.add(OFFICER, "12345678", name="Ahmed Dale")
    players.change(OFFICER, "12345678", "asked by a parent", withheld=True)
    assert Player.objects.get(number="12345678").withheld
