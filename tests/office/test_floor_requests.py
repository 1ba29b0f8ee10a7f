"""A lower floor after a lost match: asked for, granted or refused, and bound to its match from then on."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from simulated import ADMIN, OFFICER, accept, data, document, officers, rated
from three_players import ADA, BEN, CAY, last, match

from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger.models import Adjustment, FloorRequest
from crosstable.office.notices import inbox
from crosstable.office.people import users
from crosstable.office.people.rights import NotAllowedError, Role
from crosstable.office.players.profiles import decided
from crosstable.office.rating import run
from crosstable.office.reports import accepting
from crosstable.office.requests import adjustments, floors, lifecycle, registry
from crosstable.office.requests import floors as own_floors

BEN_AT_1410 = rated(1410, peak=1650.0)


def bens_match(result: str = "1-0") -> dict[str, Any]:
    return match(date(2025, 1, 4), result, 10, **{ADA: rated(1500), BEN: BEN_AT_1410})


def lost_below_the_floor() -> str:
    """Ben's floor is 1400 by a peak of 1650: he loses a match from 1410."""
    return accept(bens_match())


def test_a_match_below_the_floor_asks_and_the_floor_holds(ready: str) -> None:
    number = lost_below_the_floor()
    assert last(BEN).post == 1400.0
    (request,) = floors.requests(OFFICER)
    assert (request["player"], request["event"], request["floor"], request["wanted"]) == (BEN, number, 1400.0, 1300.0)
    before = run.fingerprint()
    lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=False, words="no")
    assert run.fingerprint() == before
    assert not list(floors.requests(OFFICER))
    with pytest.raises(OfficeError, match="already"):
        lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="yes after all")


def test_a_granted_request_lowers_the_floor_from_that_match_on(ready: str) -> None:
    lost_below_the_floor()
    (request,) = floors.requests(OFFICER)
    row = lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="he is ill").row
    assert (row.state, row.decided_by) == (FloorRequest.GRANTED, "olga")
    assert last(BEN).post == 1360.0  # the match takes 50 points at most
    assert last(BEN).lowered_floor == 1300.0
    assert Adjustment.objects.get(kind=Adjustment.LOWERED_FLOOR).reason == "he is ill"
    accept(
        document(
            "Open",
            date(2025, 2, 1),
            [BEN, CAY],
            [(n, 1, 2, "0-1") for n in range(1, 6)],
            control="G/120;d5",
            facts={CAY: rated(1300)},
        )
    )
    assert last(BEN).post == 1300.0
    assert run.compute(run.BEGINNING).nothing


def test_a_request_goes_with_its_match(ready: str) -> None:
    number = lost_below_the_floor()
    accepting.withdraw(OFFICER, number, "never played")
    assert FloorRequest.objects.get().state == FloorRequest.GONE
    accepting.accept(OFFICER, number)
    assert len(list(floors.requests(OFFICER))) == 1


def granted_floor() -> str:
    """Ben's match of 4 January with a lowered floor, and a month later five games that take him down to any floor."""
    number = lost_below_the_floor()
    (request,) = floors.requests(OFFICER)
    lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="he is ill")
    accept(
        document(
            "Open",
            date(2025, 2, 1),
            [BEN, CAY],
            [(n, 1, 2, "0-1") for n in range(1, 6)],
            control="G/120;d5",
            facts={BEN: BEN_AT_1410, CAY: rated(1300)},
        )
    )
    return number


def floor_of_ben() -> tuple[list[float], str, str, date]:
    """His ratings after match and Open; what became of the request and of the decision, and the decision's day."""
    request = FloorRequest.objects.select_related("adjustment").get()
    assert request.adjustment is not None
    assert run.compute(run.BEGINNING).nothing  # a replay from scratch gives the same
    posts = [row["post"] for row in players.history(BEN, "OTBR")]
    return posts, request.state, request.adjustment.status, request.adjustment.date


