"""The log finds any flip, deletion, reorder or truncation, and the database itself refuses them."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import DatabaseError, connection, transaction
from simulated import OFFICER, adjusted, data, document, officers

from crosstable.errors import OfficeError
from crosstable.office import players, rerate
from crosstable.office.audit.log import GENESIS, AuditError, Head, head, record
from crosstable.office.audit.models import AuditEntry, AuditHead
from crosstable.office.audit.triggers import disarmed
from crosstable.office.audit.verify import verify
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Adjustment
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import adjustments, registry

pytestmark = pytest.mark.both_databases

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


def test_a_reason_is_looked_through_before_it_enters_the_log(office: str) -> None:
    """Whatever the office knows: 7's birth date is another one, and 8 has none."""
    office_settings.create()
    first, second = officers()
    players.add(OFFICER, "7", name="K", birth_date=date(2012, 1, 2))
    players.add(OFFICER, "8", name="K", birth_date=None)
    adjusted("7", "OTBR", date(2025, 8, 1), {"rating": 900.0, "games": 5}, "by letter")
    number = Adjustment.objects.get(kind=Adjustment.RATING).id
    content = document("Open", date(2025, 8, 2), ["7", "9"], [(1, 1, 2, "1-0")])
    event = submissions.submit(OFFICER, data(content), "event.json").event
    proposal = adjustments.propose_revoking(first, number, "she says so").id
    before, fields = AuditEntry.objects.count(), {"rating": 900.0, "games": 5}
    words = "K was born on March 4, 2015"
    for act in (
        lambda: players.add(OFFICER, "10", words, name="N"),
        lambda: players.change(OFFICER, "7", words, state="TX"),
        lambda: players.merge(OFFICER, "8", "7", words),
        lambda: players.forget_name(OFFICER, "8", words),
        lambda: players.join(OFFICER, "7", "regular", date(2025, 1, 1), None, words),
        lambda: adjustments.propose(first, "7", "OTBR", date(2025, 8, 1), fields, words),
        lambda: adjustments.propose_revoking(first, number, words),
        lambda: registry.decide(second, f"proposal:{proposal}", granted=False, words=words),
        lambda: accepting.accept(OFFICER, event, words),
        lambda: accepting.accept_many(OFFICER, [event], words),
        lambda: accepting.refuse(OFFICER, event, words),
        lambda: accepting.withdraw(OFFICER, event, words),
        lambda: accepting.correct(OFFICER, event, data(content), "event.json", words),
        lambda: rerate(OFFICER, words),
        lambda: users.set_role(Actor.installation(), "ada", Role.OFFICER, words),
        lambda: users.deactivate(Actor.installation(), "ada", words),
    ):
        with pytest.raises(OfficeError, match="leave birth dates out"):
            act()
    assert AuditEntry.objects.count() == before


def test_a_rolled_back_write_leaves_no_entry(office: str) -> None:
    write(1)
    with transaction.atomic():
        record("ada", "event.accept", "event:2")
        transaction.set_rollback(True)
    assert verify().entries == 1
    assert verify().ok


@pytest.mark.parametrize("text", ["", "12", "x:y", "3:" + "g" * 64])
def test_a_head_that_is_none_is_quoted(text: str) -> None:
    with pytest.raises(AuditError, match="is not a head of the log"):
        Head.parse(text)
    good = Head(3, "a" * 64)
    assert Head.parse(str(good)) == good
