"""An office of another federation: its own rules of reporting, its own IDs, and players known by their names."""

from __future__ import annotations

import io
from datetime import date

import pytest
from simulated import OFFICER

from crosstable import federations
from crosstable.errors import OfficeError
from crosstable.model import Event, Game, Rating, Section
from crosstable.model import Player as Person
from crosstable.office.example.load import as_file
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Office, Player
from crosstable.office.lists import official
from crosstable.office.people import settings
from crosstable.office.people.rights import Actor
from crosstable.office.players import rating_lists
from crosstable.office.queries import ratings
from crosstable.office.rating import states
from crosstable.office.reports import accepting, submissions

SEPTEMBER = b"""date,white,black,result
2026-09-01,Anna Berg,Carl Dahl,1-0
2026-09-01,Eva Falk,Gus Holm,0.5-0.5
2026-09-08,Anna Berg,Eva Falk,0-1
"""
OCTOBER = b"""date,white,black,result
2026-10-06,Carl Dahl,Eva Falk,1-0
2026-10-06,Ida Juhl,"Berg, Anna",0-1
"""


@pytest.fixture
def league(office: str) -> str:
    office_settings.create("City League", titles="", works_for=federations.federation("glicko_league"))
    return office


def take(data: bytes, name: str) -> None:
    done = submissions.submit(OFFICER, data, name)
    assert [(one.code, one.message) for one in done.findings if one.level == "error"] == []
    accepting.accept(OFFICER, done.event)


def register() -> dict[str, str]:
    return dict(Player.objects.values_list("name", "number"))


def test_a_list_of_games_without_ids_is_rated_on_the_first_try(league: str) -> None:
    take(SEPTEMBER, "september.csv")
    assert register() == {"Anna Berg": "1", "Carl Dahl": "2", "Eva Falk": "3", "Gus Holm": "4"}
    take(OCTOBER, "october.csv")  # known by name, also where the last name comes first
    assert register() == {"Anna Berg": "1", "Carl Dahl": "2", "Eva Falk": "3", "Gus Holm": "4", "Ida Juhl": "5"}


def test_nothing_of_us_chess_is_asked_for(league: str) -> None:
    done = submissions.submit(OFFICER, SEPTEMBER, "september.csv")
    assert {one.code for one in done.findings} == {"missing-event-name", "id-to-come"}


def test_a_name_that_two_players_share_is_asked_about(league: str) -> None:
    take(SEPTEMBER, "september.csv")
    Player.objects.create(number="77", name="Eva Falk")
    from crosstable.office.ledger import names

    names.add(Player.objects.filter(number="77").values_list("id", "name"))
    done = submissions.submit(OFFICER, OCTOBER, "october.csv")
    shared = [one for one in done.findings if one.code == "shared-name"]
    assert [one.message for one in shared] == ["2 players are called Eva Falk: 3 or 77."]


def test_an_office_from_before_there_were_profiles(office: str) -> None:
    row = office_settings.create("Old", {"default": ["us_chess"]})
    Office.objects.update(federation={})
    assert settings.current_federation().name == "US Chess"
    assert row.federation["short_name"] == "US Chess"


def test_the_profile_can_be_changed_and_the_systems_cannot(league: str) -> None:
    from dataclasses import replace

    admin = Actor.installation()
    wanted = replace(settings.current_federation(), name="Harbor League", contact="office@harbor.invalid")
    settings.change_federation(admin, wanted)
    assert settings.current_federation() == wanted
    with pytest.raises(OfficeError, match="rates by glicko2"):
        settings.change_federation(admin, federations.federation("us_chess"))


FIDE_LIST = b"""<?xml version="1.0"?><playerslist>
<player><fideid>1500001</fideid><name>Berg, Anna</name><country>NOR</country><sex>F</sex><rating>2000</rating>
<games>0</games><rapid_rating>1900</rapid_rating><rapid_games>3</rapid_games><blitz_rating>1850</blitz_rating></player>
<player><fideid>1500002</fideid><name>Dahl, Carl</name><country>NOR</country><sex>M</sex><rating>2000</rating></player>
</playerslist>"""
RAPID_GAME = Section(
    1,
    "Rapid",
    date(2026, 9, 1),
    date(2026, 9, 1),
    (Person(1, "1500001", "Anna Berg"), Person(2, "1500002", "Carl Dahl")),
    (Game(1, 1, 2, "0-1"),),
    time_control="G/15;+10",
)


def held(number: str) -> dict[str, float]:
    player = Player.objects.get(number=number)
    return {pool: one.rating for pool, one in states.now([player.id]).get(player.id, {}).items()}


def test_a_country_takes_fides_three_lists_and_rates_each_pace_apart(office: str) -> None:
    office_settings.create("Country", titles="", works_for=federations.federation("fide_country"))
    read = rating_lists.import_list(OFFICER, io.BytesIO(FIDE_LIST), date(2026, 8, 1))
    assert (read.added, read.openings) == (2, 4)
    assert held("1500001") == {"FIDE": 2000, "FIDE_R": 1900, "FIDE_B": 1850}
    rapid = Event("Rapid", date(2026, 9, 1), date(2026, 9, 1), (RAPID_GAME,), city="Oslo", country="NOR")
    take(as_file(rapid), "rapid.json")
    # Carl has no rapid rating and starts from the standard 2000: 0.64 is expected against 1900, K 20 gives 7.2
    assert held("1500002") == {"FIDE": 2000, "FIDE_R": 2007}
    assert held("1500001") == {"FIDE": 2000, "FIDE_R": 1893, "FIDE_B": 1850}


def test_a_fide_rating_below_1400_and_one_of_too_few_games_are_on_no_list(office: str) -> None:
    """1405 loses to 1405 twice, K 20: -20, 1385. Three games against rated players are two short of five."""
    office_settings.create("A country", titles="", works_for=federations.federation("fide_country"))
    day = date(2026, 9, 5)
    rated = {"Falls, Una": 1405, "Keeps, Una": 1405, "Third, Una": 1500, "New, Una": None}
    people = tuple(
        Person(place, str(30_900_000 + place), name, ratings={"FIDE": Rating(known, 100)} if known else {})
        for place, (name, known) in enumerate(rated.items(), start=1)
    )
    games = (Game(1, 1, 2, "0-1"), Game(2, 2, 1, "1-0"), *(Game(4 + one, 4, one, "1-0") for one in (1, 2, 3)))
    section = Section(1, "Open", day, day, people, games, time_control="G/90;+30")
    done = submissions.submit(OFFICER, as_file(Event("Autumn", day, day, (section,), country="USA")), "autumn.json")
    accepting.accept(OFFICER, done.event)
    kept = {row.name: row for row in Player.objects.all()}
    state = states.now([kept["Falls, Una"].id])[kept["Falls, Una"].id]["FIDE"]
    assert state.rating == 1385
    live = ratings.live([row.id for row in kept.values()])
    assert {name for name, row in kept.items() if live[row.id]} == {"Keeps, Una", "Third, Una"}
    assert {one.name for one in official.standings(date(2026, 10, 1))} == {"Keeps, Una", "Third, Una"}
    assert official.standing_of(kept["Falls, Una"].id, "FIDE", date(2026, 10, 1)) is None
