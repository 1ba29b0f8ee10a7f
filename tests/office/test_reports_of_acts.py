"""What an act says it did: the same rows in preview, answer and log, also where no later section shows it."""

from __future__ import annotations

import io
import json
from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, accept, adjusted, document, officers, rated

from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger.models import Player
from crosstable.office.lists import official
from crosstable.office.rating import run, states
from crosstable.office.reports import accepting
from crosstable.office.requests import adjustments, list_publication, prize_floors, registry
from crosstable.office.requests.prize_floors import Prize

ADA, BEN, CAY, DOUBLE = "30000001", "30000002", "30000003", "30000009"


def opened() -> str:
    return accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1/2-1/2")],
            control="G/120;d5",
            facts={ADA: rated(2100), BEN: rated(2100)},
        )
    )


def live(player: str) -> float:
    row = players.find(player)
    return states.now([row.id])[row.id]["OTBR"].rating


def moves(rows: Any) -> dict[str, tuple[float | None, float | None]]:
    return {one["player"]: (one["before"], one["after"]) for one in rows}


def logged(action: str) -> dict[str, Any]:
    details: dict[str, Any] = json.loads(AuditEntry.objects.filter(action=action).latest("seq").details)
    return details


def test_an_adjustment_without_a_later_section_says_whose_rating_it_moves(ready: str) -> None:
    """Ada drew with an equal opponent: 2100 before and after. Two officers set 1900."""
    opened()
    first, second = officers()
    what = ADA, "OTBR", date(2025, 2, 1), {"rating": 1900.0}, "a cheat"
    seen = adjustments.preview(first, *what)
    assert (seen.players, moves([one.as_json() for one in seen.changes])) == (1, {ADA: (2100.0, 1900.0)})
    assert live(ADA) == 2100.0
    answer = registry.approve(second, adjustments.propose(first, *what).pk)
    assert (answer["players"], moves(answer["changes"])) == (1, {ADA: (2100.0, 1900.0)})
    assert moves(logged("rating.adjust")["changes"]) == {ADA: (2100.0, 1900.0)}
    number = adjustments.decisions(first, ADA)[0]["number"]
    back = registry.approve(second, adjustments.propose_revoking(first, number, "no cheat").pk)
    assert moves(back["changes"]) == {ADA: (1900.0, 2100.0)}


def test_a_floor_says_whom_it_lifts(ready: str) -> None:
    number = accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1/2-1/2")],
            control="G/120;d5",
            facts={ADA: rated(1700), BEN: rated(1700)},
        )
    )
    prize_floors.prize_floor(OFFICER, BEN, Prize(number, 1, 1800, 5000), "first prize")
    (row,) = logged("floor.write")["changes"]
    assert (row["player"], row["before"], row["after"]) == (BEN, 1700.0, 1800.0)
    assert (row["floor_before"], row["floor_after"]) == (1500.0, 1800.0)  # 1700 - 200; then the prize's


def test_a_prize_floor_is_previewed_without_a_reason_and_tells_whom_it_lifts(ready: str) -> None:
    """1700 rises to the prize's floor of 1800."""
    number = accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1/2-1/2")],
            control="G/120;d5",
            facts={ADA: rated(1700), BEN: rated(1700)},
        )
    )
    prize = Prize(number, 1, 1800, 5000)
    seen = prize_floors.prize_floor(OFFICER, BEN, prize, preview=True)
    assert (seen.floor, seen.date, moves(seen.as_json()["changes"])) == (
        1800.0,
        date(2025, 1, 5),
        {BEN: (1700.0, 1800.0)},
    )
    assert (live(BEN), AuditEntry.objects.filter(action="floor.write").count()) == (1700.0, 0)
    with pytest.raises(OfficeError, match="a prize floor needs a reason"):
        prize_floors.prize_floor(OFFICER, BEN, prize)
    assert prize_floors.prize_floor(OFFICER, BEN, prize, "won").changed.players == 1
    with pytest.raises(OfficeError, match="the OTBR floor of this prize already"):
        prize_floors.prize_floor(OFFICER, BEN, prize, "won")


def test_decisions_of_one_day_follow_each_other_in_the_history(ready: str) -> None:
    """Two prizes of one event: from 1700 to 1800, and from there to 1900."""
    number = accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1/2-1/2")],
            control="G/120;d5",
            facts={ADA: rated(1700), BEN: rated(1700)},
        )
    )
    for under in (1800, 1900):
        prize_floors.prize_floor(OFFICER, BEN, Prize(number, 1, under, 5000), "won")
    told = [
        (row["name"], row["prior"], row["post"]) for row in players.history(BEN, decisions=True) if not row["event"]
    ]
    assert told == [("decision: prize floor 1800", 1700.0, 1800.0), ("decision: prize floor 1900", 1800.0, 1900.0)]


