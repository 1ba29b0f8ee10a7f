"""An office of another federation: its own rules of reporting, its own IDs, and players known by their names."""

from __future__ import annotations

import pytest
from simulated import OFFICER

from crosstable import federations
from crosstable.errors import OfficeError
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Office, Player
from crosstable.office.people import federation_settings
from crosstable.office.people.rights import Actor
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
    assert federation_settings.current().name == "US Chess"
    assert row.federation["short_name"] == "US Chess"


def test_the_profile_can_be_changed_and_the_systems_cannot(league: str) -> None:
    from dataclasses import replace

    admin = Actor.installation()
    wanted = replace(federation_settings.current(), name="Harbor League", contact="office@harbor.invalid")
    federation_settings.change(admin, wanted)
    assert federation_settings.current() == wanted
    with pytest.raises(OfficeError, match="rates by glicko2"):
        federation_settings.change(admin, federations.federation("us_chess"))
