"""What somebody who means harm would try: forms from elsewhere, fixed sessions, guesses, names, addresses, old
sessions.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory, override_settings

from crosstable.web import settings as web_settings
from crosstable.web.account_settings import ACCOUNT_TRIES, ADDRESS_TRIES, IDLE, LONGEST
from crosstable.web.api import limits
from tests.web import accounts
from tests.web.routes import METHODS, Route, table

Desk = Callable[[str], Client]
DESKS = [route for route in table() if route.pattern.startswith("desk/")]
WRITING = [route for route in DESKS if "POST" in route.status]
#: For everybody: signing in, help, links that were handed over, and giving the second factor
OPEN = ("desk/sign-in/", "desk/sign-up/", "desk/sign-out/", "desk/join/", "desk/account/confirm/", "desk/me/")


def attempt(client: Client, name: str, password: str = "a wrong guess") -> int:  # noqa: S107  a wrong one
    return client.post("/desk/sign-in/", {"login": name, "password": password}).status_code


def address(route: Route) -> str:
    return route.address.format(**dict.fromkeys(re.findall(r"{(\w+)}", route.address), "1"))


def test_no_form_works_without_its_token(desk_office: str) -> None:
    """Everybody comes with their session, but from another site's page."""
    clients = {role: Client(enforce_csrf_checks=True, headers=accounts.HOST) for role in accounts.ROLES}
    for role, client in clients.items():
        client.cookies = accounts.signed_in(role).cookies
    answers = {
        (route.pattern, role): client.post(address(route)).status_code
        for route in WRITING
        for role, client in clients.items()
    }
    assert len(WRITING) > 20
    assert {which: status for which, status in answers.items() if status != 403} == {}


def test_no_desk_page_opens_for_an_officer_without_the_second_factor(desk_office: str) -> None:
    """Every route and method: to the page that asks for it, or no such method."""
    client = accounts.signed_in("officer")
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session.save()
    guarded = [one for one in DESKS if not one.pattern.startswith(OPEN) and one.pattern != "desk/account/"]
    assert len(guarded) > 20
    for route in guarded:
        for method in METHODS:
            answer = client.generic(method, address(route))
            where = answer.headers.get("Location", "")
            sent = answer.status_code == 302 and where.startswith("/desk/account/confirm/code/?")
            assert sent or answer.status_code == 405, (route.pattern, method, answer.status_code, where)
    assert client.get("/desk/me/").status_code == 204  # the header of public pages says nothing of them, either


def test_the_session_that_somebody_brings_is_not_the_one_they_leave_with(desk_office: str) -> None:
    client = Client(headers=accounts.HOST)
    client.post("/desk/sign-in/", {"login": "olive", "password": accounts.PASSWORD})  # a session before the second step
    fixed = client.cookies["sessionid"].value
    client.post("/desk/sign-in/code/", {"code": accounts.code_now()})
    assert client.cookies["sessionid"].value != fixed
    thief = Client(headers=accounts.HOST)
    thief.cookies["sessionid"] = fixed
    assert thief.get("/desk/").status_code == 302


def test_five_wrong_guesses_rest_the_account_and_say_nothing_of_it(desk_office: str) -> None:
    pages = {}
    for name in ("dora", "nobody-of-that-name"):
        client = Client(headers=accounts.HOST)
        wrong = client.post("/desk/sign-in/", {"login": name, "password": "a wrong guess"})
        statuses = [attempt(client, name) for _ in range(4)]
        rest = client.post("/desk/sign-in/", {"login": name, "password": accounts.PASSWORD})
        assert (wrong.status_code, statuses, rest.status_code) == (200, [200, 200, 200, 429], 429)
        assert rest["Retry-After"] == "900"
        page = wrong.content.decode() + rest.content.decode()
        pages[name] = re.sub(r'value="\w{64}"', "", page).replace(name, "NAME")
    assert pages["dora"] == pages["nobody-of-that-name"]
    assert attempt(Client(headers=accounts.HOST), "DORA", accounts.PASSWORD) == 429  # one name in every spelling


def test_guesses_from_elsewhere_lock_neither_sign_in_nor_a_confirmation(desk_office: str) -> None:
    olive = accounts.signed_in("officer", fresh=False)
    elsewhere = Client(headers=accounts.HOST, REMOTE_ADDR="192.0.2.7")
    for name in ("dora", "olive"):
        assert [attempt(elsewhere, name) for _ in range(5)][-1] == 429
    assert attempt(Client(headers=accounts.HOST), "dora", accounts.PASSWORD) == 302
    answer = olive.post("/desk/account/confirm/code/", {"code": accounts.code_now()})
    assert answer.status_code == 302


