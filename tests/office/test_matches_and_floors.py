"""Matches, floors, foreign FIDE events, prizes, prison: what an office looks up in its own ledger."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from simulated import ADMIN, OFFICER, accept, adjusted, data, document, officers, rated

from crosstable.cli import main
from crosstable.errors import EventRejected, OfficeError
from crosstable.office import events, players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.verification import verify_all
from crosstable.office.decisions import adjustments, floors, prizes
from crosstable.office.decisions.prizes import Prize
from crosstable.office.events import fide_lists
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Adjustment, Event, FideBatch, FloorRequest, RatingRow, Submission
from crosstable.office.lists import publish
from crosstable.office.notices import inbox
from crosstable.office.people import proposals, users
from crosstable.office.people.rights import NotAllowedError, Role
from crosstable.office.rating import run, states, trace
from crosstable.office.requests import floors as own_floors

ADA, BEN, CAY = "30000001", "30000002", "30000003"


def match(day: date, result: str, games: int = 6, **facts: Any) -> dict[str, Any]:
    played = [(number, 1, 2, result) for number in range(1, games + 1)]
    return document(f"Match {day}", day, [ADA, BEN], played, kind="match", control="G/120;d5", facts=facts)


def last(player: str, pool: str = "OTBR") -> RatingRow:
    row = RatingRow.objects.filter(player__number=player, pool=pool).order_by("position").last()
    assert row is not None
    return row


def test_match_eligibility_comes_from_the_ledger(ready: str) -> None:
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5",
                    facts={ADA: rated(1900), BEN: rated(1400)}))  # fmt: skip
    claim = match(date(2025, 2, 1), "1-0", **{ADA: rated(1500), BEN: rated(1500)})  # the report says they are close
    number = events.submit(OFFICER, data(claim), "match.json").event
    with pytest.raises(EventRejected, match="points apart"):
        events.accept(OFFICER, number)
    assert events.find(number).status == "submitted"
    assert not RatingRow.objects.filter(section__event__number=number).exists()


def test_a_match_can_be_corrected_to_a_later_day(ready: str) -> None:
    """400 points apart before it, more after it: its own result is no reason to refuse it."""
    accept(document("Open", date(2025, 1, 4), [ADA, BEN, CAY], [(1, 1, 3, "1/2-1/2"), (2, 2, 3, "1/2-1/2")],
                    control="G/120;d5", facts={ADA: rated(1890), BEN: rated(1500), CAY: rated(1690)}))  # fmt: skip
    number = accept(match(date(2025, 2, 1), "1-0"))
    assert last(ADA).post - last(BEN).post > 400
    again = match(date(2025, 2, 8), "1-0")
    events.correct(OFFICER, number, data({**again, "name": "Match"}), "match.json", "a week later")
    assert last(ADA).section.end == date(2025, 2, 8)


def test_match_limits_add_up_over_the_ledger(ready: str) -> None:
    """2025 §7: 50 points a match, 100 in 180 days, 200 in three years."""
    facts = {ADA: rated(1900), BEN: rated(1890)}
    accept(match(date(2025, 1, 4), "1-0", 10, **facts))
    assert last(ADA).post == 1950.0
    accept(match(date(2025, 2, 1), "1-0", 10))
    assert last(ADA).post == 2000.0
    accept(match(date(2025, 3, 1), "1-0", 10))
    assert last(ADA).post == 2000.0  # 100 within 180 days are used up
    changes = states.now([last(ADA).player_id])[last(ADA).player_id]["OTBR"].match_changes
    assert [(change.date, change.change) for change in changes] == [
        (date(2025, 1, 4), 50.0),
        (date(2025, 2, 1), 50.0),
        (date(2025, 3, 1), 0.0),
    ]
    number = last(ADA).section.event.number
    assert trace.trace(number, 1, ADA, "OTBR").post == last(ADA).post


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
    floors.decide(OFFICER, request["request"], False, "no")
    assert run.fingerprint() == before
    assert not list(floors.requests(OFFICER))
    with pytest.raises(OfficeError, match="already"):
        floors.decide(OFFICER, request["request"], True, "yes after all")


def test_a_granted_request_lowers_the_floor_from_that_match_on(ready: str) -> None:
    lost_below_the_floor()
    (request,) = floors.requests(OFFICER)
    row = floors.decide(OFFICER, request["request"], True, "he is ill").request
    assert (row.status, row.decided_by) == (FloorRequest.GRANTED, "olga")
    assert last(BEN).post == 1360.0  # the match takes 50 points at most
    assert last(BEN).lowered_floor == 1300.0
    assert Adjustment.objects.get(kind=Adjustment.LOWERED_FLOOR).reason == "he is ill"
    accept(document("Open", date(2025, 2, 1), [BEN, CAY], [(n, 1, 2, "0-1") for n in range(1, 6)], control="G/120;d5",
                    facts={CAY: rated(1300)}))  # fmt: skip
    assert last(BEN).post == 1300.0
    assert run.compute(run.BEGINNING).nothing


def test_a_request_goes_with_its_match(ready: str) -> None:
    number = lost_below_the_floor()
    events.withdraw(OFFICER, number, "never played")
    assert FloorRequest.objects.get().status == FloorRequest.GONE
    events.accept(OFFICER, number)
    assert len(list(floors.requests(OFFICER))) == 1


def granted_floor() -> str:
    """Ben's match of 4 January with a lowered floor, and a month later five games that take him down to any floor."""
    number = lost_below_the_floor()
    (request,) = floors.requests(OFFICER)
    floors.decide(OFFICER, request["request"], True, "he is ill")
    accept(document("Open", date(2025, 2, 1), [BEN, CAY], [(n, 1, 2, "0-1") for n in range(1, 6)], control="G/120;d5",
                    facts={BEN: BEN_AT_1410, CAY: rated(1300)}))  # fmt: skip
    return number


