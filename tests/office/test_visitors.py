"""A visitor reports a mistake without an account; only the private link leads to the report."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from simulated import data, document

from crosstable.errors import CrosstableError, OfficeError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger import office_settings
from crosstable.office.notices import inbox
from crosstable.office.people import one_time_links, settings, users
from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import Actor, Role
from crosstable.office.reports import accepting, events, submissions
from crosstable.office.requests import claims, corrections, lifecycle, mistakes, player_requests, visitors
from crosstable.office.requests.models import Request
from crosstable.office.storage import clock

ADMIN = Actor.installation()
ADA, BEN = "30000001", "30000002"
OPEN = mistakes.Place("A", 1, 1)
ADDRESS = "parent@example.org"


@pytest.fixture
def ready(office: str) -> str:
    """Dora's event A is rated: Ada beat Ben in its only round."""
    office_settings.create()
    for name, role in {"olga": Role.OFFICER, "dora": Role.DIRECTOR}.items():
        users.add_user(ADMIN, name, role)
    report = document("Riverside Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1-0")])
    submissions.submit(acting("dora"), data(report), "open.json", "A")
    accepting.accept(acting("olga"), "A")
    return office


def acting(name: str) -> Actor:
    return users.acting_as(name)


def said(words: str = "It was a draw.", **more: str) -> visitors.Report:
    return visitors.Report(place=OPEN, words=words, **more)


def made(words: str = "It was a draw.", email: str = ADDRESS, *, confirm: bool = True) -> visitors.Receipt:
    receipt = visitors.report(said(words), email, confirm=confirm)
    assert receipt is not None
    return receipt


def waiting() -> list[int]:
    return [one.number for one in player_requests.waiting(acting("olga"))]


def test_a_report_is_in_no_list_until_it_is_confirmed(ready: str) -> None:
    receipt = made()
    assert waiting() == []
    assert [one.subject for one in inbox.inbox(acting("olga")) if "mistake" in one.subject] == []
    assert visitors.status(receipt.number, receipt.secret).state == Request.UNCONFIRMED
    visitors.confirm_request(receipt.number, receipt.secret)
    visitors.confirm_request(receipt.number, receipt.secret)
    assert waiting() == [receipt.number]
    told = [one.subject for name in ("olga", "dora") for one in inbox.inbox(acting(name)) if "mistake" in one.subject]
    assert told == ["A mistake is reported: Riverside Open, section 1, round 1"] * 2
    assert player_requests.waiting(acting("dora"))[0].by == "a visitor"
    assert verify_all().ok


def test_without_mail_it_counts_at_once_and_no_address_is_stored(ready: str) -> None:
    receipt = made(email="", confirm=False)
    assert waiting() == [receipt.number]
    assert visitors.status(receipt.number, receipt.secret).waits
    assert Request.objects.get().email == ""


def test_only_the_link_leads_to_a_report_and_the_database_does_not_hold_it(ready: str) -> None:
    receipt = made()
    for secret in ("", "nothing", receipt.secret[:-1], receipt.secret + "x", Request.objects.get().link):
        with pytest.raises(OfficeError, match="unknown or has expired"):
            visitors.status(receipt.number, secret)
        with pytest.raises(OfficeError, match="unknown or has expired"):
            visitors.confirm_request(receipt.number, secret)
    assert receipt.secret not in str(Request.objects.values())
    assert receipt.secret not in str(list(AuditEntry.objects.values()))


def test_a_report_that_is_not_confirmed_expires(ready: str) -> None:
    receipt = made()
    with clock.set_to(clock.now() + timedelta(hours=visitors.CONFIRM_HOURS, minutes=1)):
        with pytest.raises(OfficeError, match="expired"):
            visitors.confirm_request(receipt.number, receipt.secret)
        other = made("Round 1 was not played.")
    assert [row.id for row in Request.objects.all()] == [other.number]


@pytest.mark.parametrize("granted", [True, False])
def test_the_answer_is_behind_the_link_and_the_address_is_deleted(ready: str, granted: bool) -> None:
    receipt = made()
    visitors.confirm_request(receipt.number, receipt.secret)
    lifecycle.decide(acting("olga"), mistakes.MISTAKE, receipt.number, granted=granted, words="We looked again.")
    found = visitors.status(receipt.number, receipt.secret)
    assert (found.state, found.answer) == (Request.GRANTED if granted else Request.REFUSED, "We looked again.")
    assert Request.objects.get().email == ""
    assert ADDRESS not in str(list(AuditEntry.objects.values()))


def test_a_report_that_names_the_game_becomes_a_correction(ready: str) -> None:
    """Ada won, 1-0; the report says that Ben drew."""
    receipt = visitors.report(said(player=BEN, result="draw"), confirm=False)
    assert receipt is not None
    assert player_requests.one(acting("olga"), receipt.number).correctable
    asked = corrections.make_correction(acting("olga"), receipt.number)
    lifecycle.decide(acting("olga"), corrections.CORRECTION, asked.id, granted=True)
    assert [game.result for game in events.document("A").sections[0].games] == ["1/2-1/2"]
    assert visitors.status(receipt.number, receipt.secret).state == Request.GRANTED


