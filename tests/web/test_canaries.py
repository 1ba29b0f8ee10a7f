"""No surface tells a private value: an office with unmistakable ones, crawled by every role, and two offices compared.

The crawler reads every route of the table and the links on its pages. Log lines and mail of the crawl are read, too.
"""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from axes.utils import reset
from django.contrib.auth.models import User
from django.core import mail
from django.db import connections
from django.test import Client, override_settings

from crosstable import office as the_office
from crosstable.office.jobs.models import Job
from crosstable.office.ledger import names
from crosstable.office.ledger.models import Player
from crosstable.office.storage import clock
from tests.web import accounts
from tests.web.crawling import crawled, posted
from tests.web.test_privacy import forms

ROLES = ("anonymous", "player", "director", "token", "officer", "admin")
#: The roles that may know another person's birth date, withheld name and e-mail address
OFFICE = ("officer", "admin")
BORN, REGISTERED = date(2013, 7, 23), "49999999"
NAME = "Qxanary Vwithheld"
LINKS = 40
#: Shows a random key, and a picture of it, each time
NEW_KEY = "/desk/account/app/"
#: What a page has anew each time
RANDOM = re.compile(
    r'(?<=csrfmiddlewaretoken" value=")[^"]+|(?<=nonce=")[^"]+|(?<=nonce-)[^\']+|(?<=\d:)[0-9a-f]{8}(?=</span>)'
    r"|(?m:^(?:Server-Timing|X-Request-ID|Set-Cookie|Expires|Date): .*$)"
    r"|challenge[^,}]+"
)


@pytest.fixture
def copy(example: str, secret: str, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Make a copy of the example under a name, and speak to it."""

    def make(name: str) -> str:
        the_office.setup(example)
        connections.close_all()
        file = tmp_path / f"{name}.db"
        shutil.copyfile(example.removeprefix("sqlite:///"), file)
        the_office.setup(f"sqlite:///{file}")
        reset()
        return f"sqlite:///{file}"

    with override_settings(API_LIMITS={}), clock.set_to(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        yield make
    connections.close_all()


def plant(sample: Mapping[str, str], *, name: str = NAME, born: date = BORN, mark: str = "qxanary") -> None:
    """Give a player a withheld name, a registered one a birth date, and every user an address."""
    row = Player.objects.get(number=sample["other"])
    row.name, row.withheld = name, True
    row.save()
    names.change(row.id, name)
    Player.objects.create(number=REGISTERED, name="Rena Registered", birth_date=born, sex="F")
    for user in User.objects.all():
        user.email = f"{mark}-{user.username}@private.example"
        user.save()


def client_of(role: str, secret: str) -> Client:
    if role == "anonymous":
        return Client(headers=accounts.HOST)
    if role == "token":
        return Client(headers={**accounts.HOST, "authorization": f"Bearer {secret}"})
    return accounts.signed_in(role)


def markers(role: str) -> dict[str, re.Pattern[str]]:
    """What this role may read nowhere."""
    always = {"password hash": re.compile("argon2"), "key of a second factor": re.compile(accounts.SECRET)}
    if role in OFFICE:
        return always
    own = accounts.ROLES.get(role, "dora" if role == "token" else "-")
    return {
        **always,
        "birth date": re.compile("|".join(re.escape(one) for one in forms(BORN))),
        "withheld name": re.compile("Qxanary|Vwithheld"),
        "e-mail address": re.compile(f"qxanary-(?!{own}@)"),
    }


@pytest.mark.parametrize("role", ROLES)
def test_no_role_finds_a_canary_where_it_does_not_belong(
    role: str, sample: Mapping[str, str], secret: str, copy: Callable[[str], str], caplog: pytest.LogCaptureFixture
) -> None:
    copy("canaries")
    plant(sample)
    client, unwanted, count = client_of(role, secret), markers(role), 0
    client.raise_request_exception = False
    with caplog.at_level(logging.DEBUG, "crosstable"), caplog.at_level(logging.INFO, "django"):
        for address, text in crawled(client, sample, LINKS):
            count += 1
            without_hashes = re.sub(r"[0-9a-f]{32,}", "", text)
            assert not [what for what, form in unwanted.items() if form.search(without_hashes)], (address, text[:200])
            assert not text.startswith("500"), address
        for address, text in posted(client, sample):
            assert not [what for what, form in unwanted.items() if form.search(text)], (address, text[:200])
            assert not text.startswith("500"), address
    assert count > 100
    sent = "".join(f"{one.subject}{one.body}" for one in getattr(mail, "outbox", ()))
    written = caplog.text + sent + repr(list(Job.objects.values_list("title", "arguments", "result", "error")))
    assert not [what for what, form in markers("anonymous").items() if form.search(written)]


@pytest.mark.parametrize("role", [one for one in ROLES if one not in OFFICE])
def test_two_offices_that_differ_in_a_private_value_answer_alike(
    role: str, sample: Mapping[str, str], secret: str, copy: Callable[[str], str]
) -> None:
    """A withheld name with the same initials, a birth date and all other people's e-mail addresses; bytes compared."""
    found = []
    for which in ("one", "other"):
        copy(which)
        if which == "one":
            plant(sample)
        else:
            plant(sample, name="Quill Varnish", born=date(2004, 11, 2), mark="other")
        own = accounts.ROLES.get(role, "")
        User.objects.filter(username=own).update(email="own@private.example")
        client = client_of(role, secret)
        pages = dict(crawled(client, sample, LINKS // 2))
        for address in searches():
            answer = client.get(address)
            pages[address] = f"{answer.status_code}\n{answer.content.decode()}"
        found.append({address: RANDOM.sub("", text) for address, text in pages.items() if address != NEW_KEY})
    assert found[0].keys() == found[1].keys()
    differ = [address for address in found[0] if found[0][address] != found[1][address]]
    assert differ == [], (differ, first_difference(found[0][differ[0]], found[1][differ[0]]))


def first_difference(one: str, other: str) -> str:
    place = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(0, place - 150) : place + 100]!r} and {other[max(0, place - 50) : place + 100]!r}"


def searches() -> Iterator[str]:
    """Searches, sorts and filters by what is private."""
    for word in (
        "2013",
        "2013-07-23",
        "2004-11-02",
        "Qxanary",
        "Varnish",
        "qxanary-pia",
        "Registered",
        REGISTERED,
        "F",
    ):
        yield f"/players/?q={word}"
        yield f"/api/v1/players?q={word}"
    for order in ("birth_date", "born", "age", "name", "sex", "-birth_date"):
        yield f"/players/?q=R&sort={order}"
        yield f"/api/v1/players?q=R&sort={order}&order={order}"
    for part in ("birth_date=2013-07-23", "birth_year=2013", "born=2013", "age=12", "sex=F", "under=13"):
        yield f"/api/v1/players?q=R&{part}"
        yield f"/players/?q=R&{part}"
