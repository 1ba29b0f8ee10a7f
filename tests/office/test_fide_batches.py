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
from crosstable.office.ledger.models import Event, ExternalRating, FideBatch, Player, RatingRow, Submission
from crosstable.office.queries import desk, search
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


def trf_row(number: int, name: str, rating: str, federation: str, fide_id: str, cells: str) -> str:
    """A player's line by the columns of FIDE's format: name at 15, rating at 49, federation at 54, ID at 58."""
    return f"001 {number:>4} m    {name:<33} {rating:>4} {federation:<3} {fide_id:>11} 2001/01/02  1.0    1  {cells}"


def fide_report(name: str = "Autumn Open") -> bytes:
    """Ada by her FIDE ID, a Ben by name alone, a player for the USA whom the office does not know, a foreigner."""
    lines = [
        f"012 {name}",
        "042 2025/06/07",
        "052 2025/06/08",
        trf_row(1, "Abel, Ada", "2210", "USA", "2000001", "   4 w 1  "),
        trf_row(2, "Bell, Ben", "2305", "USA", "2000002", "   3 b 0  "),
        trf_row(3, "Cole, Cy", "1990", "USA", "2000003", "   2 w 1  "),
        trf_row(4, "Dahl, Di", "2300", "SWE", "1700001", "   1 b 0  "),
    ]
    return "\n".join(lines).encode()


@pytest.fixture
def members(ready: str) -> str:
    """Ada (with a FIDE ID) and Ben (without), both rated, members, and opted in."""
    facts = {ADA: rated(2200), BEN: rated(2300)}
    accept(document("Open", date(2025, 5, 3), [ADA, BEN], [(1, 1, 2, "1-0")], facts=facts, control="G/120;d5"))
    players.change(OFFICER, ADA, "form", name="Ada Abel", fide_id="2000001")
    players.change(OFFICER, BEN, "form", name="Ben Bell")
    join(ADA, BEN)
    opt_in(ADA)
    opt_in(BEN)
    return ready


def take(answers: dict[str, str], name: str = "Autumn Open") -> fide_events.Batch:
    return fide_events.import_fide_batch(OFFICER, date(2025, 7, 1), [("report.trf", fide_report(name))], answers)


def test_a_fide_report_asks_about_a_members_name(members: str) -> None:
    with pytest.raises(fide_events.MembersUnclearError) as refused:
        take({})
    (question,) = refused.value.questions
    assert (question.key, question.members) == ("2000002", ((BEN, "Ben Bell"),))
    assert [finding.code for finding in refused.value.findings] == ["fide-member"]
    assert Event.objects.count() == 1


@pytest.mark.parametrize(("answer", "counted"), [(BEN, {ADA, BEN}), ("", {ADA})])
def test_a_fide_report_is_taken_as_it_comes(members: str, answer: str, counted: set[str]) -> None:
    """2025 section 6: members alone are adjusted; everyone else stays out of the register."""
    (number,) = take({"2000002": answer}).accepted
    assert {row.player.number for row in RatingRow.objects.filter(section__event__number=number)} == counted
    assert players.find(BEN).fide_id == ("2000002" if answer else "")
    assert {one.number for one in desk.players()[0]} == {ADA, BEN}
    assert not search.players("Dahl").total
    assert not search.players("Cole").total
    assert not Player.objects.filter(number__startswith="fide:", birth_date__isnull=False).exists()
    said = {one.name: one.reason for one in fide_events.fide_desk(OFFICER, date(2025, 7, 1))}
    assert said["Cole, Cy"] == "not in the register"
    assert "Dahl, Di" not in said
    if answer:  # the FIDE ID is known now: the next report asks nothing
        assert len(take({}, "Winter Open").accepted) == 1


def test_answers_that_cannot_be_used_are_refused_at_once(members: str) -> None:
    with pytest.raises(fide_events.MembersUnclearError) as refused:
        take({"2000002": "39999999", "2000003": ADA, "1": BEN})
    said = "\n".join(str(finding) for finding in refused.value.findings)
    assert "there is no member '39999999'" in said
    assert f"member {ADA} has the FIDE ID 2000001, not 2000003" in said
    assert "no report has the FIDE ID 1" in said
    assert not players.find(BEN).fide_id


def test_a_fide_report_from_the_shell(members: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.trf"
    report.write_bytes(fide_report())
    words = ["office", "--db", members, "fide", str(report), "--list", "2025-07-01"]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert f"2000002, Bell, Ben, USA: may be Ben Bell ({BEN})" in said
    assert f"--member 2000002={BEN}" in said
    assert main([*words, "--member", f"2000002={BEN}"]) == 0
    assert "1 event taken" in (said := capsys.readouterr().out)
    assert f"Ben Bell ({BEN})" in said
    assert "Cole, Cy (fide:2000003)" in said
    assert "not adjusted: not in the register" in said


def test_the_desk_has_everyone_with_games_on_a_list(members: str) -> None:
    """2025 section 6: each list identifies who played abroad, also where no event file has come in."""
    for player, games, flag in ((ADA, 9, True), (BEN, 0, True)):
        ExternalRating.objects.create(
            player=players.find(player), kind="fide", rating=2210, date=date(2025, 7, 1), games=games
        )
        players.change(OFFICER, player, "FIDE list", since=date(2025, 7, 1), usa_flag=flag)
    assert fide_events.fide_lists(OFFICER) == [date(2025, 7, 1)]
    (row,) = fide_events.fide_desk(OFFICER, date(2025, 7, 1))
    assert (row.player, row.event, row.games, row.adjusted) == (ADA, "", 9, False)
    assert row.reason == "no event of this list has come in with these games"
    take({"2000002": BEN})
    assert "" not in {one.event for one in fide_events.fide_desk(OFFICER, date(2025, 7, 1))}
