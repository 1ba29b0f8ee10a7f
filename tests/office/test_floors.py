"""Floors in the office: set and lowered by decisions, with the numbers of readings 23 and 24."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, accept, adjusted, data, document, officers, rated
from three_players import ADA, BEN, CAY, last

from crosstable.errors import OfficeError
from crosstable.formats import rating_lists
from crosstable.model import Finding, Rating
from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Adjustment
from crosstable.office.lists import official, read
from crosstable.office.lists.export import export
from crosstable.office.lists.rows import Row, rows_hash
from crosstable.office.rating import floors as held_floors
from crosstable.office.rating import run, states
from crosstable.office.reports import accepting
from crosstable.office.requests import adjustments, floors, lifecycle, list_publication, prize_floors, registry
from crosstable.office.requests.prize_floors import Prize


def played(name: str, day: date, result: str, games: int, **facts: Any) -> str:
    """Ada against Ben, so many games with one result."""
    rounds = [(number, 1, 2, result) for number in range(1, games + 1)]
    kind = "match" if name.startswith("Match") else "swiss"
    return accept(document(name, day, [ADA, BEN], rounds, kind=kind, control="G/120;d5", facts=facts))


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
    lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="ill")
    assert last(BEN).post == 1660.0  # 50 points is all that a match takes


def test_a_prize_floor_set_after_a_lowering_holds_and_lifts_the_rating(ready: str) -> None:
    """Readings 23 and 24: the floor of 1800 is set after the lowering to 1600; the rating is 1800 that day."""
    lowered_to_1600()
    number = played("Open", date(2025, 2, 1), "1/2-1/2", 2)
    assert last(BEN).post < 1800
    prize_floors.prize_floor(OFFICER, BEN, Prize(number, 1, 1800, 5000), "first prize")
    assert shown(BEN) == (1800.0, 1800.0, 1800.0)  # no section follows yet
    played("Next", date(2025, 3, 1), "1-0", 8)
    assert (last(BEN).prior, last(BEN).post) == (1800.0, 1800.0)
    assert run.compute(run.BEGINNING).nothing


def test_a_life_master_by_decision_after_a_lowering_stands_at_2200(ready: str) -> None:
    lowered_to_1600()
    adjusted(BEN, "OTBR", date(2025, 2, 1), {"life_master": True}, "300 games above 2200, found in the old cards")
    assert shown(BEN) == (2200.0, 2200.0, 2200.0)
    played("Open", date(2025, 3, 1), "1-0", 4)
    assert (last(BEN).prior, last(BEN).post) == (2200.0, 2200.0)
    assert run.compute(run.BEGINNING).nothing


def test_a_lowered_prize_floor_does_not_spring_back(ready: str) -> None:
    """The prize floor of 1800 is lowered to 1700; the earned floor rises to 1700 later, which is not above 1800."""
    facts = {ADA: rated(1900), BEN: rated(1810, prize_floor=1800.0)}  # earned: 1810 - 200 -> 1600
    played("Match", date(2025, 1, 4), "1-0", 10, **facts)
    (request,) = floors.requests(OFFICER)
    assert (request["floor"], request["wanted"]) == (1800.0, 1700.0)
    lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="ill")
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
    """Readings 23: Ben, at his personal floor, loses a match; there is nothing to ask for (100 less would be 43
    or so).
    """
    floor = 100 + 4 * 5 + 2 * 1 + 1 * 4  # AF = 100 + 4 wins + 2 draws + events (2025 section 5)
    facts = {ADA: rated(300, 60), BEN: rated(float(floor), 60, wins=5, draws=1, losses=54, three_game_events=3)}
    played("Match", date(2025, 1, 4), "1-0", 10, **facts)
    assert last(BEN).post == floor
    assert not list(floors.requests(OFFICER))


def test_wins_that_the_office_rated_count_where_those_before_are_unknown(ready: str) -> None:
    """Ben comes with 130 on 30 games and no wins: two in one event and one in the next make 100 + 4 x 3 + 2 events
    (2025 §5).
    """
    facts = {ADA: rated(900, 60), BEN: rated(130, 30)}
    for name, day, wins in (("Open", date(2025, 9, 6), 2), ("Quads", date(2025, 9, 20), 1)):
        rounds = [(number, 1, 2, "0-1" if number <= wins else "1-0") for number in range(1, 6)]
        accept(document(name, day, [ADA, BEN], rounds, control="G/120;d5", facts=facts))
    adjusted(BEN, "OTBR", date(2025, 10, 1), {"rating": 100.0}, "to see the floor hold")
    played("Club", date(2025, 10, 4), "1-0", 1)
    assert last(BEN).post == 100 + 4 * 3 + 2
    assert (last(BEN).wins, last(BEN).draws, last(BEN).losses) == (3, 0, None)
    assert run.compute(run.BEGINNING).nothing


def test_a_prize_floor_follows_its_event(ready: str) -> None:
    """The floor of 1800 holds from the day after the event: it moves, goes and comes back with it."""
    facts = {ADA: rated(1700), BEN: rated(1700)}
    content = document("Open", date(2025, 2, 1), [ADA, BEN], [(1, 1, 2, "1/2-1/2")], control="G/120;d5", facts=facts)
    number = accept(content)
    assert prize_floors.prize_floor(OFFICER, BEN, Prize(number, 1, 1800, 5000), "first prize").date == date(2025, 2, 2)
    decision = Adjustment.objects.get(kind=Adjustment.PRIZE_FLOOR)
    moved = {**content, "start": "2025-03-01", "end": "2025-03-01"}
    accepting.correct(OFFICER, number, data(moved), "event.json", "a month later")
    decision.refresh_from_db()
    assert (decision.date, decision.status, shown(BEN)[2]) == (date(2025, 3, 2), "granted", 1800.0)
    seen = accepting.withdraw(OFFICER, number, "never played", preview=True)
    assert {one.player: (one.before, one.after) for one in seen.changes}[BEN] == (1800.0, None)
    accepting.withdraw(OFFICER, number, "never played")
    decision.refresh_from_db()
    assert decision.status == "withdrawn"
    accepting.accept(OFFICER, number, "played after all")
    decision.refresh_from_db()
    assert (decision.status, shown(BEN)) == ("granted", (1800.0, 1800.0, 1800.0))
    assert run.compute(run.BEGINNING).nothing


def test_a_prize_floor_goes_with_the_merged_person(ready: str) -> None:
    number = played("Open", date(2025, 2, 1), "1/2-1/2", 2, **{ADA: rated(1700), BEN: rated(1700)})
    prize_floors.prize_floor(OFFICER, BEN, Prize(number, 1, 1800, 5000), "first prize")
    players.add(OFFICER, CAY, name="Ben as well")
    players.merge(OFFICER, BEN, CAY, "one person")
    row = players.find(CAY)
    assert states.now([row.id])[row.id]["OTBR"].rating == 1800.0
    assert run.compute(run.BEGINNING).nothing


def test_a_release_goes_by_all_memberships_of_a_person(office: str) -> None:
    """1996: the prison membership stands under one record, the regular one under the other."""
    office_settings.create(systems={"default": ["uscf_1996"]}, prison_rules=True)
    for one in (BEN, CAY):
        players.add(OFFICER, one, name="Ben")
    players.join(OFFICER, BEN, "prison", date(1997, 1, 1), date(1997, 6, 1))
    players.join(OFFICER, CAY, "regular", date(1997, 6, 2))
    releases = Adjustment.objects.filter(kind=Adjustment.RELEASE, status=Adjustment.GRANTED)
    assert not releases.exists()
    players.merge(OFFICER, BEN, CAY, "one person")
    assert [row.date for row in releases.all()] == [date(1997, 6, 2)]
    players.unmerge(OFFICER, BEN, "two people")
    assert not releases.exists()


def twice_lowered() -> tuple[str, str]:
    """Ben's peak of 2041 gives a floor of 1800. Two matches end on the floor, and each granted request takes 100 off
    it.
    """
    played("Open", date(2024, 12, 1), "1/2-1/2", 2, **{ADA: rated(1810), BEN: rated(1810, peak=2041.0)})  # no change
    first = played("Match one", date(2025, 1, 4), "1-0", 10)
    (request,) = floors.requests(OFFICER)
    assert (request["floor"], request["wanted"]) == (1800.0, 1700.0)
    lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="ill")
    assert last(BEN).post == 1760.0  # 50 points is all that a match takes
    played("Next", date(2025, 2, 1), "1-0", 20)
    assert last(BEN).post == 1700.0
    second = played("Match two", date(2025, 10, 4), "1-0", 40)  # nine months later: the limit of 180 days is free again
    assert last(BEN).post == 1700.0
    (request,) = floors.requests(OFFICER)
    assert (request["floor"], request["wanted"]) == (1700.0, 1600.0)
    lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="still ill")
    assert last(BEN).post == 1650.0
    return first, second


def test_the_same_floor_lowered_twice_holds(ready: str) -> None:
    """Readings 23: the second request lowers the lowered floor; the earned 1800, lowered before, is not back."""
    twice_lowered()
    for month in (11, 12):
        played(f"Next {month}", date(2025, month, 1), "1-0", 20)
    row = last(BEN)
    assert (row.post, row.lowered_floor, row.lowered_from) == (1600.0, 1600.0, 1800.0)
    assert players.show(BEN)["ratings"]["OTBR"]["floor"] == {"rating": 1600.0, "reason": "lowered on request"}
    assert run.compute(run.BEGINNING).nothing


def test_a_floor_set_below_what_was_lowered_holds(ready: str) -> None:
    """Readings 23: a money floor of 1700, set after 1800 was lowered to 1600, is the highest; 1800 stays lowered."""
    twice_lowered()
    adjusted(BEN, "OTBR", date(2025, 11, 1), {"prize_floor": 1700.0}, "money floor")
    assert shown(BEN) == (1700.0, 1700.0, 1700.0)
    played("Next", date(2025, 12, 1), "1-0", 20)
    assert last(BEN).post == 1700.0
    assert players.show(BEN)["ratings"]["OTBR"]["floor"] == {"rating": 1700.0, "reason": "set by a cash prize"}
    assert run.compute(run.BEGINNING).nothing


def test_a_granted_request_lowers_the_floor_of_its_day_whatever_that_is(ready: str) -> None:
    """The first match is withdrawn: on the day of the second one 1800 holds again, and its request lowers that
    to 1700.
    """
    first, _ = twice_lowered()
    accepting.withdraw(OFFICER, first, "never played")
    (granted,) = [one for one in floors.requests(OFFICER, "granted") if one["effect"]]
    assert (granted["floor"], granted["wanted"]) == (1800.0, 1700.0)
    row = last(BEN)
    assert (row.prior, row.post, row.lowered_floor) == (1800.0, 1750.0, 1700.0)
    accepting.accept(OFFICER, first, "played after all")
    assert {(one["floor"], one["wanted"]) for one in floors.requests(OFFICER, "granted")} == {
        (1800.0, 1700.0),
        (1700.0, 1600.0),
    }
    assert last(BEN).post == 1650.0
    assert run.compute(run.BEGINNING).nothing


@pytest.mark.clause("adjustments.money-floors")
def test_floors_by_adjustment(ready: str) -> None:
    """Money floors and lowered floors through `adjust` (2025 section 7): from the floor in force on that day."""
    played("Open", date(2025, 1, 4), "1/2-1/2", 2, **{ADA: rated(1300), BEN: rated(1810, peak=2041.0)})
    with pytest.raises(OfficeError, match=r"the floor of 2025-02-01 is 1800 \(earned by 2041\); say a lower one"):
        adjustments.propose(OFFICER, BEN, "OTBR", date(2025, 2, 1), {"lowered_floor": 1800.0}, "no lower one")
    adjusted(BEN, "OTBR", date(2025, 2, 1), {"lowered_floor": 1500.0}, "the executive director")
    played("Next", date(2025, 3, 1), "1-0", 30)
    assert (last(BEN).lowered_floor, last(BEN).lowered_from) == (1500.0, 1800.0)
    assert 1500 <= last(BEN).post < 1800
    adjusted(BEN, "OTBR", date(2025, 4, 1), {"prize_floor": 1900.0}, "money floor")
    assert shown(BEN) == (1900.0, 1900.0, 1900.0)
    adjusted(BEN, "OTBR", date(2025, 5, 1), {"prize_floor": None}, "given back")
    played("Third", date(2025, 6, 1), "1-0", 30)
    played("Fourth", date(2025, 7, 1), "1-0", 30)
    assert last(BEN).post < 1800  # what was lowered stays lowered
    assert run.compute(run.BEGINNING).nothing
    with pytest.raises(OfficeError, match=r"the personal floor of 1\d\d holds, which cannot be lowered"):
        adjustments.propose(OFFICER, ADA, "OTBR", date(2025, 1, 5), {"lowered_floor": 100.0}, "nothing to lower")


def test_lists_and_their_files_tell_floors_with_the_reason(ready: str) -> None:
    """Ben's floor of 1600 was lowered on request. Ada won from 1800: her floor is earned, 1800 - 200 at least."""
    lowered_to_1600()
    first, second = officers()
    registry.approve(second, list_publication.propose(first, date(2025, 3, 1), "monthly list").id)
    published = read.find(date(2025, 3, 1))
    told = {row["id"]: (row["floor"], row["floor_reason"]) for row in read.rows(published)}
    assert told == {ADA: (1600.0, f"earned by {last(ADA).post:.0f}"), BEN: (1600.0, "lowered on request")}
    assert read.problems() == []
    head, _, line = csv.reader(io.StringIO(export(published, "csv").decode()))
    cells = dict(zip(head, line, strict=True))
    assert (cells["OTBR floor"], cells["OTBR floor reason"]) == ("1600", "lowered on request")
    (whole,) = [one for one in json.loads(export(published, "json"))["players"] if one["id"] == BEN]
    assert whole["floors"] == {"OTBR": {"rating": 1600.0, "reason": "lowered on request"}}
    for kind in ("csv", "tsv", "dbf", "json"):  # workbooks are for people
        findings: list[Finding] = []
        ada, ben = rating_lists.read(io.BytesIO(export(published, kind)), findings)
        assert (ada.id, ben.ratings["OTBR"]) == (ADA, 1660.0), kind
        (unused,) = findings  # who reads names and ratings does nothing with floors, and is told so
        assert "OTBR_FLOOR" in unused.message, kind


