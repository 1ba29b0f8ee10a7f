"""The log finds any flip, deletion, reorder or truncation, and the database itself refuses them."""

from __future__ import annotations

import json
from datetime import date

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from simulated import OFFICER, adjusted, data, document, officers

from crosstable.office import events, players
from crosstable.office.audit import birth_dates
from crosstable.office.audit.log import GENESIS, AuditError, Head, head, record
from crosstable.office.audit.models import AuditEntry, AuditHead
from crosstable.office.audit.triggers import disarmed
from crosstable.office.audit.verify import verify
from crosstable.office.decisions import adjustments
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Adjustment, Player
from crosstable.office.people import proposals, users
from crosstable.office.people.models import Proposal
from crosstable.office.people.rights import Actor, Role

COLUMNS = ("at", "actor", "action", "subject", "reason", "details", "previous", "hash")


def write(n: int) -> list[Head]:
    heads = []
    for i in range(n):
        with transaction.atomic():
            record("ada", "event.accept", f"event:{i}", "it was right", {"number": i, "names": ["Ö", "Ł"]})
        heads.append(head())
    return heads


def execute(sql: str, *values: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)


def test_an_empty_log_is_whole(office: str) -> None:
    report = verify()
    assert report.ok
    assert report.head == Head(0, GENESIS)


def test_a_written_log_is_whole_and_its_old_heads_are_in_it(office: str) -> None:
    heads = write(7)
    report = verify((f"list {n}", anchor) for n, anchor in enumerate(heads))
    assert report.ok
    assert (report.entries, report.anchors, report.head) == (7, 7, heads[-1])


@pytest.mark.parametrize("table", ["audit_auditentry", "audit_audithead"])
def test_the_database_refuses_change_and_deletion(office: str, table: str) -> None:
    write(2)
    column = "actor" if table == "audit_auditentry" else "count"
    with pytest.raises(DatabaseError, match="append-only"):
        execute(f"UPDATE {table} SET {column} = {column}")
    with pytest.raises(DatabaseError, match="append-only"):
        execute(f"DELETE FROM {table}")
    assert verify().ok


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("seq", [1, 3, 5])
def test_any_flipped_column_is_found(office: str, column: str, seq: int) -> None:
    write(5)
    with disarmed("audit_auditentry"):
        value: str = AuditEntry.objects.values_list(column, flat=True).get(seq=seq)
        changed = ("x" if value[:1] != "x" else "y") + value[1:]
        AuditEntry.objects.filter(seq=seq).update(**{column: changed})
    assert not verify().ok


@pytest.mark.parametrize("seq", [1, 3, 5])
def test_any_deletion_is_found_the_last_entry_too(office: str, seq: int) -> None:
    write(5)
    with disarmed("audit_auditentry"):
        AuditEntry.objects.filter(seq=seq).delete()
    assert not verify().ok


def test_a_reorder_is_found(office: str) -> None:
    write(4)
    with disarmed("audit_auditentry"):
        for before, after in ((2, 99), (3, 2), (99, 3)):
            AuditEntry.objects.filter(seq=before).update(seq=after)
    assert not verify().ok


def test_a_truncation_with_a_forged_head_is_found_by_a_printed_head(office: str) -> None:
    heads = write(5)
    with disarmed("audit_auditentry"), disarmed("audit_audithead"):
        AuditEntry.objects.filter(seq__gt=3).delete()
        AuditHead.objects.update(count=3, hash=heads[2].hash)
    assert verify().ok  # whoever owns the database can do this much…
    assert not verify([("the list of May", heads[4])]).ok  # …but not change what has been printed
    assert verify([("the list of March", heads[1])]).ok


def test_a_rewritten_log_is_found_by_a_printed_head(office: str) -> None:
    heads = write(3)
    with disarmed("audit_auditentry"), disarmed("audit_audithead"):
        AuditEntry.objects.all().delete()
        AuditHead.objects.update(count=0, hash=GENESIS)
    write(3)
    assert verify().ok
    problems = verify([("the list of May", heads[2])]).problems
    assert "the list of May prints another hash" in problems[0]


def test_an_entry_outside_a_transaction_is_refused(office: str) -> None:
    with pytest.raises(AuditError, match="transaction"):
        record("ada", "event.accept", "event:1")


@pytest.mark.parametrize("key", ["birth_date", "age", "Birth_Date", "password"])
def test_private_things_never_enter_the_log(office: str, key: str) -> None:
    with pytest.raises(AuditError, match="never enter"), transaction.atomic():
        record("ada", "player.write", "player:1", "", {"fields": [{key: "2000-01-01"}]})


WRITTEN = (
    "K, born 2015-03-04, aged 10",
    "b. 4/3/2015",
    "b. 3/4/15",
    "04.03.2015",
    "20150304",
    "4 March 2015",
    "Mar. 4th, 2015",
    "the 4th of March 2015",
)


@pytest.mark.parametrize("reason", WRITTEN)
def test_a_birth_date_in_a_reason_is_refused_however_it_is_written(office: str, reason: str) -> None:
    office_settings.create()
    with pytest.raises(AuditError, match="birth date of player 7"):
        players.add(OFFICER, "7", reason, name="K", birth_date=date(2015, 3, 4))
    assert not Player.objects.exists()  # nothing of it was written
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("reason", ["by letter of 2015-03-05", "K is 10", "born in 2015", "event 12/2015", "4.3"])
def test_other_dates_and_half_ones_pass(office: str, reason: str) -> None:
    """A year or an age in somebody's words is not found: the page on people says so."""
    office_settings.create()
    players.add(OFFICER, "7", reason, name="K", birth_date=date(2015, 3, 4))
    assert AuditEntry.objects.get().reason == reason