def told_of_floors() -> Any:
    entry = AuditEntry.objects.latest("seq")
    return list(json.loads(entry.details).get("floor_requests", {}).values())


@pytest.mark.parametrize("day", [date(2025, 1, 2), date(2025, 1, 20)])
def test_a_granted_floor_moves_with_its_match(ready: str, day: date) -> None:
    """1410 less the 50 that a match takes at most; then down to the lowered floor of 1300 (as in the test above)."""
    number = granted_floor()
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))
    moved = {**bens_match(), "start": str(day), "end": str(day)}
    seen = accepting.correct(OFFICER, number, data(moved), "match.json", "another day", preview=True)
    assert all(change.change == 0 for change in seen.changes)
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))
    accepting.correct(OFFICER, number, data(moved), "match.json", "another day")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", day)


def test_a_granted_floor_goes_with_its_match_and_comes_back(ready: str) -> None:
    """Without the match Ben is at 1410 before the Open, and his floor of 1400 holds."""
    number = granted_floor()
    preview = accepting.withdraw(OFFICER, number, "never played", preview=True)
    assert {change.player: change.after for change in preview.changes}[BEN] == 1400.0
    accepting.withdraw(OFFICER, number, "never played")
    assert floor_of_ben() == ([1400.0], "granted", "granted", date(2025, 1, 4))
    accepting.accept(OFFICER, number, "played after all")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))
    assert told_of_floors() == ["lowers the floor"]
    assert verify_all().problems == ()


def test_a_granted_floor_goes_when_the_match_was_not_lost(ready: str) -> None:
    number = granted_floor()
    won = bens_match("0-1")
    accepting.correct(OFFICER, number, data(won), "match.json", "colours mixed up")
    assert floor_of_ben()[1:] == ("granted", "granted", date(2025, 1, 4))
    assert last(BEN).lowered_floor is None
    assert told_of_floors() == ["without effect"]
    (line,) = [one for one in decided(players.find(BEN)) if one.kind == Adjustment.LOWERED_FLOOR]
    assert line.title == "Lower floor granted, without effect"
    lost = bens_match()
    accepting.correct(OFFICER, number, data(lost), "match.json", "they were right")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))


def test_a_floor_that_was_taken_back_can_be_asked_for_again(ready: str) -> None:
    """1410 is held at 1400 by the match without it; and what was revoked does not come back by itself."""
    number = granted_floor()
    first, second = officers()
    decision = Adjustment.objects.get(kind=Adjustment.LOWERED_FLOOR)
    registry.approve(second, adjustments.propose_revoking(first, decision.id, "he was well").id)
    assert floor_of_ben() == ([1400.0, 1400.0], "refused", "withdrawn", date(2025, 1, 4))
    moved = {**bens_match(), "start": "2025-01-02", "end": "2025-01-02"}
    accepting.correct(OFFICER, number, data(moved), "match.json", "two days earlier")
    assert floor_of_ben() == ([1400.0, 1400.0], "refused", "withdrawn", date(2025, 1, 4))
    again = floors.request(OFFICER, BEN, number, 1, "a letter from his doctor")
    assert (again.floor, again.wanted) == (1400.0, 1300.0)
    lifecycle.decide(OFFICER, floors.FLOOR, again.id, granted=True, words="ill after all")
    assert [row["post"] for row in players.history(BEN, "OTBR")] == [1360.0, 1300.0]
    assert run.compute(run.BEGINNING).nothing


def test_a_granted_floor_stays_with_the_person_who_played_the_match(ready: str) -> None:
    """Ben's match is Dan's while the two are one record, and Ben's alone again afterwards."""
    granted_floor()
    dan = "30000004"
    players.add(OFFICER, dan, name="Dan")
    players.merge(OFFICER, BEN, dan, "one person")
    assert [row["post"] for row in players.history(dan, "OTBR")] == [1360.0, 1300.0]
    assert FloorRequest.objects.get().state == FloorRequest.GRANTED
    players.unmerge(OFFICER, BEN, "two people after all")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))


