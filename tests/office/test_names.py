"""The words of names follow the names: however a player or an event comes in, half a name leads there."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from simulated import data, document

from crosstable import office as the_office
from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import EventHasWord, NameWord, Player
from crosstable.office.ledger.names import words_of
from crosstable.office.people.rights import Actor, Role
from crosstable.office.players import person
from crosstable.office.queries import search
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import corrections
from crosstable.office.storage.database import writing
from crosstable.words.differences import difference

pytestmark = pytest.mark.both_databases

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


def test_every_list_shows_first_names_first(ready: str) -> None:
    """The register and a report may have it either way; a withheld name is its initials in the same order."""
    assert person.shown_name("SOTO, AARON P") == "AARON P SOTO"
    assert person.shown_name("Aaron P Soto") == "Aaron P Soto"
    assert person.shown_name("Soto, Aaron", withheld=True) == "A. S."
    players.add(OFFICER, "30000001", name="Soto, Aaron")
    assert person.by_number("30000001") == person.Person(Player.objects.get().id, "30000001", "Aaron Soto", "")
    old, new = (
        document("Open", date(2025, 8, 2), ["30000001", "30000002"], [(1, 1, 2, result)]) for result in ("1-0", "0-1")
    )
    number = submissions.submit(OFFICER, data(old), "event.json").event
    accepting.accept(OFFICER, number)
    (found,) = corrections.asked_differences(OFFICER, number, data(new), "event.json")
    assert difference(found).entry == "Aaron Soto – Player 30000002"


def test_an_event_is_found_by_a_part_of_a_word_and_by_its_name_of_today(opened: str) -> None:
    report = json.loads(RIVERSIDE.read_text())
    the_office.submit(OFFICER, json.dumps(report).encode(), "r.json", "202508030001")
    assert search.events_named("riverside") == ()  # nobody sees what waits
    the_office.accept(OFFICER, "202508030001")
    found = (("202508030001", report["name"]),)
    assert [search.events_named(text) for text in ("versi", "OPEN river", "lake", "versi lake")] == [
        found,
        found,
        (),
        (),
    ]
    renamed = {**report, "name": "Lakeside Open"}
    the_office.correct(OFFICER, "202508030001", json.dumps(renamed).encode(), "r.json", "it is by the lake")
    assert search.events_named("versi") == ()
    assert search.events_named("lakes") == (("202508030001", "Lakeside Open"),)
    assert EventHasWord.objects.count() == 2


def test_a_common_word_finds_the_same_events(opened: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many events have it, their names are read; the newest come first, either way."""
    report = json.loads(RIVERSIDE.read_text())
    for number in ("202508030001", "202508030002"):
        again = {**report, "name": f"Open {number[-1]}", "sections": [{**report["sections"][0], "name": number}]}
        the_office.submit(OFFICER, json.dumps(again).encode(), "r.json", number)
        the_office.accept(OFFICER, number)
    few = search.events_named("pen")
    monkeypatch.setattr(search, "COMMON", 1)
    assert search.events_named("pen") == few == (("202508030002", "Open 2"), ("202508030001", "Open 1"))