def test_guesses_from_many_addresses_lock_an_account(desk_office: str) -> None:
    for number in range(ACCOUNT_TRIES):
        client = Client(headers=accounts.HOST, REMOTE_ADDR=f"192.0.2.{number // 4 + 1}")
        status = attempt(client, "dora")
    assert status == 429
    assert attempt(Client(headers=accounts.HOST), "dora", accounts.PASSWORD) == 429


def test_an_address_rests_after_twenty_guesses_of_many_names(desk_office: str) -> None:
    client = Client(headers=accounts.HOST)
    statuses = [attempt(client, f"name{number}") for number in range(ADDRESS_TRIES)]
    assert statuses == [200] * (ADDRESS_TRIES - 1) + [429]
    assert attempt(client, "dora", accounts.PASSWORD) == 429
    assert attempt(Client(headers=accounts.HOST, REMOTE_ADDR="192.0.2.7"), "dora", accounts.PASSWORD) == 302


def test_signing_in_oneself_does_not_take_back_guesses_at_another(desk_office: str) -> None:
    client = Client(headers=accounts.HOST)
    for _ in range(4):
        attempt(client, "olive")
    assert attempt(client, "dora", accounts.PASSWORD) == 302
    assert attempt(Client(headers=accounts.HOST), "olive") == 429


def test_resting_ends_by_itself(desk_office: str) -> None:
    from axes.models import AccessAttempt
    from django.utils import timezone

    client = Client(headers=accounts.HOST)
    for _ in range(5):
        attempt(client, "dora")
    before = timezone.now() - timezone.timedelta(minutes=16)
    AccessAttempt.objects.update(attempt_time=before)
    assert attempt(client, "dora", accounts.PASSWORD) == 302


def test_each_further_wrong_try_locks_for_twice_as_long(desk_office: str) -> None:
    """15, 30, 60, 120 and 240 minutes, and no longer; a name that does not exist answers the same."""
    from axes.models import AccessAttempt
    from django.utils import timezone

    for name in ("dora", "nobody-of-that-name"):
        client, waits = Client(headers=accounts.HOST), []
        for _ in range(4):
            attempt(client, name)
        for _ in range(6):
            answer = client.post("/desk/sign-in/", {"login": name, "password": "a wrong guess"})
            waits.append(int(answer["Retry-After"]) // 60)
            over = timezone.now() - timezone.timedelta(minutes=waits[-1])
            AccessAttempt.objects.filter(username=name).update(attempt_time=over + timezone.timedelta(seconds=20))
            assert attempt(client, name, accounts.PASSWORD) == 429
            AccessAttempt.objects.filter(username=name).update(attempt_time=over)
        assert waits == [15, 30, 60, 120, 240, 240]
    assert attempt(Client(headers=accounts.HOST), "dora", accounts.PASSWORD) == 302
    assert not AccessAttempt.objects.filter(username="dora").exists()


def test_wrong_tries_are_forgotten_after_a_day(desk_office: str) -> None:
    from axes.models import AccessAttempt
    from django.utils import timezone

    client = Client(headers=accounts.HOST)
    for _ in range(5):
        attempt(client, "dora")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timezone.timedelta(hours=25))
    assert [attempt(client, "dora") for _ in range(5)] == [200, 200, 200, 200, 429]


def test_what_was_typed_is_not_kept(desk_office: str) -> None:
    from axes.models import AccessAttempt

    attempt(Client(headers=accounts.HOST), "dora", "my other password")
    client = Client(headers=accounts.HOST)
    client.post("/desk/sign-in/", {"login": "olive", "password": accounts.PASSWORD})
    client.post("/desk/sign-in/code/", {"code": "135790"})
    kept = str(list(AccessAttempt.objects.values()))
    assert "my other password" not in kept
    assert "135790" not in kept


def test_an_unknown_name_costs_a_hash_as_well(desk_office: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the time that an answer takes would tell which names exist."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    hashed: list[str] = []
    whole, check = Argon2PasswordHasher.encode, Argon2PasswordHasher.verify

    def encode(self: Argon2PasswordHasher, password: str, salt: str) -> str:
        hashed.append("encode")
        return whole(self, password, salt)

    def verify(self: Argon2PasswordHasher, password: str, encoded: str) -> bool:
        hashed.append("verify")
        return check(self, password, encoded)

    monkeypatch.setattr(Argon2PasswordHasher, "encode", encode)
    monkeypatch.setattr(Argon2PasswordHasher, "verify", verify)
    attempt(Client(headers=accounts.HOST), "dora")
    known = len(hashed)
    attempt(Client(headers=accounts.HOST), "nobody-of-that-name")
    assert (known, len(hashed)) == (1, 2)


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "javascript:alert(1)",
        "http://127.0.0.1:9999/desk/",  # a name under which this site may be asked, but not the one that was
        "\thttps://evil.example/",
        "https:evil.example",
    ],
)
def test_signing_in_never_leads_to_another_site(desk_office: str, target: str) -> None:
    client = Client(headers=accounts.HOST)
    answer = client.post("/desk/sign-in/", {"login": "dora", "password": accounts.PASSWORD, "next": target})
    assert answer["Location"] == "/desk/"
    out = client.post("/desk/sign-out/", {"next": target})
    assert out["Location"] == "/"