def test_birth_dates_of_everybody_concerned_are_refused(office: str) -> None:
    office_settings.create()
    users.add_user(Actor.installation(), "ada", Role.OFFICER)
    players.add(OFFICER, "7", name="K", birth_date=date(2015, 3, 4))
    players.add(OFFICER, "8", name="K", birth_date=None)
    with pytest.raises(AuditError, match="player 7"):
        players.merge(OFFICER, "8", "7", "both born 2015-03-04")
    fields = {"rating": 900.0, "games": 5}
    with pytest.raises(AuditError, match="player 7"):
        adjustments.propose(users.acting_as("ada"), "7", "OTBR", date(2025, 8, 1), fields, "born 2015-03-04")
    assert not Proposal.objects.exists()
    content = document("Open", date(2025, 8, 2), ["7", "9"], [(1, 1, 2, "1-0")])
    done = events.submit(OFFICER, data(content), "event.json")
    with pytest.raises(AuditError, match="player 7"):
        events.accept_many(OFFICER, [done.event], "7 was born on 4.3.15")
    events.accept(OFFICER, done.event)
    with pytest.raises(AuditError, match="player 7"):
        events.withdraw(OFFICER, done.event, "7 was born on March 4, 2015")
    events.withdraw(OFFICER, done.event, "reported twice on 2025-08-02")
    assert "2015" not in json.dumps(list(AuditEntry.objects.values_list("reason", "details")))


def test_proposals_about_a_player_hold_no_birth_date_of_hers(office: str) -> None:
    """Neither the reason to revoke, nor the answer of whoever refuses or withdraws."""
    office_settings.create()
    first, second = officers()
    players.add(OFFICER, "7", name="K", birth_date=date(2015, 3, 4))
    adjusted("7", "OTBR", date(2025, 8, 1), {"rating": 900.0, "games": 5}, "by letter")
    number = Adjustment.objects.get(kind=Adjustment.RATING).id
    with pytest.raises(AuditError, match="player 7"):
        adjustments.propose_revoking(first, number, "she was born 2015-03-04")
    assert not Proposal.objects.filter(state=Proposal.WAITING).exists()
    proposal = adjustments.propose_revoking(first, number, "she says so")
    for officer in (second, first):
        with pytest.raises(AuditError, match="player 7"):
            proposals.refuse(officer, proposal.id, "no: born March 4, 2015")
    proposals.refuse(second, proposal.id, "no")
    entry = AuditEntry.objects.get(action="proposal.refuse")
    assert json.loads(entry.details) == {"action": "rating.adjust", "subject": f"player:7:adjustment:{number}"}
    assert "2015" not in json.dumps(list(AuditEntry.objects.values_list("reason", "details")))


def test_birth_dates_are_looked_for_under_all_records_of_a_person(office: str) -> None:
    """9 was merged into 8, and 8 into 7, whose birth date is known: it is that of all three."""
    office_settings.create()
    for number in ("7", "8", "9"):
        players.add(OFFICER, number, name="K")
    players.merge(OFFICER, "9", "8", "one person")
    players.merge(OFFICER, "8", "7", "one person")
    players.change(OFFICER, "7", "a form", birth_date=date(2015, 3, 4))
    with pytest.raises(AuditError, match="player 7"):
        players.change(OFFICER, "9", "born 2015-03-04", state="TX")


def test_birth_dates_are_looked_up_by_indexes(office: str) -> None:
    """However many players there are: no question reads them all."""
    office_settings.create()
    Player.objects.bulk_create(
        [Player(number=str(one), name="K", birth_date=date(1990, 1, 1)) for one in range(10_000, 14_000)]
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as asked:
        assert birth_dates.find_birth_date("player:10005", ["born 1990-01-01"], {}) == "10005"
    questions = [one["sql"] for one in asked.captured_queries]
    assert questions
    for question in questions:
        with connection.cursor() as cursor:
            cursor.execute(("EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN ") + question)
            plan = str(cursor.fetchall())
        assert "SCAN ledger_player" not in plan
        assert "Seq Scan" not in plan


@pytest.mark.parametrize(
    "text", ["ab20150304cd".ljust(64, "e"), "653:" + "20150304".rjust(64, "a"), "99999999", "31.31.15"]
)
def test_hashes_and_numbers_that_are_no_dates_are_not_looked_up(office: str, text: str) -> None:
    office_settings.create()
    players.add(OFFICER, "7", name="K", birth_date=date(2015, 3, 4))
    with CaptureQueriesContext(connection) as asked:
        assert birth_dates.find_birth_date("player:7", birth_dates.texts_of({"file": text}), {}) is None
    assert not asked.captured_queries


def test_a_rolled_back_write_leaves_no_entry(office: str) -> None:
    write(1)
    with transaction.atomic():
        record("ada", "event.accept", "event:2")
        transaction.set_rollback(True)
    assert verify().entries == 1
    assert verify().ok


@pytest.mark.parametrize("text", ["", "12", "x:y", "3:" + "g" * 64])
def test_a_head_that_is_none_is_quoted(text: str) -> None:
    with pytest.raises(AuditError, match="no head of the log"):
        Head.parse(text)
    good = Head(3, "a" * 64)
    assert Head.parse(str(good)) == good