def floor_of_ben() -> tuple[list[float], str, str, date]:
    """His ratings after match and Open; what became of the request and of the decision, and the decision's day."""
    request = FloorRequest.objects.select_related("adjustment").get()
    assert request.adjustment is not None
    assert run.compute(run.BEGINNING).nothing  # a replay from scratch gives the same
    posts = [row["post"] for row in players.history(BEN, "OTBR")]
    return posts, request.status, request.adjustment.status, request.adjustment.date


def told_of_floors() -> Any:
    entry = AuditEntry.objects.latest("seq")
    return list(json.loads(entry.details).get("floor_requests", {}).values())


@pytest.mark.parametrize("day", [date(2025, 1, 2), date(2025, 1, 20)])
def test_a_granted_floor_moves_with_its_match(ready: str, day: date) -> None:
    """1410 less the 50 that a match takes at most; then down to the lowered floor of 1300 (as in the test above)."""
    number = granted_floor()
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))
    moved = {**bens_match(), "start": str(day), "end": str(day)}
    seen = events.correct(OFFICER, number, data(moved), "match.json", "another day", preview=True)
    assert all(change.change == 0 for change in seen.changes)
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))
    events.correct(OFFICER, number, data(moved), "match.json", "another day")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", day)
    assert told_of_floors() == ["moved"]


def test_a_granted_floor_goes_with_its_match_and_comes_back(ready: str) -> None:
    """Without the match Ben is at 1410 before the Open, and his floor of 1400 holds."""
    number = granted_floor()
    preview = events.withdraw(OFFICER, number, "never played", preview=True)
    assert {change.player: change.after for change in preview.changes}[BEN] == 1400.0
    events.withdraw(OFFICER, number, "never played")
    assert floor_of_ben() == ([1400.0], "gone", "withdrawn", date(2025, 1, 4))
    assert told_of_floors() == ["gone"]
    events.accept(OFFICER, number, "played after all")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))
    assert told_of_floors() == ["granted again"]
    assert verify_all().problems == ()


def test_a_granted_floor_goes_when_the_match_was_not_lost(ready: str) -> None:
    number = granted_floor()
    won = bens_match("0-1")
    events.correct(OFFICER, number, data(won), "match.json", "colours mixed up")
    assert floor_of_ben()[1:] == ("gone", "withdrawn", date(2025, 1, 4))
    assert last(BEN).lowered_floor is None
    lost = bens_match()
    events.correct(OFFICER, number, data(lost), "match.json", "they were right")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))