def test_a_record_that_ends_has_no_difference_and_only_lists_that_show_it_are_named(
    ready: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ben stands on the list of February; Cay, who came in March, does not. The event of January is withdrawn."""
    first = opened()
    one, other = officers()
    registry.approve(other, list_publication.propose(one, date(2025, 2, 1), "February").pk)
    accept(
        document("Next", date(2025, 3, 1), [BEN, CAY], [(1, 1, 2, "1-0")], control="G/120;d5", facts={CAY: rated(2100)})
    )
    seen = {row.player: row for row in accepting.withdraw(OFFICER, first, "", preview=True).changes}
    assert {player: row.lists for player, row in seen.items()} == {
        ADA: ("2025-02-01",),
        BEN: ("2025-02-01",),
        CAY: (),
    }
    assert (seen[ADA].after, seen[ADA].change, seen[ADA].reason) == (None, None, "it no longer counts")
    assert seen[ADA].since == f"Open ({first})"
    assert main(["office", "--db", ready, "--as", "olga", "withdraw", first, "--preview"]) == 0
    said = capsys.readouterr().out
    assert "gone" in said
    assert "-2100" not in said


def test_a_merged_id_says_where_it_went(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    opened()
    players.add(OFFICER, DOUBLE, name="Ada")
    players.merge(OFFICER, DOUBLE, ADA, "one person")
    assert (players.show(DOUBLE)["id"], players.show(DOUBLE)["merged"]) == (ADA, DOUBLE)
    assert "merged" not in players.show(ADA)
    assert main(["office", "--db", ready, "players", "show", DOUBLE]) == 0
    assert f"{DOUBLE} was merged into {ADA}" in capsys.readouterr().out


def test_a_merge_keeps_the_rating_of_the_record_that_is_kept(ready: str) -> None:
    """The duplicate came with a later list, at 1500: Ada's own opening and results stand."""
    opened()
    players.import_list(
        OFFICER, io.BytesIO(f"id,name,OTBR,OTBR_GAMES\n{DOUBLE},Ada,1500,40\n".encode()), date(2025, 2, 1)
    )
    assert live(DOUBLE) == 1500.0
    before = run.fingerprint()
    seen = players.merge(OFFICER, DOUBLE, ADA, "one person", preview=True)
    assert moves([one.as_json() for one in seen.changes]) == {DOUBLE: (1500.0, None)}
    done = players.merge(OFFICER, DOUBLE, ADA, "one person")
    assert [one.as_json() for one in done.changes] == [one.as_json() for one in seen.changes]
    assert (live(ADA), run.fingerprint()) == (2100.0, before)
    assert moves(logged("player.merge")["changes"]) == {DOUBLE: (1500.0, None)}
    assert {one.number: one.rating for one in official.standings(date(2025, 3, 1))} == {ADA: 2100.0, BEN: 2100.0}
    assert verify_all().problems == ()
    players.unmerge(OFFICER, DOUBLE, "two people")
    assert (live(ADA), live(DOUBLE)) == (2100.0, 1500.0)


def test_a_duplicates_opening_counts_where_the_kept_record_has_none(ready: str) -> None:
    opened()
    players.add(OFFICER, CAY, name="Cay")
    players.import_list(
        OFFICER, io.BytesIO(f"id,name,OTBR,OTBR_GAMES\n{DOUBLE},Cay,1500,40\n".encode()), date(2025, 2, 1)
    )
    done = players.merge(OFFICER, DOUBLE, CAY, "one person")
    assert moves([one.as_json() for one in done.changes]) == {CAY: (None, 1500.0), DOUBLE: (1500.0, None)}
    assert live(CAY) == 1500.0


def test_the_merge_says_which_id_survives(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    opened()
    players.add(OFFICER, DOUBLE, name="Ada")
    assert main(["office", "--db", ready, "players", "merge", DOUBLE, ADA, "--reason", "one person"]) == 0
    assert f"{DOUBLE} is now {ADA}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["office", "players", "merge", "--help"])
    assert "the ID to keep" in capsys.readouterr().out


def test_decisions_stand_in_a_players_history_with_their_day(ready: str) -> None:
    opened()
    adjusted(ADA, "OTBR", date(2025, 2, 1), {"rating": 1900.0}, "a cheat")
    rows = players.history(ADA, "OTBR", decisions=True)
    assert [(row["event"], row["date"], row["prior"], row["post"]) for row in rows] == [
        ("20250104-" + rows[0]["event"].split("-")[1], "2025-01-04", 2100.0, 2100.0),
        ("", "2025-02-01", 2100.0, 1900.0),
    ]
    assert rows[1]["name"] == "decision: rating 1900"


def test_a_list_never_invents_games(ready: str) -> None:
    """A provisional player's 12 games are 12; where a list says none, it is asked for them."""
    listed = f"id,name,OTBR,OTBR_GAMES,shoe size\n{ADA},Ada,1500,12,44\n{BEN},Ben,1600,,43\n".encode()
    with pytest.raises(OfficeError, match=f"1 ratings come without .* row 3, id {BEN}, OTBR: .*--assume-games"):
        players.import_list(OFFICER, io.BytesIO(listed), date(2025, 2, 1))
    assert not Player.objects.exists()
    done = players.import_list(OFFICER, io.BytesIO(listed), date(2025, 2, 1), assume_games=30)
    assert [(one.code, one.message) for one in done.findings] == [("list-column", "not understood: SHOE_SIZE.")]
    held = {number: states.now()[players.find(number).id]["OTBR"].games for number in (ADA, BEN)}
    assert held == {ADA: 12, BEN: 30}
