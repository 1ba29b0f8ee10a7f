"""What officers look at before they decide: proposals, a list to come, the log, merges, a player's private record."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, adjusted, data, document, officers, rated

from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Membership, Player
from crosstable.office.lists import publish, read
from crosstable.office.lists.models import PublishedList
from crosstable.office.people import log_reader
from crosstable.office.people.log_reader import Wanted
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.players.profiles import private_record
from crosstable.office.queries.desk import possible_duplicates
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import adjustments, list_publication, registry, two_officers

ADA, BEN, CAY, DOUBLE = "30000001", "30000002", "30000003", "30000009"
DIRECTOR = Actor("dora", Role.DIRECTOR)


@pytest.fixture
def ready(office: str) -> str:
    """Ada and Ben drew at 2100."""
    office_settings.create()
    content = document(
        "Open",
        date(2025, 1, 4),
        [ADA, BEN],
        [(1, 1, 2, "1/2-1/2")],
        control="G/120;d5",
        facts={ADA: rated(2100), BEN: rated(2100)},
    )
    accepting.accept(OFFICER, submissions.submit(OFFICER, data(content), "event.json").event)
    return office


def test_a_proposal_shows_what_approving_it_would_do(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = officers()
    number = adjustments.propose(first, ADA, "OTBR", date(2025, 2, 1), {"rating": 1900.0}, "an error").pk
    shown = two_officers.show(second, number)
    assert (shown["words"], shown["by"], shown["own"], shown["state"]) == ("Adjust a rating", "olga", False, "waiting")
    assert two_officers.show(first, number)["own"]
    before = AuditEntry.objects.count()
    (change,) = registry.preview(second, f"proposal:{number}")["changes"]
    assert (change["player"], change["before"], change["after"]) == (ADA, 2100.0, 1900.0)
    assert (AuditEntry.objects.count(), adjustments.decisions(first, ADA)) == (before, [])
    assert main(["office", "--db", ready, "--as", "boris", "proposals", str(number)]) == 0
    assert "Approved today, it would change 1 player" in capsys.readouterr().out
    assert registry.approve(second, number)["changes"] == [change]
    (line,) = two_officers.decided(first)
    assert (line["number"], line["state"], line["decided_by"]) == (number, "granted", "boris")
    with pytest.raises(OfficeError, match="granted already"):
        registry.preview(second, f"proposal:{number}")


def test_taking_an_adjustment_back_is_previewed(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    adjusted(ADA, "OTBR", date(2025, 2, 1), {"rating": 2200.0}, "strong abroad")
    (row,) = adjustments.decisions(OFFICER, ADA)
    assert row["words"] == "rating 2200"
    (change,) = adjustments.preview_revoking(OFFICER, row["number"]).changes
    assert (change.before, change.after) == (2200.0, 2100.0)
    assert adjustments.decisions(OFFICER, ADA) == [row]
    shell = ["office", "--db", ready, "--as", "olga"]
    assert main([*shell, "revoke", str(row["number"]), "--preview"]) == 0
    assert main([*shell, "adjust", ADA, "OTBR", "--on", "2025-03-01", "--rating", "2300", "--preview"]) == 0
    assert "2300.00" in capsys.readouterr().out


def test_facts_merges_and_deleted_names_have_verbs(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    players.add(OFFICER, DOUBLE, name="Ada", birth_date=date(1990, 5, 1))
    for verb, said in (
        (("facts", DOUBLE), "1990-05-01"),
        (("merge", DOUBLE, ADA, "--reason", "one person"), f"{DOUBLE} is now {ADA}"),
        (("merges",), "one person"),
        (("forget-name", ADA, "--reason", "asked"), "is deleted"),
    ):
        assert main(["office", "--db", ready, "players", *verb]) == 0
        assert said in capsys.readouterr().out
    assert main(["office", "--db", ready, "players", "forget-name", BEN]) == 1
    assert "deleting a name needs a reason" in capsys.readouterr().err


def test_a_list_is_previewed_as_it_then_appears(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = officers()
    seen = publish.preview(first, date(2025, 2, 1))
    assert (seen["rows"], seen["report"]["pools"]["OTBR"]["players"]) == (2, 2)
    number = list_publication.propose(first, date(2025, 2, 1), "February").pk
    assert registry.preview(second, f"proposal:{number}") == seen
    assert not PublishedList.objects.exists()
    assert main(["office", "--db", ready, "--as", "olga", "publish", "2025-02-01", "--preview"]) == 0
    assert "The list of 2025-02-01 would have 2 ratings." in capsys.readouterr().out
    registry.approve(second, number)
    assert read.report_of(read.find()) == seen["report"]
    assert publish.next_day() == date(2025, 3, 1)


def test_a_list_names_the_events_that_it_leaves_out(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A list never changes again, so who publishes it is told what still waits; an event of its own day is the next
    list's.
    """
    for name, day in (("Late Open", date(2025, 1, 31)), ("First of February", date(2025, 2, 1))):
        submissions.submit(
            OFFICER, data(document(name, day, [ADA, BEN], [(1, 1, 2, "1-0")], control="G/120;d5")), "event.json"
        )
    officers()
    assert publish.preview(OFFICER, date(2025, 2, 1))["left_out"] == ["Late Open (2025-01-31)"]
    assert main(["office", "--db", ready, "--as", "olga", "publish", "2025-02-01", "--reason", "February"]) == 0
    assert "not yet rated, so not in the list: Late Open (2025-01-31)." in capsys.readouterr().out