def test_a_player_asks_for_a_lower_floor_after_a_match(ready: str) -> None:
    """2025 §7: Ben may ask for 100 less. The result has opened the request; his words go to it, and after a refusal to
    a new one."""
    number = lost_below_the_floor()
    users.add_user(ADMIN, "ben", Role.PLAYER, player_id=BEN)
    users.add_user(ADMIN, "pia", Role.PLAYER, player_id=ADA)
    users.add_user(ADMIN, "nemo", Role.PLAYER)
    ben = users.acting_as("ben")
    opened = FloorRequest.objects.get()
    assert floors.request(ben, BEN, number, 1, "I was ill").id == opened.id
    entry = AuditEntry.objects.order_by("-seq")[0]
    assert (entry.actor, entry.action, entry.reason) == ("ben", "floor.request", "I was ill")
    assert [(one.state_words, one.wanted) for one in own_floors.own(ben)] == [("waits for an officer", 1300.0)]
    lifecycle.decide(OFFICER, floors.FLOOR, opened.id, granted=False, words="no proof")
    (told,) = inbox.inbox(ben)
    assert (told.subject, told.words) == ("A lower OTBR floor (1300): refused", "no proof")
    assert [(one.state_words, one.may_ask, one.answer) for one in own_floors.own(ben)] == [
        ("refused", True, "no proof")
    ]
    again = floors.request(ben, BEN, number, 1, "here is the proof")
    assert (again.id != opened.id, again.floor, again.wanted, again.state) == (True, 1400.0, 1300.0, "waiting")
    for stranger in ("pia", "nemo"):
        with pytest.raises(NotAllowedError, match="the player that"):
            floors.request(users.acting_as(stranger), BEN, number, 1, "why")
    with pytest.raises(OfficeError, match="fell below a floor"):
        floors.request(users.acting_as("pia"), ADA, number, 1, "why not")
    with pytest.raises(OfficeError, match="needs a reason"):
        floors.request(ben, BEN, number, 1, " ")
    assert floors.request(OFFICER, BEN, number, 1, "by letter").id == again.id
    lifecycle.decide(OFFICER, floors.FLOOR, again.id, granted=True, words="proved")
    assert last(BEN).post < 1400.0
    with pytest.raises(OfficeError):
        floors.request(ben, BEN, number, 1, "more")


@pytest.mark.clause("matches.floor-lowered")
def test_a_granted_lowering_goes_with_its_floor(ready: str) -> None:
    """Readings 44: Ben lost from 1705 with a floor of 1700; he was at 705 all the time, where no floor binds: 655."""

    def lost(rating: float, peak: float) -> dict[str, Any]:
        return match(date(2025, 1, 4), "1-0", **{ADA: rated(rating), BEN: rated(rating, peak=peak)})

    number = accept(lost(1705, 1900))
    (request,) = floors.requests(OFFICER)
    lifecycle.decide(OFFICER, floors.FLOOR, request["request"], granted=True, words="he is ill")
    assert (last(BEN).post, last(BEN).lowered_floor) == (1655, 1600)
    accepting.correct(OFFICER, number, data(lost(705, 705)), "match.json", "a digit too many")
    assert (last(BEN).post, last(BEN).lowered_floor) == (655, None)  # as if nothing had ever been lowered
    assert run.compute(run.BEGINNING).nothing
    assert [one["effect"] for one in floors.requests(OFFICER, "granted")] == [False]
    accepting.correct(OFFICER, number, data(lost(1505, 1700)), "match.json", "1505 after all")
    assert (last(BEN).post, last(BEN).lowered_floor, last(BEN).lowered_from) == (1455, 1400, 1500)
    assert [one["effect"] for one in floors.requests(OFFICER, "granted")] == [True]