def test_a_floor_that_was_taken_back_can_be_asked_for_again(ready: str) -> None:
    """1410 is held at 1400 by the match without it; and what was revoked does not come back by itself."""
    number = granted_floor()
    first, second = officers()
    decision = Adjustment.objects.get(kind=Adjustment.LOWERED_FLOOR)
    proposals.approve(second, adjustments.propose_revoking(first, decision.id, "he was well").id)
    assert floor_of_ben() == ([1400.0, 1400.0], "refused", "withdrawn", date(2025, 1, 4))
    moved = {**bens_match(), "start": "2025-01-02", "end": "2025-01-02"}
    events.correct(OFFICER, number, data(moved), "match.json", "two days earlier")
    assert floor_of_ben() == ([1400.0, 1400.0], "refused", "withdrawn", date(2025, 1, 4))
    again = floors.request(OFFICER, BEN, number, 1, "a letter from his doctor")
    assert (again.floor, again.wanted) == (1400.0, 1300.0)
    floors.decide(OFFICER, again.id, True, "ill after all")
    assert [row["post"] for row in players.history(BEN, "OTBR")] == [1360.0, 1300.0]
    assert run.compute(run.BEGINNING).nothing


def test_a_granted_floor_stays_with_the_person_who_played_the_match(ready: str) -> None:
    """Ben's match is Dan's while the two are one record, and Ben's alone again afterwards."""
    granted_floor()
    dan = "30000004"
    players.add(OFFICER, dan, name="Dan")
    players.merge(OFFICER, BEN, dan, "one person")
    assert [row["post"] for row in players.history(dan, "OTBR")] == [1360.0, 1300.0]
    assert FloorRequest.objects.get().status == FloorRequest.GRANTED
    players.unmerge(OFFICER, BEN, "two people after all")
    assert floor_of_ben() == ([1360.0, 1300.0], "granted", "granted", date(2025, 1, 4))