def test_the_log_is_read_by_who_what_and_when(ready: str) -> None:
    adjusted(ADA, "OTBR", date(2025, 2, 1), {"rating": 1900.0}, "a slip of the pen")
    kinds = log_reader.acts(OFFICER)
    assert kinds == sorted(set(AuditEntry.objects.values_list("action", flat=True)))
    assert len(kinds) < AuditEntry.objects.count()  # some act stands in the log twice, and in the choice once

    def found(**wanted: Any) -> list[str]:
        return [row["action"] for row in log_reader.read(OFFICER, Wanted(**wanted)).rows]

    assert found(act="rating.") == ["rating.adjust"]
    assert found(by="BORIS") == ["proposal.approve"]
    assert found(about=f"player:{ADA}") == ["rating.adjust"]
    assert set(found(word="slip of the pen")) == {"rating.adjust", "proposal.approve", "proposal.make"}
    today = AuditEntry.objects.latest("seq").at[:10]
    everything = log_reader.read(OFFICER)
    assert (
        log_reader.read(OFFICER, Wanted(since=date.fromisoformat(today), until=date.fromisoformat(today))) == everything
    )
    assert log_reader.read(OFFICER, Wanted(until=date(2000, 1, 1))).total == 0
    assert log_reader.read(OFFICER, page=2, size=1).rows == everything.rows[1:2]
    with pytest.raises(NotAllowedError):
        log_reader.read(DIRECTOR)


def test_merges_are_told_with_what_was_undone(ready: str) -> None:
    players.add(OFFICER, DOUBLE, name="Ada")
    players.merge(OFFICER, DOUBLE, ADA, "one person")
    players.unmerge(OFFICER, DOUBLE, "two people")
    (row,) = players.merges(OFFICER)
    assert (row["duplicate"], row["kept"], row["by"], row["reason"]) == (DOUBLE, ADA, "olga", "one person")
    assert row["undone_by"] == "olga"


def test_a_record_that_a_report_from_abroad_opened_stays_open_through_a_merge(ready: str) -> None:
    """Cay, with 2100 on the report, has neither flag nor opt-in: the event gives no rating row, only the opening."""
    stranger = {"F1": {"fide": {"rating": 2300, "date": "2025-06-01"}}}
    content = document(
        "Abroad", date(2025, 6, 7), [CAY, "F1"], [(1, 1, 2, "1-0")], kind="fide", facts={CAY: rated(2100), **stranger}
    )
    accepting.accept(OFFICER, submissions.submit(OFFICER, data(content), "event.json").event)
    players.add(OFFICER, DOUBLE, name="Cay")
    players.merge(OFFICER, DOUBLE, CAY, "one person")
    assert players.show(CAY)["ratings"]["OTBR"]["rating"] == 2100.0
    players.unmerge(OFFICER, DOUBLE, "two people")
    assert players.show(CAY)["ratings"]["OTBR"]["rating"] == 2100.0


def test_an_officer_sees_a_players_facts_with_their_days(ready: str) -> None:
    players.change(OFFICER, ADA, "a form", birth_date=date(1990, 5, 1), state="OH")
    players.change(OFFICER, ADA, "moved", since=date(2025, 3, 1), canadian_resident=True)
    players.join(OFFICER, ADA, "life", date(2020, 1, 1))
    found = private_record(OFFICER, ADA)
    assert (found.born, found.facts["state"], found.facts["canadian_resident"]) == (date(1990, 5, 1), "OH", True)
    assert [(one["fact"], one["since"]) for one in found.said] == [("canadian_resident", "2025-03-01")]
    assert [(one["kind"], one["until"]) for one in found.memberships] == [("life", None)]
    for stranger in (DIRECTOR, Actor.nobody()):
        with pytest.raises(NotAllowedError):
            private_record(stranger, ADA)


