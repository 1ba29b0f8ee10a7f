"""A person opens an account where the office lets people; the contact of the office."""

from __future__ import annotations

import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger import office_settings
from crosstable.office.people import one_time_links, settings, sign_up, users
from crosstable.office.people.models import OneTimeLink
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.queries import status

ADMIN = Actor.installation()
PASSWORD = "seven bishops at noon"  # noqa: S105  of a made-up person
ADDRESS = "dan@example.org"


@pytest.fixture
def ready(office: str) -> str:
    office_settings.create()
    return office


def test_an_office_invites_until_it_is_opened(ready: str) -> None:
    with pytest.raises(CrosstableError, match="ask it for an invitation"):
        sign_up.ask("player", ADDRESS, by_mail=True)
    assert one_time_links.invite(ADMIN, Role.DIRECTOR)
    settings.set_sign_up(ADMIN, "closed")
    for role in (Role.PLAYER, Role.DIRECTOR):
        with pytest.raises(CrosstableError, match="are closed"):
            one_time_links.invite(ADMIN, role)
    assert one_time_links.invite(ADMIN, Role.OFFICER)
    with pytest.raises(CrosstableError, match="'ajar' is not a way"):
        settings.set_sign_up(ADMIN, "ajar")


@pytest.mark.parametrize("role", ["player", "director"])
def test_an_open_office_sends_a_link_and_the_account_has_the_address(ready: str, role: str) -> None:
    settings.set_sign_up(ADMIN, "open")
    before = AuditEntry.objects.count()
    secret = sign_up.ask(role, "Dan@Example.org ", by_mail=True)
    assert secret is not None
    assert AuditEntry.objects.count() == before  # pages print how long the log is
    user = one_time_links.accept(secret, "dan", PASSWORD)
    assert (user.username, users.acting_as("dan").role, users.person_of("dan").user.email) == ("dan", role, ADDRESS)
    assert one_time_links.reset_by_mail("dan") is not None
    assert verify_all().ok


def test_no_one_learns_whether_an_address_has_an_account(ready: str) -> None:
    settings.set_sign_up(ADMIN, "open")
    secret = sign_up.ask("director", ADDRESS, by_mail=True)
    assert secret is not None
    assert sign_up.ask("director", ADDRESS, by_mail=True) is None  # one mail in a quarter of an hour
    one_time_links.accept(secret, "dan", PASSWORD)
    assert sign_up.ask("director", ADDRESS.upper(), by_mail=True) is None


@pytest.mark.parametrize("role", ["officer", "admin", "public", ""])
def test_no_rights_of_the_office_are_given(ready: str, role: str) -> None:
    settings.set_sign_up(ADMIN, "open")
    with pytest.raises(CrosstableError, match="a player or a director"):
        sign_up.ask(role, ADDRESS, by_mail=True)
    assert not OneTimeLink.objects.exists()


def test_without_mail_the_address_may_be_left_out(ready: str) -> None:
    settings.set_sign_up(ADMIN, "open")
    with pytest.raises(CrosstableError, match="not an e-mail address"):
        sign_up.ask("player", "", by_mail=True)
    secret = sign_up.ask("player", "", by_mail=False)
    assert secret is not None
    one_time_links.accept(secret, "dan", PASSWORD)
    assert users.person_of("dan").user.email == ""


@pytest.mark.parametrize("by_mail", [True, False])
def test_links_that_no_one_uses_shut_no_one_out(ready: str, by_mail: bool) -> None:
    """Two hundred of them kept everybody from opening an account for two days. The office's own links stay."""
    settings.set_sign_up(ADMIN, "open")
    own = one_time_links.invite(ADMIN, Role.DIRECTOR)
    asked = [
        sign_up.ask("player", f"invented{count}@example.org" if by_mail else "", by_mail=by_mail)
        for count in range(201)
    ]
    assert None not in asked
    assert OneTimeLink.objects.count() == 201  # 200, and the office's own
    one_time_links.accept(str(asked[-1]), "dan", PASSWORD)
    one_time_links.accept(str(asked[1]), "eve", PASSWORD)
    with pytest.raises(CrosstableError, match="unknown, used or expired"):
        one_time_links.accept(str(asked[0]), "pat", PASSWORD)
    one_time_links.accept(own, "dora", PASSWORD)


@pytest.mark.parametrize(
    ("contact", "address"),
    [
        ("office@example.org", "mailto:office@example.org"),
        ("https://example.org/contact", "https://example.org/contact"),
        ("", ""),
    ],
)
def test_the_contact_is_part_of_every_page(ready: str, contact: str, address: str) -> None:
    settings.set_contact(ADMIN, contact)
    assert (status.frame().contact, status.frame().contact_address) == (contact, address)


@pytest.mark.parametrize("contact", ["call us", "javascript:alert(1)", "office@", "ftp://example.org/"])
def test_what_is_not_a_contact_is_refused(ready: str, contact: str) -> None:
    with pytest.raises(CrosstableError, match="is not a contact"):
        settings.set_contact(ADMIN, contact)
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    with pytest.raises(NotAllowedError):
        settings.set_contact(users.acting_as("dora"), "office@example.org")


def test_the_same_from_the_shell(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["office", "--db", ready, "settings", "--contact", "office@example.org", "--sign-up", "open"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "office@example.org" in shown
    assert sign_up.is_open()