@pytest.mark.parametrize(
    ("start", "under", "money", "floor"),
    [
        (date(2016, 6, 4), 1800, 2000, None),  # over $2,000 until the 2017 edition
        (date(2016, 6, 4), 1800, 2001, 1800.0),
        (date(2025, 6, 7), 1800, 3999, None),  # $4,000 or more from it
        (date(2025, 6, 7), 1800, 4000, 1800.0),
        (date(2025, 6, 7), 1750, 4000, 1800.0),
        (date(2025, 6, 7), 2200, 9000, None),  # up to 2000 only
    ],
)
def test_prize_floors(ready: str, start: date, under: float, money: float, floor: float | None) -> None:
    facts = {ADA: rated(1790), BEN: rated(1700)}
    number = accept(document("Open", start, [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5", facts=facts))
    if floor is None:
        with pytest.raises(OfficeError, match="earns no floor"):
            prizes.prize_floor(OFFICER, ADA, Prize(number, 1, under, money), "first prize")
        return
    assert prizes.prize_floor(OFFICER, ADA, Prize(number, 1, under, money), "first prize").floor == floor
    later = date(start.year, 9, 6)
    accept(document("Next", later, [ADA, BEN], [(n, 2, 1, "1-0") for n in range(1, 9)], control="G/120;d5"))
    assert last(ADA).post == floor
    assert last(ADA).prize_floor == floor


def abroad(name: str, facts: dict[str, Any]) -> bytes:
    """Ada, Ben and Cay each beat a foreigner with FIDE 2300."""
    them = ["F1", "F2", "F3"]
    strangers = {one: {"fide": {"rating": 2300, "date": "2025-06-01"}} for one in them}
    content = document(name, date(2025, 6, 7), [ADA, BEN, CAY, *them], [(1, n, n + 3, "1-0") for n in (1, 2, 3)],
                       kind="fide", facts={**strangers, **facts})  # fmt: skip
    return data(content)


def test_a_fide_batch_counts_for_those_who_are_eligible(ready: str) -> None:
    ours = {
        ADA: {**rated(2200), "fide_opt_in": True},
        BEN: {**rated(2300), "usa_flag": True, "fide": {"rating": 2250, "date": "2025-05-01"}},
        CAY: rated(2100),  # neither the flag nor opted in
    }
    accept(document("Open", date(2025, 5, 3), [ADA, BEN, CAY], [(1, 1, 2, "1-0"), (2, 2, 3, "1-0")], facts=ours,
                    control="G/120;d5"))  # fmt: skip
    batch = fide_lists.import_fide_batch(OFFICER, date(2025, 7, 1), [("a.json", abroad("Abroad", {}))])
    (number,) = batch.accepted
    counted = RatingRow.objects.filter(section__event__number=number)
    assert {row.player.number for row in counted} == {ADA, BEN}
    assert events.find(number).fide_batch == FideBatch.objects.get(list_date=date(2025, 7, 1))
    for row in counted:
        assert trace.trace(number, 1, row.player.number, "OTBR", public=False).post == row.post
    players.change(OFFICER, CAY, "opted in by letter", since=date(2025, 6, 6), fide_opt_in=True)
    assert RatingRow.objects.filter(section__event__number=number, player__number=CAY).exists()
    players.join(OFFICER, CAY, "regular", date(2025, 6, 20))  # a member only later
    assert not RatingRow.objects.filter(section__event__number=number, player__number=CAY).exists()
    again = fide_lists.import_fide_batch(OFFICER, date(2025, 7, 1), [("b.json", abroad("Abroad", {}))])
    assert not again.accepted
    assert run.compute(run.BEGINNING).nothing


def test_a_fide_row_counts_the_games_that_were_rated(ready: str) -> None:
    """2025 §6: opponents without a FIDE rating are ignored; here the lost game, so the row says 1 point of 1 game."""
    facts = {ADA: {**rated(2200), "fide_opt_in": True}, "F1": {"fide": {"rating": 2300, "date": "2025-06-01"}}}
    games = [(1, 1, 2, "1-0"), (2, 1, 3, "0-1")]
    accept(document("Abroad", date(2025, 6, 7), [ADA, "F1", "F2"], games, kind="fide", facts=facts))
    row = last(ADA)
    assert (row.games, row.score, row.state_games) == (1, 1.0, 61)
    assert trace.trace(row.section.event.number, 1, ADA, "OTBR").values["games"] == 1


def test_a_fide_batch_is_all_or_nothing(ready: str) -> None:
    home = document("At home", date(2025, 6, 7), [ADA, BEN], [(1, 1, 2, "1-0")])
    twice = document("Twice", date(2025, 6, 7), [ADA, BEN], [(1, 1, 9, "1-0")], kind="fide")
    files = [("a.json", abroad("Abroad", {})), ("b.json", data(home)), ("c.json", b"{"), ("d.json", data(twice))]
    with pytest.raises(EventRejected) as refused:
        fide_lists.import_fide_batch(OFFICER, date(2025, 7, 1), files)
    found = {(finding.where.split(",")[0], finding.code) for finding in refused.value.findings}
    assert {
        ("b.json", "not-fide"),
        ("c.json", "not-json"),
        ("d.json", "unknown-player"),
    } <= found  # each with its reason
    assert not any(file == "a.json" for file, _ in found)
    for table in (FideBatch, Event, Submission, RatingRow, AuditEntry):
        assert not table.objects.exists()
    with pytest.raises(EventRejected, match="not-json"):
        fide_lists.import_fide_batch(OFFICER, date(2025, 7, 1), [("c.json", b"{")])
    assert not FideBatch.objects.exists()


def test_a_fide_batch_takes_what_waits_and_writes_no_empty_list(ready: str) -> None:
    day, ours = date(2025, 7, 1), {ADA: {**rated(2200), "fide_opt_in": True}}
    waiting = events.submit(OFFICER, abroad("Abroad", ours), "a.json").event
    batch = fide_lists.import_fide_batch(OFFICER, day, [("a.json", abroad("Abroad", ours))])
    assert batch.accepted == (waiting,)
    again = fide_lists.import_fide_batch(OFFICER, day, [("a.json", abroad("Abroad", ours))])
    assert (again.id, again.accepted) == (None, ())
    assert FideBatch.objects.count() == 1
    events.withdraw(OFFICER, waiting, "not on the list after all")
    with pytest.raises(EventRejected, match="was withdrawn"):
        fide_lists.import_fide_batch(
            OFFICER, day, [("a.json", abroad("Abroad", ours)), ("b.json", abroad("Other", ours))]
        )
    assert FideBatch.objects.count() == 1


def test_a_fide_batch_from_the_shell_says_why(ready: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(abroad("Abroad", {ADA: {**rated(2200), "fide_opt_in": True}}))
    bad.write_text("{")
    assert main(["office", "--db", ready, "fide", str(good), str(bad), "--list", "2025-07-01"]) == 1
    assert "bad.json" in (words := capsys.readouterr().err)
    assert "not-json" in words
    assert not Event.objects.exists()
    assert main(["office", "--db", ready, "fide", str(good), "--list", "2025-07-01"]) == 0
    assert "1 event taken" in capsys.readouterr().out


def test_adjustments_take_two_officers_and_a_reason(ready: str) -> None:
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5",
                    facts={ADA: rated(1900), BEN: rated(1400)}))  # fmt: skip
    day = date(2025, 2, 1)
    first, second = officers()
    with pytest.raises(NotAllowedError, match="a name"):  # the machine's owner is nobody's colleague
        adjustments.propose(OFFICER, ADA, "OTBR", day, {"ceiling": 1950.0}, "why")
    with pytest.raises(OfficeError, match="reason"):
        adjustments.propose(first, ADA, "OTBR", day, {"ceiling": 1950.0}, "")
    with pytest.raises(OfficeError, match="no OTBB rating"):
        adjustments.propose(first, ADA, "OTBB", day, {"ceiling": 1950.0}, "why")
    proposal = adjustments.propose(first, ADA, "OTBR", day, {"ceiling": 1950.0}, "sandbagging")
    with pytest.raises(NotAllowedError, match="another officer"):
        proposals.approve(first, proposal.id)
    assert not Adjustment.objects.filter(kind=Adjustment.CEILING).exists()
    proposals.approve(second, proposal.id)
    row = Adjustment.objects.get(kind=Adjustment.CEILING)
    assert (row.author, row.second, row.reason, row.date) == ("olga", "boris", "sandbagging", day)
    accept(document("Next", date(2025, 3, 1), [ADA, BEN, CAY], [(n, 1, 3, "1-0") for n in range(1, 9)],
                    control="G/120;d5", facts={CAY: rated(2100)}))  # fmt: skip
    assert last(ADA).post == 1950.0


def test_a_preview_of_an_adjustment_takes_one_officer(ready: str) -> None:
    accept(
        document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts={ADA: rated(1900), BEN: rated(1400)})
    )
    accept(document("Next", date(2025, 3, 1), [ADA, BEN], [(1, 1, 2, "1-0")]))
    preview = adjustments.preview(OFFICER, ADA, "OTBR", date(2025, 2, 1), {"rating": 2000.0}, "an error")
    assert {change.player for change in preview.changes} == {ADA, BEN}
    assert not Adjustment.objects.filter(kind=Adjustment.RATING).exists()


@pytest.mark.parametrize(
    ("pool", "day", "fields", "words"),
    [
        ("OTBR", date(2025, 2, 1), {"rating": 1e9, "games": -5}, ("rating 1", "between 100 and 3500", "games -5")),
        ("OTBR", date(2025, 2, 1), {"rating": float("nan")}, ("rating nan",)),
        ("OTBR", date(2025, 2, 1), {"ceiling": -5.0}, ("ceiling -5.0",)),
        ("OTBR", date(2025, 2, 1), {"rating": None}, ("rating None",)),
        ("XXXX", date(2999, 12, 21), {"ceiling": 1800.0}, ("no 'XXXX' ratings", "OTBR, OTBQ", "2999-12-21", "today")),
        ("OTBR", date(2025, 2, 1), {"ceiling": 1800.0, "luck": 3}, ("cannot adjust luck",)),
        ("OTBR", date(2025, 2, 1), {"life_master": "yes"}, ("true or false",)),
    ],
)
def test_an_adjustment_that_cannot_be_is_refused_with_everything_wrong_in_it(
    ready: str, pool: str, day: date, fields: dict[str, Any], words: tuple[str, ...]
) -> None:
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts={ADA: rated(1900)}))
    for act in (adjustments.preview, adjustments.propose):
        with pytest.raises(OfficeError) as refused:
            act(officers()[0], ADA, pool, day, fields, "why")
        assert all(word in str(refused.value) for word in words), str(refused.value)