def test_cookies_are_for_this_site_and_no_script(desk_office: str) -> None:
    chosen = web_settings.values("sqlite:///none.db", https=True)
    names = ("SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_HTTPONLY")
    assert [chosen[name] for name in names] == [True] * 4
    assert chosen["SESSION_COOKIE_NAME"].startswith("__Host-")
    assert chosen["CSRF_COOKIE_NAME"].startswith("__Host-")
    client = Client(headers=accounts.HOST)
    accounts.sign_in(client, "director")
    session = client.cookies["sessionid"]
    assert (session["httponly"], session["samesite"], session["path"]) == (True, "Lax", "/")
    with override_settings(SESSION_COOKIE_SECURE=True):
        client = Client(headers=accounts.HOST)
        accounts.sign_in(client, "director")
    assert client.cookies["sessionid"]["secure"] is True


@pytest.mark.parametrize(("mark", "limit"), [("desk_seen", IDLE), ("desk_begun", LONGEST)])
def test_a_session_ends_when_nobody_clicks_and_after_half_a_day(desk: Desk, mark: str, limit: object) -> None:
    client = desk("director")
    session = client.session
    session[mark] = time.time() - limit.total_seconds() + 60  # a timedelta
    session.save()
    assert client.get("/desk/").status_code == 200
    session = client.session
    session[mark] = time.time() - limit.total_seconds() - 60
    session.save()
    assert client.get("/desk/").status_code == 302
    assert "_auth_user_id" not in client.session


def test_public_pages_are_the_same_for_everybody_and_open_no_session(desk: Desk) -> None:
    nobody, officer = Client(headers=accounts.HOST), desk("officer")
    for address in ("/", "/players/", "/lists/", "/help/"):
        first, second = nobody.get(address), officer.get(address)
        assert first.content == second.content
        assert "Accept-Language" in second.headers["Vary"]  # and the cookie of a chosen language, nothing else
        assert "sessionid" not in first.cookies
        assert first.headers.get("ETag") == second.headers.get("ETag")


def test_desk_pages_are_kept_by_nobody(desk: Desk) -> None:
    for client, address in ((desk("officer"), "/desk/"), (Client(headers=accounts.HOST), "/desk/sign-in/")):
        answer = client.get(address)
        assert "no-store" in answer["Cache-Control"]
        assert "ETag" not in answer.headers


def test_a_token_of_a_program_opens_no_desk(desk_office: str, clients: dict[str, Client]) -> None:
    assert clients["token"].get("/desk/").status_code == 302


def test_nobody_signs_up_uninvited_and_django_admin_is_off(desk_office: str) -> None:
    """Anyone signs up only where the office has opened it: `test_visitors.py`."""
    client = Client(headers=accounts.HOST)
    for role in ("player", "director", "officer", "admin"):
        given = {"role": role, "email": "a@example.org"}
        assert client.post("/desk/sign-up/", given).status_code == 400
    for address in ("/accounts/signup/", "/accounts/login/", "/admin/"):
        assert client.get(address).status_code == 404
    assert "django.contrib.admin" not in web_settings.values("sqlite:///none.db")["INSTALLED_APPS"]


def test_a_user_who_is_deactivated_in_the_middle_of_a_session_is_out(desk: Desk) -> None:
    client = desk("director")
    User.objects.filter(username="dora").update(is_active=False)
    assert client.get("/desk/").status_code == 302


@pytest.mark.parametrize(("proxy", "counted"), [("127.0.0.1", "192.0.2.7"), ("198.51.100.1", "198.51.100.1")])
def test_only_a_configured_proxy_says_where_a_request_comes_from(proxy: str, counted: str) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=proxy, headers={"X-Forwarded-For": "10.0.0.1, 192.0.2.7"})
    with override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")):
        assert limits.address(request) == counted
    assert limits.address(request) == proxy  # without anything that encrypts, no proxy is configured
