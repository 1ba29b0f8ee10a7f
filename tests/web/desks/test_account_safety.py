"""Ways into an account that must not stay open: old links, sessions and tokens, a changed address, the user's name."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import make_password
from django.core import mail as outbox
from django.db import connections
from django.test import Client, override_settings

from crosstable.club import clubs
from crosstable.club.models import Club, PinFailure
from crosstable.office.audit.models import AuditEntry
from crosstable.office.backup.proof import verify_all
from crosstable.office.notices import mail
from crosstable.office.people import one_time_links, tokens, users
from crosstable.office.people.rights import Actor, NotAllowedError
from crosstable.office.people.users import PeopleError
from crosstable.web.api import limits
from tests.web import accounts

Desk = Callable[[str], Client]
CHIEF = Actor.installation()
NEW = "eight rooks before dawn"
MAIL = override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")


def test_a_reset_link_dies_with_the_next_password(desk_office: str) -> None:
    secret = one_time_links.reset(CHIEF, "dora")
    other = one_time_links.reset(CHIEF, "dora")
    users.set_password(users.acting_as("dora"), "dora", NEW)
    for link in (secret, other):
        with pytest.raises(PeopleError, match="unknown, used or expired"):
            one_time_links.set_password(link, "another long password")
    third, fourth = (one_time_links.reset(CHIEF, "dora") for _ in range(2))
    one_time_links.set_password(third, "another long password")
    for link in (third, fourth):
        with pytest.raises(PeopleError, match="unknown, used or expired"):
            one_time_links.set_password(link, NEW)


def test_reactivation_revives_no_session_and_no_token(desk: Desk) -> None:
    dora = desk("director")
    secret = tokens.create_token(users.acting_as("dora"), "dora", "pairing program", ["event.submit"])
    assert dora.get("/desk/").status_code == 200
    users.deactivate(CHIEF, "dora", "on leave")
    users.activate(CHIEF, "dora", "back again")
    assert dora.get("/desk/").status_code == 302
    with pytest.raises(NotAllowedError, match="revoked"):
        tokens.actor_with(secret)
    assert AuditEntry.objects.filter(action="token.revoke", subject=f"token:{secret[:12]}").exists()
    fresh = Client(headers=accounts.HOST)
    accounts.sign_in(fresh, "director")
    assert fresh.get("/desk/").status_code == 200
    assert not [one for one in verify_all(ratings=False).problems if "dora" in one or "token" in one]


def test_a_new_address_takes_a_fresh_password_and_the_old_one_is_told(desk_office: str) -> None:
    users.set_email(CHIEF, "pia", "old@example.org")
    stale = accounts.signed_in("player", fresh=False)
    assert stale.post("/desk/account/email/", {"email": "thief@example.org"}).status_code == 302
    assert users.person_of("pia").user.email == "old@example.org"
    with MAIL:
        outbox.outbox = []
        accounts.signed_in("player").post("/desk/account/email/", {"email": "new@example.org"})
        mail.finish()
    assert users.person_of("pia").user.email == "new@example.org"
    (told,) = outbox.outbox
    assert told.to == ["old@example.org"]
    assert "new@example.org" not in told.body


def test_asking_for_a_link_does_the_same_work_for_every_name(desk_office: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the answer nothing is looked up: a slow look-up or mail cannot tell which accounts exist."""
    made: list[object] = []
    monkeypatch.setattr(mail, "later", made.append)
    monkeypatch.setattr(one_time_links, "reset_by_mail", lambda _: pytest.fail("looked up while the visitor waits"))
    with MAIL:
        answers = [
            Client(headers=accounts.HOST).post("/desk/sign-in/help/", {"login": one}) for one in ("pia", "no-one")
        ]
    assert len(made) == 2
    assert [(one.status_code, one["Location"]) for one in answers] == [(302, "/desk/sign-in/help/")] * 2


def test_a_connection_asks_for_five_links_in_a_minute(desk_office: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one machine sends mails to everyone whose user name it can guess."""
    made: list[object] = []
    monkeypatch.setattr(mail, "later", made.append)
    monkeypatch.setattr(limits, "wait", lambda *_: 0 if len(made) < 5 else 30)
    with MAIL:
        client = Client(headers=accounts.HOST)
        for name in range(8):
            answer = client.post("/desk/sign-in/help/", {"login": f"name{name}"}, follow=True)
    assert len(made) == 5
    assert "Try again in 30 seconds" in answer.content.decode()


@pytest.mark.parametrize("password", ["dora123456", "DORA-dora-dora", "arod2026arod", "1234dora5678"])
def test_a_password_made_of_the_user_name_is_refused(desk_office: str, password: str) -> None:
    with pytest.raises(PeopleError, match="user name"):
        users.set_password(users.acting_as("dora"), "dora", password)
    users.set_password(users.acting_as("dora"), "dora", "dora and seven bishops")


def test_all_tokens_of_an_account_share_one_limit(desk_office: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[tuple[str, str]] = []
    monkeypatch.setattr(limits, "wait", lambda kind, who: counted.append((kind, who)) or 0)
    for label in ("one", "two"):
        secret = tokens.create_token(users.acting_as("dora"), "dora", label, ["event.submit"])
        Client(headers={**accounts.HOST, "authorization": f"Bearer {secret}"}).get("/api/v1/lists")
    assert counted == [("token", "dora")] * 2


def test_forty_parallel_tries_of_a_pin_count_forty(desk_office: str) -> None:
    """A try of the club's PIN is counted before it is looked at."""
    Club.objects.create(id=1, pin=make_password("1234"))

    def guess(_: int) -> str:
        try:
            return str(clubs.check_pin("9999", "phone"))
        except clubs.TooManyFailuresError:
            return "locked"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(guess, range(40)))
    assert found.count("False") == clubs.MOST_FAILURES
    assert found.count("locked") == 40 - clubs.MOST_FAILURES
    assert PinFailure.objects.count() == clubs.MOST_FAILURES