def test_an_adjustment_is_revoked_by_two_officers(ready: str) -> None:
    """Everything is as if it had never been, but the decision and its end stay on record."""
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5",
                    facts={ADA: rated(1900), BEN: rated(1800)}))  # fmt: skip
    accept(document("Next", date(2025, 3, 1), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5"))
    before = run.fingerprint()
    adjusted(ADA, "OTBR", date(2025, 2, 1), {"rating": 1500.0}, "a mistake")
    assert last(ADA).prior == 1500.0
    first, second = officers()
    (made,) = adjustments.decisions(first, ADA)
    assert (made["set"], made["status"], made["by"], made["second"]) == ({"rating": 1500.0}, "granted", "olga", "boris")
    proposal = adjustments.propose_revoking(second, made["number"], "it was another player")
    with pytest.raises(NotAllowedError):
        proposals.approve(second, proposal.id)
    proposals.approve(first, proposal.id)
    assert run.fingerprint() == before
    assert run.compute(run.BEGINNING).nothing
    assert adjustments.decisions(first, ADA)[0]["status"] == "withdrawn"
    entry = AuditEntry.objects.get(action="rating.revoke")
    assert (entry.actor, entry.reason, json.loads(entry.details)["second"]) == (
        "boris", "it was another player", "olga",
    )  # fmt: skip
    with pytest.raises(OfficeError, match="withdrawn already"):
        adjustments.propose_revoking(first, made["number"], "again")
    opening = Adjustment.objects.get(kind=Adjustment.OPENING, player__number=ADA)
    with pytest.raises(OfficeError, match="no adjustment"):
        adjustments.propose_revoking(first, opening.id, "openings follow from reports")


def test_a_ceiling_is_lifted_from_a_day_on(ready: str) -> None:
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5",
                    facts={ADA: rated(1900), BEN: rated(1900)}))  # fmt: skip
    adjusted(ADA, "OTBR", date(2025, 2, 1), {"ceiling": 1900.0}, "sandbagging")
    adjusted(ADA, "OTBR", date(2025, 4, 1), {"ceiling": None}, "a year is over")
    for month in (3, 5):
        accept(document(f"Month {month}", date(2025, month, 1), [ADA, BEN], [(n, 1, 2, "1-0") for n in range(1, 5)],
                        control="G/120;d5"))  # fmt: skip
    history = players.history(ADA, "OTBR")
    assert history[1]["post"] == 1900.0
    assert history[2]["post"] > 1900.0
    assert run.compute(run.BEGINNING).nothing


