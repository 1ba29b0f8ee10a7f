"""Signing in on both databases: session, second factor, wrong tries and the list of sessions are rows in them."""

from __future__ import annotations

import time

import pytest
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from axes.models import AccessAttempt
from django.core.cache import cache
from django.test import Client

from crosstable.office.ledger import office_settings
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role

PHRASE = "four knights on the rim"
KEY = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.mark.both_databases
def test_an_officer_signs_in_and_wrong_tries_count(office: str) -> None:
    office_settings.create("Ohio")
    olive = users.add_user(Actor.installation(), "olive", Role.OFFICER, PHRASE)
    TOTP.activate(olive, KEY)
    cache.clear()
    client = Client(headers={"host": "localhost", "x-forwarded-for": "no address at all"}, REMOTE_ADDR="2001:db8::7")
    assert client.post("/desk/sign-in/", {"login": "olive", "password": "a wrong guess"}).status_code == 200
    assert AccessAttempt.objects.get().ip_address == "2001:db8::"  # the network, of which a home has all addresses
    assert client.post("/desk/sign-in/", {"login": "olive", "password": PHRASE}).status_code == 302
    assert "3 tries are left" in client.post("/desk/sign-in/code/", {"code": "000000"}).content.decode()
    code = format_hotp_value(hotp_value(KEY, int(time.time()) // 30))
    assert client.post("/desk/sign-in/code/", {"code": code}).status_code == 302
    assert not AccessAttempt.objects.exists()
    assert client.get("/desk/account/").status_code == 200
    assert "2001:db8::7" in client.get("/desk/account/sessions/").content.decode()
    unknown = Client(headers={"host": "localhost"}, REMOTE_ADDR="")  # a server behind a socket
    assert unknown.post("/desk/sign-in/", {"login": "olive", "password": PHRASE}).status_code == 302
    for _ in range(5):
        last = unknown.post("/desk/sign-in/code/", {"code": "000000"})
    assert last.status_code == 429