def test_previews_of_facts_memberships_and_lists_write_nothing(ready: str) -> None:
    entries = AuditEntry.objects.count()
    players.change(OFFICER, ADA, "", birth_date=date(1990, 5, 1), preview=True)
    players.join(OFFICER, ADA, "life", date(2020, 1, 1), preview=True)
    listed = f"id,name,OTBR,OTBR_GAMES\n{CAY},Cay,1500,12\n".encode()
    seen = players.import_list(OFFICER, io.BytesIO(listed), date(2025, 2, 1), preview=True)
    assert (seen.added, seen.openings) == (1, 1)
    assert (AuditEntry.objects.count(), Membership.objects.count(), Player.objects.filter(number=CAY).count()) == (
        entries,
        0,
        0,
    )
    assert Player.objects.get(number=ADA).birth_date is None


def test_records_that_may_be_one_persons_come_with_the_reason(ready: str) -> None:
    """A slip in a first name, with one birth date; one name in two states is two people."""
    born = date(2001, 2, 3)
    for number, name, more in (
        ("31", "Jon B Smith", {"birth_date": born}),
        ("32", "John Smith", {"birth_date": born}),
        ("33", "Amy Lee", {"state": "OH"}),
        ("34", "Lee, Amy", {}),
        ("35", "Amy Lee", {"state": "NY"}),
        ("36", "Anna Kern", {"fide_id": "777"}),
        ("37", "A. Kern", {"fide_id": "777"}),
        ("38", "Otto Newman", {"state": "OH"}),
        ("39", "Neuman, Otto", {"state": "OH", "birth_date": date(1990, 5, 1)}),
        ("40", "Otto Newmann", {"state": "PA"}),  # another state
        ("41", "Otto Neumann", {"state": "OH", "birth_date": date(1991, 5, 1)}),  # another birth date, and two letters
        ("42", "Otta Newman", {"state": "OH"}),  # a short word
    ):
        players.add(OFFICER, number, name=name, **more)
    found = [(one.first, one.second, one.reason) for one in possible_duplicates(OFFICER)]
    assert found == [
        ("36", "37", "the same FIDE or CFC id"),
        ("31", "32", "the same birth date, nearly the same name"),
        ("33", "34", "the same name"),
        ("34", "35", "the same name"),
        ("38", "39", "the same state, nearly the same name"),
    ]
    with pytest.raises(NotAllowedError):
        possible_duplicates(DIRECTOR)


def test_of_two_that_look_alike_the_one_with_more_events_comes_first(ready: str) -> None:
    """It is the one that the desk suggests to keep."""
    for number in ("81", "82"):
        players.add(OFFICER, number, name="Ray Orr")
    assert [(one.first, one.second) for one in possible_duplicates(OFFICER)] == [("81", "82")]
    day, games = date(2025, 8, 2), [(1, 1, 2, "1-0")]
    done = submissions.submit(OFFICER, data(document("Open", day, ["82", "83"], games)), "event.json")
    accepting.accept(OFFICER, done.event)
    assert [(one.first, one.second) for one in possible_duplicates(OFFICER)] == [("82", "81")]


def test_a_missing_middle_initial_hides_no_duplicate(ready: str) -> None:
    """Lee, Ann and Lee, Ann M are found where birth date and state do not tell them apart."""
    born = date(2001, 2, 3)
    for number, name, more in (
        ("51", "Lee, Ann", {}),
        ("52", "Lee, Ann M", {}),
        ("53", "Lee, Ann B", {}),  # M and B are two people, and each may be Ann
        ("61", "Poe, Cy", {"state": "OH", "birth_date": born}),
        ("62", "Cy T. Poe", {"state": "OH"}),
        ("63", "Cy T Poe", {"state": "NY"}),  # another state than 61 and 62
        ("71", "Orr, Di", {"birth_date": born}),
        ("72", "Orr, Di J", {"birth_date": date(2001, 2, 4)}),  # another birth date
        ("73", "Orr, Di J", {"birth_date": born}),
    ):
        players.add(OFFICER, number, name=name, **more)
    initial = "the same name but for an initial"
    assert {(one.first, one.second): one.reason for one in possible_duplicates(OFFICER)} == {
        ("51", "52"): initial,
        ("51", "53"): initial,
        ("61", "62"): initial,
        ("71", "73"): "the same birth date, nearly the same name",
    }