def test_life_master_games_are_counted(ready: str) -> None:
    facts = {ADA: rated(2300, games_above_2200=297), BEN: rated(2300)}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(n, 1, 2, "0-1") for n in range(1, 4)], control="G/120;d5",
                    facts=facts))  # fmt: skip
    assert last(ADA).games_above_2200 == 300
    assert last(ADA).life_master
    accept(document("Next", date(2025, 3, 1), [ADA, CAY], [(n, 1, 2, "0-1") for n in range(1, 30)], control="G/120;d5",
                    facts={CAY: rated(1700)}))  # fmt: skip
    assert last(ADA).post == 2200.0


@pytest.mark.parametrize("rules", [True, False])
def test_leaving_prison_is_provisional_on_one_game_where_the_1996_rules_hold(office: str, rules: bool) -> None:
    office_settings.create(prison_rules=rules)
    players.add(OFFICER, ADA, name="Ada")
    players.join(OFFICER, ADA, "prison", date(2020, 1, 1), date(2024, 12, 31))
    accept(
        document("Inside", date(2024, 5, 4), [ADA, BEN], [(n, 1, 2, "1-0") for n in range(1, 13)], control="G/120;d5")
    )
    inside = last(ADA)
    players.join(OFFICER, ADA, "regular", date(2025, 1, 1))
    accept(document("Outside", date(2025, 2, 1), [ADA, CAY], [(1, 1, 2, "0-1")], control="G/120;d5"))
    assert last(ADA).prior == inside.post
    assert last(ADA).prior_games == (1 if rules else 12)
    assert run.compute(run.BEGINNING).nothing


def released_in_june() -> None:
    players.join(OFFICER, ADA, "prison", date(2025, 1, 1))
    players.join(OFFICER, ADA, "regular", date(2025, 6, 1))


def quick(name: str, day: date) -> dict[str, Any]:
    return document(name, day, [ADA, BEN], [(1, 1, 2, "1-0"), (2, 2, 1, "1/2-1/2")], control="G/15;d3")


