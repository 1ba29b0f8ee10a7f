"""Foreign FIDE events, a list's batch at a time: all or nothing, and only for those who are eligible."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from simulated import OFFICER, accept, data, document, rated
from three_players import ADA, BEN, CAY, last

from crosstable.cli import main
from crosstable.errors import EventRejected
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Event, ExternalRating, FideBatch, RatingRow, Submission
from crosstable.office.rating import run, trace
from crosstable.office.reports import accepting, events, fide_events, submissions


def abroad(name: str, facts: dict[str, Any]) -> bytes:
    """Ada, Ben and Cay each beat a foreigner with FIDE 2300."""
    them = ["F1", "F2", "F3"]
    strangers = {one: {"fide": {"rating": 2300, "date": "2025-06-01"}} for one in them}
    content = document(
        name,
        date(2025, 6, 7),
        [ADA, BEN, CAY, *them],
        [(1, n, n + 3, "1-0") for n in (1, 2, 3)],
        kind="fide",
        facts={**strangers, **facts},
    )
    return data(content)


def join(*ids: str) -> None:
    for one in ids:
        players.join(OFFICER, one, "regular", date(2020, 1, 1))


def opt_in(player: str) -> None:
    players.change(OFFICER, player, "opted in by letter", since=date(2025, 6, 6), fide_opt_in=True)


def test_an_opt_in_in_a_report_is_a_finding_and_no_fact(ready: str) -> None:
    """Readings 37: an opt-in comes from the office, never from a report."""
    ours = {ADA: {**rated(2200), "fide_opt_in": True}}
    batch = fide_events.import_fide_batch(OFFICER, date(2025, 7, 1), [("a.json", abroad("Abroad", ours))])
    assert "opt-in-reported" in {finding.code for finding in batch.submitted[0].findings}
    join(ADA)
    assert not RatingRow.objects.exists()
    opt_in(ADA)
    assert last(ADA).games == 1


def test_a_fide_batch_counts_for_those_who_are_eligible(ready: str) -> None:
    ours = {
        ADA: rated(2200),  # opts in below
        BEN: {**rated(2300), "usa_flag": True, "fide": {"rating": 2250, "date": "2025-05-01"}},
        CAY: rated(2100),  # neither the flag nor opted in
    }
    accept(
        document(
            "Open",
            date(2025, 5, 3),
            [ADA, BEN, CAY],
            [(1, 1, 2, "1-0"), (2, 2, 3, "1-0")],
            facts=ours,
            control="G/120;d5",
        )
    )
    join(ADA, BEN)
    opt_in(ADA)
    batch = fide_events.import_fide_batch(OFFICER, date(2025, 7, 1), [("a.json", abroad("Abroad", {}))])
    (number,) = batch.accepted
    counted = RatingRow.objects.filter(section__event__number=number)
    assert {row.player.number for row in counted} == {ADA, BEN}
    assert events.find(number).fide_batch == FideBatch.objects.get(list_date=date(2025, 7, 1))
    for row in counted:
        assert trace.trace(number, 1, row.player.number, "OTBR", public=False).post == row.post
    opt_in(CAY)
    of_cay = RatingRow.objects.filter(section__event__number=number, player__number=CAY)
    assert not of_cay.exists()  # readings 37: without any membership on record
    players.join(OFFICER, CAY, "regular", date(2020, 1, 1), date(2025, 6, 6))  # until the day before
    assert not of_cay.exists()
    players.join(OFFICER, CAY, "regular", date(2025, 6, 7))  # the event's last day
    assert of_cay.exists()
    again = fide_events.import_fide_batch(OFFICER, date(2025, 7, 1), [("b.json", abroad("Abroad", {}))])
    assert not again.accepted
    assert run.compute(run.BEGINNING).nothing


def test_a_fide_row_counts_the_games_that_were_rated(ready: str) -> None:
    """2025 §6: opponents without a FIDE rating are ignored; here the lost game, so the row says 1 point of 1 game."""
    facts = {ADA: rated(2200), "F1": {"fide": {"rating": 2300, "date": "2025-06-01"}}}
    games = [(1, 1, 2, "1-0"), (2, 1, 3, "0-1")]
    accept(document("Abroad", date(2025, 6, 7), [ADA, "F1", "F2"], games, kind="fide", facts=facts))
    join(ADA)
    opt_in(ADA)
    row = last(ADA)
    assert (row.games, row.score, row.state_games) == (1, 1.0, 61)
    assert trace.trace(row.section.event.number, 1, ADA, "OTBR").values["games"] == 1


def test_a_fide_batch_is_all_or_nothing(ready: str) -> None:
    home = document("At home", date(2025, 6, 7), [ADA, BEN], [(1, 1, 2, "1-0")])
    twice = document("Twice", date(2025, 6, 7), [ADA, BEN], [(1, 1, 9, "1-0")], kind="fide")
    files = [("a.json", abroad("Abroad", {})), ("b.json", data(home)), ("c.json", b"{"), ("d.json", data(twice))]
    with pytest.raises(EventRejected) as refused:
        fide_events.import_fide_batch(OFFICER, date(2025, 7, 1), files)
    found = {(finding.place.file, finding.code) for finding in refused.value.findings}
    assert {
        ("b.json", "not-fide"),
        ("c.json", "not-json"),
        ("d.json", "unknown-player"),
    } <= found  # each with its reason
    assert not any(file == "a.json" for file, _ in found)
    for table in (FideBatch, Event, Submission, RatingRow, AuditEntry):
        assert not table.objects.exists()
    with pytest.raises(EventRejected, match="not-json"):
        fide_events.import_fide_batch(OFFICER, date(2025, 7, 1), [("c.json", b"{")])
    assert not FideBatch.objects.exists()


def test_a_fide_batch_takes_what_waits_and_writes_no_empty_list(ready: str) -> None:
    day, ours = date(2025, 7, 1), {ADA: {**rated(2200), "fide_opt_in": True}}
    waiting = submissions.submit(OFFICER, abroad("Abroad", ours), "a.json").event
    batch = fide_events.import_fide_batch(OFFICER, day, [("a.json", abroad("Abroad", ours))])
    assert batch.accepted == (waiting,)
    again = fide_events.import_fide_batch(OFFICER, day, [("a.json", abroad("Abroad", ours))])
    assert (again.id, again.accepted) == (None, ())
    assert FideBatch.objects.count() == 1
    accepting.withdraw(OFFICER, waiting, "not on the list after all")
    with pytest.raises(EventRejected, match="was withdrawn"):
        fide_events.import_fide_batch(
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


@pytest.mark.clause("fide_events.identified-by-list")
def test_the_list_that_includes_the_event_decides_on_flag_and_rating(ready: str) -> None:
    """Readings 37: Ben has the USA flag and 2250 on the list of July, which includes an event of June."""
    ours = {ADA: rated(2200), BEN: rated(2300), CAY: rated(2100)}
    games = [(1, 1, 2, "1-0"), (2, 2, 3, "1-0")]
    accept(document("Open", date(2025, 5, 3), [ADA, BEN, CAY], games, facts=ours, control="G/120;d5"))
    join(BEN)
    players.change(OFFICER, BEN, "FIDE list", since=date(2025, 7, 1), usa_flag=True)
    ExternalRating.objects.create(player=players.find(BEN), kind="fide", rating=2250.0, date=date(2025, 7, 1))
    batch = fide_events.import_fide_batch(OFFICER, date(2025, 7, 1), [("a.json", abroad("Abroad", {}))])
    (number,) = batch.accepted
    (row,) = RatingRow.objects.filter(section__event__number=number)
    assert row.player.number == BEN
    assert trace.trace(number, 1, BEN, "OTBR", public=False).post == row.post
    assert [one.player for one in fide_events.fide_desk(OFFICER) if one.adjusted] == [BEN]
    assert run.compute(run.BEGINNING).nothing