def test_an_address_has_five_open_reports_and_is_told_nothing(ready: str) -> None:
    receipts = [made(f"wrong {count}") for count in range(visitors.MOST_OPEN)]
    assert visitors.report(said("wrong once more"), ADDRESS.upper(), confirm=True) is None
    assert visitors.report(said("wrong"), "other@example.org", confirm=True) is not None
    visitors.confirm_request(receipts[0].number, receipts[0].secret)
    assert visitors.report(said("wrong once more"), ADDRESS, confirm=True) is None
    lifecycle.decide(acting("olga"), mistakes.MISTAKE, receipts[0].number, granted=False, words="No.")
    assert visitors.report(said("wrong once more"), ADDRESS, confirm=True) is not None


def test_all_visitors_together_have_a_limit(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "MOST_OF_ALL", 1)
    receipt = made()
    visitors.confirm_request(receipt.number, receipt.secret)
    with pytest.raises(OfficeError, match="Try again in a few days"):
        made("wrong", "other@example.org")


def test_invented_addresses_shut_no_one_out(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred unconfirmed forms kept everybody from reporting for two days."""
    monkeypatch.setattr(visitors, "MOST_OF_ALL", 3)
    receipts = [made("wrong", f"invented{count}@example.org") for count in range(3)]
    last = made("wrong", "parent@example.org")
    assert Request.objects.filter(user=None).count() == 3
    visitors.confirm_request(last.number, last.secret)
    visitors.confirm_request(receipts[-1].number, receipts[-1].secret)
    with pytest.raises(OfficeError, match="unknown or has expired"):
        visitors.confirm_request(receipts[0].number, receipts[0].secret)


@pytest.mark.parametrize(
    ("given", "email", "why"),
    [
        (said(" "), ADDRESS, "is empty"),
        (said("x" * 2001), ADDRESS, "at most 2000"),
        (said("Ben was born 5/3/2014"), ADDRESS, "leave birth dates out"),
        (said(result="1-0"), ADDRESS, "win, draw or loss"),
        (said(player="30000009"), ADDRESS, "no player '30000009'"),
        (visitors.Report(place=mistakes.Place("A"), words="wrong", player=BEN), ADDRESS, "Choose the section"),
        (visitors.Report(place=mistakes.Place("B"), words="wrong"), ADDRESS, "no rated event"),
        (said(), "", "not an e-mail address"),
        (said(), "parent@", "not an e-mail address"),
        (said(), "a@example.org\nBcc: b@example.org", "not an e-mail address"),
    ],
)
def test_what_cannot_be_taken_is_refused(ready: str, given: visitors.Report, email: str, why: str) -> None:
    with pytest.raises(OfficeError, match=why):
        visitors.report(given, email, confirm=True)
    assert not Request.objects.exists()


def test_a_granted_claim_leads_to_an_account_of_the_player(ready: str) -> None:
    receipt = visitors.claim(BEN, "The office knows my school.", ADDRESS, confirm=True)
    assert receipt is not None
    visitors.confirm_request(receipt.number, receipt.secret)
    told = inbox.inbox(acting("olga"))[0]
    assert (told.subject, told.words) == (f"a visitor claims to be player {BEN}", "The office knows my school.")
    assert player_requests.one(acting("olga"), receipt.number).email == ADDRESS
    with pytest.raises(OfficeError, match="only a granted claim"):
        visitors.open_account(receipt.number, receipt.secret)
    lifecycle.decide(acting("olga"), claims.CLAIM, receipt.number, granted=True)
    invitations = [visitors.open_account(receipt.number, receipt.secret) for _ in range(2)]
    one_time_links.accept(invitations[0], "ben", "seven bishops at noon")
    found = own_player(acting("ben"))
    assert found is not None
    assert (found.number, acting("ben").role) == (BEN, Role.PLAYER)
    with pytest.raises(CrosstableError, match="has an account already"):  # one account for one player
        one_time_links.accept(invitations[1], "ben2", "seven bishops at noon")
    assert verify_all().ok


def test_a_claim_does_not_tell_whether_the_player_has_an_account(ready: str) -> None:
    users.add_user(ADMIN, "ada", Role.PLAYER, player_id=ADA)
    for player in (ADA, BEN):
        assert visitors.claim(player, "me", confirm=False) is not None


def test_a_closed_office_takes_no_claims(ready: str) -> None:
    settings.set_sign_up(ADMIN, "closed")
    with pytest.raises(OfficeError, match="gives accounts to players itself"):
        visitors.claim(BEN, "me", confirm=False)