@pytest.mark.parametrize("late", [True, False])
def test_a_report_that_comes_after_the_release_is_rated_as_if_in_time(office: str, late: bool) -> None:
    """1996: the rating stays, provisional on one game; also a quick rating of which nobody knew on that day."""
    office_settings.create(prison_rules=True)
    accept(document("March", date(2025, 3, 5), [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5",
                    facts={ADA: rated(1500), BEN: rated(1500)}))  # fmt: skip
    acts = [lambda: accept(quick("April", date(2025, 4, 5))), released_in_june]
    for act in reversed(acts) if late else acts:
        act()
    inside = last(ADA, "OTBQ")
    accept(quick("July", date(2025, 7, 5)))
    assert (last(ADA, "OTBQ").prior, last(ADA, "OTBQ").prior_games) == (inside.post, 1)
    assert run.compute(run.BEGINNING).nothing


def test_a_release_without_a_record_changes_nothing(office: str) -> None:
    """Who has never played before the release begins like anybody else."""
    office_settings.create(prison_rules=True)
    players.add(OFFICER, ADA, name="Ada")
    released_in_june()
    accept(document("July", date(2025, 7, 5), [ADA, CAY], [(1, 1, 2, "1-0")], facts={CAY: rated(1500)}))
    first = last(ADA)
    assert (first.initialized, first.state_games, first.wins, first.draws, first.losses) == (True, 1, 1, 0, 0)
    assert run.compute(run.BEGINNING).nothing


def test_memberships_may_come_in_any_order(office: str) -> None:
    office_settings.create(prison_rules=True)
    accept(quick("April", date(2025, 4, 5)))
    players.join(OFFICER, ADA, "regular", date(2025, 6, 1))
    assert not Adjustment.objects.filter(kind=Adjustment.RELEASE).exists()
    players.join(OFFICER, ADA, "prison", date(2025, 1, 1))
    assert {str(row.date) for row in Adjustment.objects.filter(kind=Adjustment.RELEASE)} == {"2025-06-01"}
    players.join(OFFICER, ADA, "regular", date(2025, 5, 1))  # out a month earlier: the one of June releases nobody
    releases = Adjustment.objects.filter(kind=Adjustment.RELEASE, status=Adjustment.GRANTED)
    assert {str(row.date) for row in releases} == {"2025-05-01"}
    accept(quick("May", date(2025, 5, 3)))
    accept(quick("July", date(2025, 7, 5)))
    assert last(ADA, "OTBQ").prior_games == 3  # one on release, two games in May
    assert run.compute(run.BEGINNING).nothing


def test_nothing_private_is_in_the_log(ready: str) -> None:
    born = {ADA: {"birth_date": "2014-04-05"}}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")], facts=born))
    players.change(OFFICER, BEN, "a form", birth_date=date(2013, 2, 3))
    words = json.dumps([list(row) for row in AuditEntry.objects.values_list("subject", "reason", "details")])
    assert "2014-04-05" not in words
    assert "2013-02-03" not in words
    assert "birth_date" in words  # that it was changed may be known
    assert "2014" not in json.dumps(players.show(ADA)) + json.dumps(players.history(ADA))


def test_an_age_based_first_rating_is_not_shown(ready: str) -> None:
    # ADA is ten, unrated, and loses to a strong player far above: the rating stays where her age put it, 50 × age
    born = {ADA: {"birth_date": "2014-04-05"}}
    strong = {BEN: {"ratings": {"OTBR": {"rating": 2000.0, "games": 400}}}}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "0-1")], facts=born | strong))
    age_based = 50 * (date(2025, 1, 4) - date(2014, 4, 5)).days / 365.25
    shown = json.dumps(players.show(ADA)) + json.dumps(players.history(ADA))
    assert f"{age_based:.1f}" not in shown
    assert players.show(ADA)["ratings"]["OTBR"]["rating"] is None
    assert players.history(ADA)[0]["post"] is None
    assert players.show(BEN)["ratings"]["OTBR"]["rating"] is not None


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
    floors.decide(OFFICER, opened.id, False, "no proof")
    (told,) = inbox.inbox(ben)
    assert (told.subject, told.words) == ("A lower OTBR floor (1300): refused", "no proof")
    assert [(one.state_words, one.may_ask, one.answer) for one in own_floors.own(ben)] == [
        ("refused", True, "no proof")
    ]
    again = floors.request(ben, BEN, number, 1, "here is the proof")
    assert (again.id != opened.id, again.floor, again.wanted, again.status) == (True, 1400.0, 1300.0, "asked")
    for stranger in ("pia", "nemo"):
        with pytest.raises(NotAllowedError, match="the player that"):
            floors.request(users.acting_as(stranger), BEN, number, 1, "why")
    with pytest.raises(OfficeError, match="fell below a floor"):
        floors.request(users.acting_as("pia"), ADA, number, 1, "why not")
    with pytest.raises(OfficeError, match="needs a reason"):
        floors.request(ben, BEN, number, 1, " ")
    assert floors.request(OFFICER, BEN, number, 1, "by letter").id == again.id
    floors.decide(OFFICER, again.id, True, "proved")
    assert last(BEN).post < 1400.0
    with pytest.raises(OfficeError):
        floors.request(ben, BEN, number, 1, "more")