def test_lists_from_before_floors_keep_their_hash() -> None:
    """A row without a floor is hashed as it always was: ten columns as canonical JSON, a line each."""
    row = Row("OTBR", BEN, "Ben", "OH", "", 1660.0, None, "B", True, None)
    line = f'["OTBR","{BEN}","Ben","OH","",1660.0,null,"B",true,null]\n'
    assert rows_hash([row], []) == hashlib.sha256(f"{line}\n\n".encode()).hexdigest()
    floored = row._replace(floor=1600.0, floor_reason="lowered on request")
    assert rows_hash([floored], []) != rows_hash([row], [])


@pytest.mark.parametrize(
    ("record", "level", "reason"),
    [
        # 100 + 4 for each of three wins + 2 for each of two draws + 1 for one event of three games (2025 §5)
        (
            Rating(300.0, 30, wins=3, draws=2, losses=25, three_game_events=1),
            117,
            "games won and drawn and events played",
        ),
        # the 25 games before the list that opened the record count as none (readings 5): 100 + 4 x 3 + 2 x 1 + 1
        (
            Rating(300.0, 30, wins=3, draws=1, three_game_events=1),
            115,
            "games won and drawn and events played; not all are on record",
        ),
    ],
)
def test_a_personal_floor_says_what_it_counts(record: Rating, level: float, reason: str) -> None:
    found = held_floors.binding("OTBR", record, date(2025, 8, 2))
    assert found is not None
    assert (found.rating, found.reason) == (level, f"for {reason}")
