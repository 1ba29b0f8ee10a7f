"""Whatever the office's own data can show to have been changed past it, `audit verify` tells, and never with a
traceback.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from simulated import OFFICER, adjusted, data, document

from conftest import connect
from crosstable.cli import main
from crosstable.office import players
from crosstable.office.audit.log import head, record
from crosstable.office.audit.models import AuditEntry, AuditHead
from crosstable.office.audit.triggers import disarmed
from crosstable.office.backup import BackupError, backup, restore
from crosstable.office.backup.anchors import signed_head
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger import documents, office_settings, order
from crosstable.office.ledger.documents import DamagedDocumentError
from crosstable.office.ledger.models import Adjustment, Merge, RatingRow, Revision, Section, Submission
from crosstable.office.ledger.packing import games_of
from crosstable.office.lists.export import export
from crosstable.office.lists.models import ListRow, PublishedList, TopRow
from crosstable.office.people import tokens, users
from crosstable.office.people.models import Person, Token
from crosstable.office.people.rights import Actor, Role
from crosstable.office.rating import rerating
from crosstable.office.reports import accepting, review_queue, submissions
from crosstable.office.requests import adjustments, list_publication, registry
from crosstable.office.requests.models import Proposal
from crosstable.office.storage.database import writing

pytestmark = pytest.mark.both_databases

ADA, BEN, CAY = "30000001", "30000002", "30000003"
MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)
TABLES = ("lists_publishedlist", "lists_listrow", "lists_toprow")


@pytest.fixture
def busy(office: str) -> str:
    """Two events, of which one was corrected, and two lists."""
    office_settings.create()
    for name, role in (("ada", Role.OFFICER), ("boris", Role.OFFICER), ("chief", Role.ADMIN)):
        users.add_user(Actor.installation(), name, role)
    for name, day in (("Open", date(2025, 4, 5)), ("Next", date(2025, 5, 10))):
        done = submissions.submit(OFFICER, content(name, day), "event.json", name)
        accepting.accept(OFFICER, done.event)
    accepting.correct(OFFICER, "Open", content("Open", date(2025, 4, 5), "1/2-1/2"), "event.json", "a misprint")
    for day in (MAY, JUNE):
        proposal = list_publication.propose(users.acting_as("ada"), day, "monthly list")
        registry.approve(users.acting_as("boris"), proposal.id)
    assert verify_all().problems == ()
    return office


def content(name: str, day: date, result: str = "1-0") -> bytes:
    return data(document(name, day, [ADA, BEN], [(1, 1, 2, result), (2, 1, 2, "1-0")], control="G/120;d5"))


def test_a_decision_under_a_duplicates_number_stays_told_when_the_two_are_told_apart(
    busy: str, spare: Callable[[], str], tmp_path: Path
) -> None:
    """The row stands under the record kept, and so does the entry, which says for whom it was asked."""
    players.add(OFFICER, CAY, name="Ada")
    players.merge(OFFICER, CAY, ADA, "one person")
    adjusted(CAY, "OTBR", date(2025, 7, 1), {"ceiling": 2000.0}, "agreed")
    seen = [adjustments.decisions(users.acting_as("ada"), number) for number in (CAY, ADA)]
    assert [one["set"] for one in seen[0]] == [{"ceiling": 2000.0}]
    assert seen[0] == seen[1]
    entry = AuditEntry.objects.get(action="rating.adjust")
    assert (entry.subject, json.loads(entry.details)["asked_for"]) == (f"player:{ADA}", CAY)
    players.unmerge(OFFICER, CAY, "two people after all")
    assert verify_all().problems == ()
    assert backup(Actor.installation(), tmp_path / "office.zip").problems == ()
    connect(spare())
    restore(Actor.installation(), tmp_path / "office.zip")
    assert verify_all().problems == ()


def test_a_decision_that_an_older_log_tells_under_a_duplicate_is_told(busy: str) -> None:
    """The log once named the number that was asked for, while the row stood under the record kept."""
    players.add(OFFICER, CAY, name="Ada")
    players.merge(OFFICER, CAY, ADA, "one person")
    with writing():
        Adjustment.objects.create(
            player=players.find(ADA),
            pool="OTBR",
            kind=Adjustment.CEILING,
            date=JUNE,
            position=order.day_of(JUNE),
            fields={"ceiling": 2000.0},
            author="ada",
            second="boris",
        )
        record("ada", "rating.adjust", f"player:{CAY}", "agreed")
    players.unmerge(OFFICER, CAY, "two people after all")
    assert verify_all().problems == ()
    Adjustment.objects.create(
        player=players.find(BEN),
        pool="OTBR",
        kind=Adjustment.CEILING,
        date=JUNE,
        position=order.day_of(JUNE),
        fields={"ceiling": 2000.0},
        author="ada",
        second="boris",
    )
    assert any(f"player:{BEN} has a decision" in problem for problem in verify_all().problems)


def cut_off(count: int) -> None:
    """The log as if the entries after this one had never been: by somebody who owns the database."""
    with disarmed("audit_auditentry"), disarmed("audit_audithead"):
        AuditEntry.objects.filter(seq__gt=count).delete()
        AuditHead.objects.update(count=count, hash=AuditEntry.objects.get(seq=count).hash)


def test_a_list_that_was_deleted_is_missed(busy: str) -> None:
    published = PublishedList.objects.get(date=MAY)
    with disarmed(TABLES[0]), disarmed(TABLES[1]), disarmed(TABLES[2]):
        ListRow.objects.filter(published=published).delete()
        TopRow.objects.filter(published=published).delete()
        published.delete()
    (problem,) = verify_all().problems
    assert "the list of 2025-05-01" in problem
    assert "no longer there" in problem


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("date", date(2025, 5, 2)),
        ("approved_by", "somebody else"),
        ("proposed_by", "somebody else"),
        ("published_at", "2025-05-01T00:00:00.000000Z"),
        ("report", "{}"),
        ("options", "{}"),
        ("rows", 1),
    ],
)
def test_whatever_a_list_says_of_itself_is_vouched_for(busy: str, column: str, value: object) -> None:
    with disarmed("lists_publishedlist"):
        PublishedList.objects.filter(date=MAY).update(**{column: value})
    day = value if column == "date" else MAY
    assert verify_all().problems == (f"the log does not have the list of {day} in this form",)


def test_a_cut_off_log_leaves_its_lists_behind(busy: str) -> None:
    cut_off(PublishedList.objects.get(date=MAY).audit_count)
    problems = verify_all().problems
    assert any("the list of 2025-06-01 prints entry" in problem for problem in problems)


@pytest.mark.parametrize("later", ["nothing later", "an entry later"])
@pytest.mark.parametrize("act", ["merge", "adjust", "correct", "withdraw", "restore", "submit"])
def test_a_row_whose_entry_was_cut_off_is_told(busy: str, act: str, later: str) -> None:
    """…also when the office has written on since."""
    if act == "restore":
        accepting.withdraw(OFFICER, "Next", "not rated after all")
    if act == "merge":
        players.add(OFFICER, CAY, name="Cay")
    count = head().count
    if act == "merge":
        players.merge(OFFICER, CAY, ADA, "one person")
    elif act == "adjust":
        adjusted(ADA, "OTBR", date(2025, 7, 1), {"ceiling": 2000.0}, "agreed")
    elif act == "correct":
        accepting.correct(OFFICER, "Next", content("Next", date(2025, 5, 10), "0-1"), "event.json", "a misprint")
    elif act == "withdraw":
        accepting.withdraw(OFFICER, "Next", "not rated after all")
    elif act == "restore":
        accepting.accept(OFFICER, "Next", "rated after all")
    else:
        submissions.submit(OFFICER, content("Third", date(2025, 6, 7)), "event.json", "Third")
    assert verify_all().problems == ()
    cut_off(count)
    if later == "an entry later":
        players.add(OFFICER, "30000009")
    subject = {"merge": f"player:{CAY}", "adjust": f"player:{ADA}", "submit": "event:Third"}.get(act, "event:Next")
    assert any(subject in problem for problem in verify_all().problems)


def test_rows_younger_than_the_log_are_told(busy: str) -> None:
    """Even of a kind that nobody looks for: here an opening that came with a list."""
    row = Adjustment(player=players.find(ADA), pool="OLR", kind="opening", date=MAY, position=1, author="x")
    row.save()
    assert any("ledger_adjustment has rows of" in problem for problem in verify_all().problems)


def test_forged_rows_are_told(busy: str) -> None:
    players.add(OFFICER, CAY, name="Cay")
    Merge.objects.create(duplicate=players.find(CAY), kept=players.find(ADA), author="x")
    players.change(OFFICER, BEN, "an entry after it", name="Benjamin")
    (problem,) = verify_all().problems
    assert "player.merge" in problem
    assert CAY in problem


@pytest.mark.parametrize("rehash", [False, True])
def test_overwritten_files_are_told_and_no_restore_believes_them(
    busy: str, spare: Callable[[], str], tmp_path: Path, capsys: pytest.CaptureFixture[str], rehash: bool
) -> None:
    row = Submission.objects.order_by("id")[0]
    row.data = b"something else"
    if rehash:  # by somebody who knows the columns
        row.sha256 = hashlib.sha256(b"something else").hexdigest()
    row.save()
    (problem,) = verify_all().problems
    assert f"submission {row.id}" in problem
    saved = backup(Actor.installation(), tmp_path / "office.zip")
    assert saved.problems == (problem,)
    assert main(["office", "--db", busy, "--as", "chief", "backup", str(tmp_path / "again.zip")]) == 1
    capsys.readouterr()
    connect(spare())
    with pytest.raises(BackupError, match=f"submission {row.id}"):
        restore(Actor.installation(), tmp_path / "office.zip")


@pytest.mark.parametrize("details", ["{", "", "[1]", '"x"', "{'a': 1}"])
def test_damaged_details_are_a_finding(busy: str, details: str, capsys: pytest.CaptureFixture[str]) -> None:
    seq = PublishedList.objects.get(date=MAY).audit_count
    with disarmed("audit_auditentry"):
        AuditEntry.objects.filter(seq=seq).update(details=details)
    assert main(["office", "--db", busy, "audit", "verify"]) == 1
    out = capsys.readouterr().out
    assert f"the details of entry {seq} cannot be read" in out
    assert f"entry {seq} was changed" in out


@pytest.mark.parametrize("damage", [b"", b"\x01\x02", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_damaged_document_is_said_in_words(busy: str, damage: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Revision.objects.filter(event__number="Next").update(document=damage)
    acts: list[Callable[[], object]] = [
        lambda: review_queue.review(OFFICER, "Next"),
        lambda: accepting.withdraw(OFFICER, "Next", "no"),
        lambda: accepting.correct(OFFICER, "Next", content("Next", date(2025, 5, 10), "0-1"), "event.json", "no"),
    ]
    for act in acts:
        with pytest.raises(DamagedDocumentError, match=r"event Next: .* no longer reads"):
            act()
    assert main(["office", "--db", busy, "--as", "ada", "review", "Next"]) == 1
    assert "no longer reads" in capsys.readouterr().err
    assert verify_all().problems == ("revision 1 of event Next is not what was written",)


def test_a_queue_with_a_damaged_document_says_whose_it_is(busy: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name, day in (("Summer", date(2025, 7, 5)), ("Autumn", date(2025, 9, 6))):
        submissions.submit(OFFICER, content(name, day), "event.json", name)
    Revision.objects.filter(event__number="Autumn").update(document=b"")
    assert main(["office", "--db", busy, "--as", "ada", "review"]) == 1
    error = capsys.readouterr().err
    assert "event Autumn: a stored event document no longer reads" in error
    assert "Summer" not in error


def test_rating_a_damaged_document_again_says_whose_it_is(spare: Callable[[], str]) -> None:
    """A system that is not US Chess reads the document of the event that it rates."""
    connect(spare())
    office_settings.create(systems={"default": ["glicko"]})
    submissions.submit(OFFICER, content("Open", date(2025, 4, 5)), "event.json", "Open")
    accepting.accept(OFFICER, "Open")
    Revision.objects.filter(event__number="Open").update(document=b"")
    with pytest.raises(DamagedDocumentError, match=r"event Open: .* no longer reads"):
        rerating.rerate(OFFICER)


def test_a_live_rating_that_was_set_by_sql_is_noticed(busy: str) -> None:
    row = RatingRow.objects.filter(player__number=ADA).order_by("-position")[0]
    RatingRow.objects.filter(id=row.id).update(post=2999.0)
    assert verify_all().problems == (f"ratings that do not follow from the results: {ADA} OTBR",)
    assert verify_all(ratings=False).problems == ()


@pytest.mark.parametrize("act", ["role", "active", "player", "email", "password", "added"])
def test_an_account_that_was_changed_by_sql_is_noticed(busy: str, act: str) -> None:
    users.add_user(Actor.installation(), "pia", Role.PLAYER)
    assert verify_all(ratings=False).problems == ()
    pia = User.objects.get(username="pia")
    if act == "role":
        Person.objects.filter(user=pia).update(role="admin")
    elif act == "player":
        Person.objects.filter(user=pia).update(player_id=ADA)
    elif act == "added":
        Person.objects.create(user=User.objects.create(username="eve"), role="admin")
    else:
        changed = {"active": {"is_active": False}, "email": {"email": "e@x.example"}, "password": {"password": "x"}}
        User.objects.filter(id=pia.id).update(**changed[act])
    problems = verify_all(ratings=False).problems
    assert problems
    assert all(("eve" if act == "added" else "pia") in problem for problem in problems)


def test_a_role_that_was_set_by_sql_is_noticed_after_the_office_has_written_the_account_again(busy: str) -> None:
    """The next seal covers what was forged; the role still follows from the log."""
    users.add_user(Actor.installation(), "pia", Role.PLAYER)
    Person.objects.filter(user__username="pia").update(role="admin")
    users.set_email(users.acting_as("pia"), "pia", "pia@example.org")
    assert verify_all(ratings=False).problems == ("the user pia has the role admin; by the log it is player",)


def test_a_password_that_django_hashes_anew_is_no_tampering(busy: str) -> None:
    users.add_user(Actor.installation(), "pia", Role.PLAYER, "seven bishops at noon")
    pia = User.objects.get(username="pia")
    pia.set_password("seven bishops at noon")
    pia.save(update_fields=["password"])  # as Django does it at a sign-in
    assert verify_all(ratings=False).problems == ()
    assert AuditEntry.objects.filter(action="user.rehash", subject="user:pia").exists()


def test_games_that_were_swapped_by_sql_are_noticed(busy: str) -> None:
    """In the section alone; in the section with ratings that follow from it; and in the report with its hash."""
    section = Section.objects.get(event__number="Next")
    games = games_of(bytes(section.games)).copy()
    games[:, 3] = 2 - games[:, 3]
    Section.objects.filter(id=section.id).update(games=games.tobytes())
    does_not_hold = "section 1 of event Next does not hold the results of its report"
    assert does_not_hold in verify_all().problems
    rerating.rerate(OFFICER)
    assert verify_all().problems == (does_not_hold,)
    revision = Revision.objects.filter(event__number="Next").order_by("-number")[0]
    event = documents.unpack(revision.document)
    lost = tuple(replace(game, result="0-1") for game in event.sections[0].games)
    forged = replace(event, sections=(replace(event.sections[0], games=lost),))
    Revision.objects.filter(id=revision.id).update(
        document=documents.pack_event(forged), content_hash=documents.content_hash(forged)
    )
    assert any("does not know a revision of event Next" in one for one in verify_all().problems)


def test_a_token_or_a_proposal_that_was_changed_by_sql_is_noticed(busy: str) -> None:
    tokens.create_token(Actor.installation(), "ada", "a program", ["event.submit"])
    waits = list_publication.propose(users.acting_as("ada"), date(2025, 7, 1), "monthly list")
    assert verify_all(ratings=False).problems == ()
    Token.objects.update(scopes="event.submit event.accept")
    Proposal.objects.filter(id=waits.id).update(payload=waits.payload.replace("2025-07-01", "2025-08-01"))
    found = verify_all(ratings=False).problems
    assert len(found) == 2
    assert found[0].startswith("the log does not know the token ct_")
    assert found[1] == f"proposal {waits.id} is not as the log knows it"


@pytest.mark.parametrize("anchored_by", ["backup", "list", "note"])
def test_a_cut_off_end_is_noticed_by_an_anchor_outside_the_database(
    busy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], anchored_by: str
) -> None:
    """The last fifty entries leave no row behind, so nothing inside the database can tell."""
    before = head().count
    for _ in range(50):
        with writing():
            record("ada", "notice.read", "notice:1")
    file = tmp_path / f"anchor.{'json' if anchored_by == 'list' else 'zip'}"
    if anchored_by == "backup":
        backup(Actor.installation(), file)
    elif anchored_by == "note":
        file.write_text(signed_head(head()))
    else:
        proposal = list_publication.propose(users.acting_as("ada"), date(2025, 7, 1), "monthly list")
        registry.approve(users.acting_as("boris"), proposal.id)
        published = PublishedList.objects.get(date=date(2025, 7, 1))
        file.write_bytes(export(published, "json"))
        assert verify_all(ratings=False).problems == ()
        with disarmed(TABLES[0]), disarmed(TABLES[1]), disarmed(TABLES[2]):
            ListRow.objects.filter(published=published).delete()
            TopRow.objects.filter(published=published).delete()
            published.delete()
        Proposal.objects.filter(id=proposal.id).delete()
    assert main(["office", "--db", busy, "audit", "verify", "--anchor", str(file)]) == (anchored_by == "list")
    cut_off(before)
    assert verify_all().problems == ()
    capsys.readouterr()
    assert main(["office", "--db", busy, "audit", "verify", "--anchor", str(file)]) == 1
    assert "which is not in the log: it was cut off" in capsys.readouterr().out


def test_an_anchor_whose_signature_does_not_fit_is_refused(
    busy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = signed_head(head())
    (tmp_path / "note").write_text(line.replace(line[:3], f"1{line[1:3]}" if line[0] != "1" else f"2{line[1:3]}", 1))
    assert main(["office", "--db", busy, "audit", "verify", "--anchor", str(tmp_path / "note")]) == 1
    assert "the signature does not match" in capsys.readouterr().err