def test_a_user_is_a_player_of_the_ledger(ready: str) -> None:
    with pytest.raises(users.PeopleError, match="no player '99'"):
        users.add_user(ADMIN, "ghost", Role.PLAYER, player_id="99")


@pytest.mark.parametrize(("under", "money"), [(float("nan"), 5000.0), (1800.0, float("inf")), (-5.0, 5000.0)])
def test_a_prize_is_given_in_numbers(ready: str, under: float, money: float) -> None:
    number = accept(document("Open", date(2025, 1, 4), [ADA, BEN], [(1, 1, 2, "1-0")]))
    with pytest.raises(OfficeError, match="as numbers"):
        prizes.prize_floor(OFFICER, ADA, Prize(number, 1, under, money), "won")


def two_pools(regular: float, quick: float, games: int = 60) -> dict[str, Any]:
    return {"ratings": {"OTBR": {"rating": regular, "games": 60}, "OTBQ": {"rating": quick, "games": games}}}


def test_a_dual_rated_match_is_rated_where_the_ledgers_ratings_qualify(ready: str) -> None:
    """Readings 30: OTBR 1500 and 1600 qualify; Ben's OTBQ stands on 10 games and does not. The report claims otherwise."""
    facts = {ADA: two_pools(1500, 1500), BEN: two_pools(1600, 1600, 10)}
    accept(document("Quick", date(2025, 1, 4), [ADA, CAY], [(1, 1, 2, "1-0")], control="G/15;d5", facts=facts))
    accept(document("Quick 2", date(2025, 1, 5), [BEN, CAY], [(1, 1, 2, "1-0")], control="G/15;d5", facts=facts))
    claim = {ADA: two_pools(1500, 1500), BEN: two_pools(1600, 1600)}
    played = [(number, 1, 2, "1-0") for number in range(1, 5)]
    number = accept(
        document("Match", date(2025, 2, 1), [ADA, BEN], played, kind="match", control="G/45;d5", facts=claim)
    )
    assert {row.pool for row in RatingRow.objects.filter(section__event__number=number)} == {"OTBR"}
    assert run.compute(run.BEGINNING).nothing


def test_a_match_looks_at_the_last_list_before_it(ready: str) -> None:
    """Readings 30: 1500 and 1900 on the list are 400 apart; that Ada fell since then does not count."""
    facts = {ADA: rated(1500), BEN: rated(1900)}
    accept(document("Open", date(2025, 1, 4), [ADA, BEN, CAY], [(1, 1, 3, "1/2-1/2"), (2, 2, 3, "1-0")], control="G/120;d5",
                    facts={**facts, CAY: rated(1500)}))  # fmt: skip
    adjusted(ADA, "OTBR", date(2025, 1, 5), {"rating": 1500.0}, "as before")
    adjusted(BEN, "OTBR", date(2025, 1, 5), {"rating": 1900.0}, "as before")
    first, second = officers()
    proposals.approve(second, publish.propose(first, date(2025, 2, 1), "monthly").pk)
    adjusted(ADA, "OTBR", date(2025, 2, 2), {"rating": 1450.0}, "lower by now")
    number = accept(match(date(2025, 3, 1), "1-0"))
    assert RatingRow.objects.filter(section__event__number=number).count() == 2


def test_matches_that_a_report_tells_of_count_in_the_limits(ready: str) -> None:
    """2025 section 7: 100 net in 180 days, of which 70 are used, as the report's own record says: 30 are left."""
    before = [{"date": "2025-05-01", "change": 70.0}]
    accept(match(date(2025, 8, 2), "1-0", **{ADA: rated(1500.0, match_changes=before), BEN: rated(1600.0)}))
    assert (last(ADA).post, last(BEN).post) == (1530.0, 1550.0)
    assert trace.trace(last(ADA).section.event.number, 1, ADA, "OTBR").post == 1530.0
    assert run.compute(run.BEGINNING).nothing
