"""Signing people in for tests, through the real pages, once: each test then comes with the session's cookie."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

ROLES = {"player": "pia", "director": "dora", "officer": "olive", "admin": "chief", "second officer": "oscar"}
PASSWORD = "seven bishops at noon"  # noqa: S105  of made-up people
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"  # noqa: S105  of made-up people
#: Who needs a second factor here
OFFICE = ("officer", "admin", "second officer")
HOST = {"host": "localhost"}
_sessions: dict[str, str] = {}

#: Still argon2id, but quick: tests sign in some hundred times
Argon2PasswordHasher.time_cost, Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.parallelism = 1, 64, 1


def prepare() -> None:
    """Passwords for all, and an app with codes for the office's people."""
    from crosstable.office.people import users
    from crosstable.office.people.rights import Actor

    for role, name in ROLES.items():
        users.set_password(Actor.installation(), name, PASSWORD)
        if role in OFFICE:
            give_app(name)


def give_app(name: str) -> None:
    """An app with codes, and recovery codes."""
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
    from allauth.mfa.totp.internal.auth import TOTP

    user = User.objects.get(username=name)
    TOTP.activate(user, SECRET)
    RecoveryCodes.activate(user)


def code_now(secret: str = SECRET) -> str:
    """What the app shows. A code fits only once, so the memory of used ones is emptied first."""
    from allauth.mfa.models import Authenticator
    from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

    cache.clear()
    for app in Authenticator.objects.filter(type=Authenticator.Type.TOTP):
        if app.data.pop("used", None):
            app.save()
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def sign_in(client: Client, role: str, then: str = "/desk/") -> None:
    sign_in_as(client, ROLES[role], second=role in OFFICE, then=then)


def sign_in_as(client: Client, name: str, *, second: bool, then: str = "/desk/") -> None:
    """Through the pages: the password, and the second step where there is one."""
    answer = client.post("/desk/sign-in/", {"login": name, "password": PASSWORD, "next": then})
    if second:
        assert answer["Location"].startswith("/desk/sign-in/code/"), (answer.status_code, answer["Location"])
        answer = client.post(answer["Location"], {"code": code_now()})
    assert answer.status_code == 302, answer.content.decode()


def signed_in(role: str, *, fresh: bool = True) -> Client:
    """A client with a session that began with a real sign-in.

    `fresh=False`: the second factor was given an hour ago.
    """
    client = Client(headers=HOST)
    client.cookies[settings.SESSION_COOKIE_NAME] = _sessions.get(role, "none")
    if "_auth_user_id" not in client.session:  # the first to ask, or a test signed out
        sign_in(client, role)
        _sessions[role] = client.cookies[settings.SESSION_COOKIE_NAME].value
    _redate(client.session, 0 if fresh else 3600)
    return client


def sign_in_page(page: Any, site: str, role: str, *, fresh: bool = True) -> None:
    """The same for a browser's page (Playwright) at the site's address."""
    key = signed_in(role, fresh=fresh).cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": site}])


def _redate(session: Any, ago: float) -> None:
    """A run of tests is longer than a second factor counts: give it the age that the test wants."""
    for record in session["account_authentication_methods"]:
        record["at"] = time.time() - ago
    session["desk_begun"] = session["desk_seen"] = time.time()
    session.save()
