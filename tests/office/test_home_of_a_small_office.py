"""The first page of an office in its first month: few players, a correction before anything was rated, an event without
a name.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from crosstable import office as desk
from crosstable.office.people.rights import Actor, Role
from crosstable.office.queries.home import home

EVENT = (Path(__file__).parents[2] / "examples" / "riverside-open.json").read_bytes()
OFFICER = Actor("olga", Role.OFFICER)


@pytest.fixture
def ledger(office: str) -> str:
    from crosstable.office.ledger import office_settings

    office_settings.create()
    return office


def _with(game: int, result: str, name: str = "Riverside Open") -> bytes:
    event = json.loads(EVENT)
    event["name"] = name
    event["sections"][0]["games"][game]["result"] = result
    return json.dumps(event).encode()


def _titles() -> list[str]:
    return [one.title for one in home().news if one.title.startswith("Corrected")]


def test_a_correction_before_acceptance_is_no_news(ledger: str) -> None:
    desk.submit(OFFICER, EVENT, "riverside.json", "R1")
    desk.correct(OFFICER, "R1", _with(0, "1/2-1/2"), "riverside.json", "a draw")
    assert _titles() == []
    desk.accept(OFFICER, "R1")
    assert _titles() == []
    desk.correct(OFFICER, "R1", _with(0, "0-1"), "riverside.json", "Black won")
    assert _titles() == ["Corrected: Riverside Open"]
    (told,) = [one.text for one in home().news if one.title.startswith("Corrected")]
    assert " Regular" in told.partition("The largest changes")[2]  # the first section is rated Regular


def test_an_event_without_a_name_is_called_by_its_id(ledger: str) -> None:
    desk.submit(OFFICER, _with(0, "1/2-1/2", ""), "riverside.json", "R1")
    desk.accept(OFFICER, "R1")
    desk.correct(OFFICER, "R1", _with(0, "0-1", ""), "riverside.json", "Black won")
    assert _titles() == ["Corrected: Event R1"]


def test_a_list_too_small_for_a_top_list_shows_its_first_rows(ledger: str) -> None:
    from crosstable.office.lists.models import ListRow
    from crosstable.office.people import users
    from crosstable.office.requests import registry
    from crosstable.office.requests.list_publication import propose

    for name in ("ada", "boris"):
        users.add_user(Actor.installation(), name, Role.OFFICER)
    desk.submit(OFFICER, EVENT, "riverside.json", "R1")
    desk.accept(OFFICER, "R1")
    registry.approve(users.acting_as("boris"), propose(users.acting_as("ada"), date(2025, 9, 1), "monthly").id)
    shown = home().lists
    assert shown is not None
    listed = sorted(ListRow.objects.filter(pool="OTBR").exclude(rating=None).values_list("rating", flat=True))
    assert [one.rating for one in shown.top] == listed[::-1][:5]
    assert [one.place for one in shown.top] == [1, 2, 3, 4, 5]
    assert shown.next is None  # the list of 1 October 2025 is overdue
