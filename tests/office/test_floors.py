"""Floors in the office: set and lowered by decisions, with the numbers of readings 23 and 24."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, adjusted, data, document

from crosstable.office import events, players
from crosstable.office.decisions import floors, prizes
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import RatingRow
from crosstable.office.lists import official
from crosstable.office.rating import run, states

ADA, BEN, CAY = "30000001", "30000002", "30000003"


@pytest.fixture
def ready(office: str) -> str:
    office_settings.create()
    return office


def rated(rating: float, games: int = 60, **more: Any) -> dict[str, Any]:
    return {"ratings": {"OTBR": {"rating": rating, "games": games, **more}}}


def accept(content: dict[str, Any]) -> str:
    done = events.submit(OFFICER, data(content), "event.json")
    events.accept(OFFICER, done.event)
    return done.event


def played(name: str, day: date, result: str, games: int, **facts: Any) -> str:
    """Ada against Ben, so many games with one result."""
    rounds = [(number, 1, 2, result) for number in range(1, games + 1)]
    kind = "match" if name.startswith("Match") else "swiss"
    return accept(document(name, day, [ADA, BEN], rounds, kind=kind, control="G/120;d5", facts=facts))


def last(player: str) -> RatingRow:
    row = RatingRow.objects.filter(player__number=player, system="OTBR").order_by("position").last()
    assert row is not None
    return row


def shown(player: str) -> tuple[float | None, float | None, float]:
    """On the player's page, on a list of the next new year, and as the office keeps it."""
    row = players.find(player)
    (listed,) = (one.rating for one in official.standings(date(2026, 1, 1)) if one.number == player)
    page = players.show(player)["ratings"]["OTBR"]["rating"]
    return page, listed, states.now([row.id])[row.id]["OTBR"].rating


def lowered_to_1600() -> None:
    """Ben's peak of 1900 gives a floor of 1700; a lost match from 1710 ends on it, and a request lowers it by 100."""
    played("Match", date(2025, 1, 4), "1-0", 10, **{ADA: rated(1800), BEN: rated(1710, peak=1900.0)})
    (request,) = floors.requests(OFFICER)
    assert (request["floor"], request["wanted"]) == (1700.0, 1600.0)
    floors.decide(OFFICER, request["request"], True, "ill")
    assert last(BEN).post == 1660.0  # 50 points is all that a match takes


def test_a_prize_floor_set_after_a_lowering_holds_and_lifts_the_rating(ready: str) -> None:
    """Readings 23 and 24: the floor of 1800 is set after the lowering to 1600; the rating is 1800 that day."""
    lowered_to_1600()
    number = played("Open", date(2025, 2, 1), "1/2-1/2", 2)
    assert last(BEN).post < 1800
    prizes.prize_floor(OFFICER, BEN, number, 1, 1800, 5000, "first prize")
    assert shown(BEN) == (1800.0, 1800.0, 1800.0)  # no section follows yet
    played("Next", date(2025, 3, 1), "1-0", 8)
    assert (last(BEN).prior, last(BEN).post, last(BEN).lowered_floor) == (1800.0, 1800.0, None)
    assert run.compute(run.BEGINNING).nothing


def test_a_life_master_by_decision_after_a_lowering_stands_at_2200(ready: str) -> None:
    lowered_to_1600()
    adjusted(BEN, "OTBR", date(2025, 2, 1), {"life_master": True}, "300 games above 2200, found in the old cards")
    assert shown(BEN) == (2200.0, 2200.0, 2200.0)
    played("Open", date(2025, 3, 1), "1-0", 4)
    assert (last(BEN).prior, last(BEN).post, last(BEN).lowered_floor) == (2200.0, 2200.0, None)
    assert run.compute(run.BEGINNING).nothing


def test_a_lowered_prize_floor_does_not_spring_back(ready: str) -> None:
    """The prize floor of 1800 is lowered to 1700; the earned floor rises to 1700 later, which is not above 1800."""
    facts = {ADA: rated(1900), BEN: rated(1810, prize_floor=1800.0)}  # earned: 1810 - 200 -> 1600
    played("Match", date(2025, 1, 4), "1-0", 10, **facts)
    (request,) = floors.requests(OFFICER)
    assert (request["floor"], request["wanted"]) == (1800.0, 1700.0)
    floors.decide(OFFICER, request["request"], True, "ill")
    assert last(BEN).post == 1760.0
    played("Open", date(2025, 2, 1), "0-1", 4)  # up, above 1800
    risen = last(BEN).post
    assert 1800 < risen < 2000
    for month in (3, 4, 5):  # far down: only 1700 stops it
        played(f"Next {month}", date(2025, month, 1), "1-0", 20)
    assert last(BEN).post == 1700.0
    assert run.compute(run.BEGINNING).nothing


@pytest.mark.parametrize("pool", ["OTBR", "OTBQ"])
def test_a_life_masters_floor_is_of_the_regular_rating(ready: str, pool: str) -> None:
    """2025 section 5: the floor of 2200 is OTBR's only (readings 6); no other rating is lifted."""
    facts = {ADA: {"ratings": {key: {"rating": 1900.0, "games": 60} for key in ("OTBR", "OTBQ")}}, BEN: rated(1900)}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1/2-1/2")], control="G/60;d5", facts=facts))
    before = states.now([players.find(ADA).id])[players.find(ADA).id][pool].rating
    adjusted(ADA, pool, date(2025, 2, 1), {"life_master": True}, "found in the old cards")
    after = states.now([players.find(ADA).id])[players.find(ADA).id][pool].rating
    assert after == (2200.0 if pool == "OTBR" else before)


def test_a_ceiling_holds_against_a_floor(ready: str) -> None:
    """Readings 22: the ceiling comes after the floors."""
    played("Open", date(2025, 1, 4), "1/2-1/2", 2, **{ADA: rated(1700), BEN: rated(1700)})
    adjusted(BEN, "OTBR", date(2025, 2, 1), {"prize_floor": 1900.0, "ceiling": 1800.0}, "both")
    assert shown(BEN) == (1800.0, 1800.0, 1800.0)


def test_a_personal_floor_asks_for_nothing(ready: str) -> None:
    """Readings 23: Ben, at his personal floor, loses a match; there is nothing to ask for (100 less would be 43 or so)."""
    floor = 100 + 4 * 5 + 2 * 1 + 1 * 4  # AF = 100 + 4 wins + 2 draws + events (2025 section 5)
    facts = {ADA: rated(300, 60), BEN: rated(float(floor), 60, wins=5, draws=1, losses=54, three_game_events=3)}
    played("Match", date(2025, 1, 4), "1-0", 10, **facts)
    assert last(BEN).post == floor
    assert not list(floors.requests(OFFICER))
