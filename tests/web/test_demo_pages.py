"""The demo shows what the product does: every page, opened as each role, has something in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from pathlib import Path
from shutil import copyfile
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import connections
from django.test import Client, override_settings
from django.urls import resolve

from crosstable import office as the_office
from crosstable.club import children, evening
from crosstable.club import example as club_example
from crosstable.office.example import desks
from crosstable.office.people import users
from crosstable.office.queries import officer_queue
from crosstable.office.storage import clock
from tests.conftest import made_once
from tests.web import accounts
from tests.web.conftest import speaking_to
from tests.web.routes import table

#: A Wednesday: the office ends on the Sunday before
TODAY = date(2026, 3, 18)
NOON = datetime(2026, 3, 18, 12, tzinfo=UTC)
#: So many pages of each address are opened
EACH = 3
#: How a page says that it has nothing to show
EMPTY = re.compile(
    r"\b(?:No|Nothing|Nobody|None)\b[^.<]*\b(?:yet|waits?|at present|to read|to review|matching|like that|look like)\b"
)
#: Addresses to which a form leads, or a letter, or nothing but knowing them
WITHOUT_LINK = {
    "desk/me/",
    "desk/sign-up/",
    "search/",
    "desk/account/app/remove/",
    "desk/account/app/",
    "desk/account/confirm/",
    "desk/account/confirm/code/",
    "desk/account/confirm/passkey/",
    "desk/account/passkeys/<int:pk>/",
    "desk/account/tokens/<str:start>/",
    "desk/join/<str:secret>/",
    "desk/sign-in/",
    "desk/sign-in/code/",
    "desk/sign-in/help/",
    "desk/sign-in/passkey/",
    "desk/sign-in/reset/<str:secret>/",
    "desk/drafts/<int:number>/find/",
    "desk/players/<str:player>/unmerge/",
    "healthz",
    "lists/<str:day>/",
    "desk/account/role/",
    "desk/admin/backup/",
    "desk/review/<str:event>/restore/",
    "desk/review/<str:event>/withdraw/",
    "desk/drafts/<int:number>/mend/",
    "desk/sign-out/",
    "players/<str:player>/vs/<str:other>/",
    "report/sent/",
    "report/<int:number>/<str:secret>/",
}


class Links(HTMLParser):
    """The addresses that a page leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = {"a": "href", "img": "src"}.get(tag)
        self.found += [value for name, value in attrs if name == wanted and value]


@pytest.fixture(scope="module")
def demo(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The federation of the demo; made once for all workers."""

    def make(path: Path) -> None:
        copyfile(migrated, path)
        the_office.setup(f"sqlite:///{path}")
        desks.make(TODAY)
        accounts.prepare()
        connections.close_all()

    return f"sqlite:///{made_once(tmp_path_factory, 'demo.db', make)}"


@pytest.fixture
def federation(demo: str) -> Iterator[None]:
    with speaking_to(demo), clock.set_to(NOON):
        yield


@pytest.fixture
def club(migrated: Path, tmp_path: Path) -> Iterator[None]:
    path = tmp_path / "club.db"
    copyfile(migrated, path)
    with speaking_to(f"sqlite:///{path}"), clock.set_to(NOON):
        club_example.make(TODAY)
        club_example.hold_tonight()
        yield


def pages(client: Client, *first: str, below: str = "/") -> Mapping[str, list[tuple[str, str]]]:
    """Every page that a visitor comes to by links: pattern → (address, text), some of each."""
    seen: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    ahead, known = list(first), set(first)
    while ahead:
        address = ahead.pop(0)
        route = resolve(urlsplit(address).path).route
        if len(seen[route]) >= EACH:
            continue
        answer = client.get(address, follow=True)
        assert answer.status_code == 200, (address, answer.status_code)
        if "html" not in answer["Content-Type"]:
            seen[route].append((address, ""))
            continue
        text = answer.content.decode()
        seen[route].append((address, text))
        links = Links()
        links.feed(text)
        for link in links.found:
            there = urljoin(address, link).partition("#")[0]
            if there.startswith(below) and there not in known and not there.startswith(("/static/", "/api/")):
                known.add(there)
                ahead.append(there)
    return seen


def without_content(found: Mapping[str, list[tuple[str, str]]]) -> dict[str, str]:
    """The pages that say they have nothing to show, with the words. A page about one thing may be silent on one of its
    parts.
    """
    opened = {route: texts[0][1] for route, texts in found.items() if texts and "<" not in route}
    return {route: words[0] for route, text in opened.items() if (words := EMPTY.search(text))}


@pytest.mark.parametrize("role", accounts.ROLES)
@pytest.mark.usefixtures("federation")
def test_every_page_has_something_in_it(role: str) -> None:
    assert without_content(pages(accounts.signed_in(role), "/", "/desk/")) == {}


@pytest.mark.usefixtures("federation")
def test_links_lead_to_every_page() -> None:
    found = {route for role in accounts.ROLES for route in pages(accounts.signed_in(role), "/", "/desk/")}
    asked = {one.pattern for one in table() if "GET" in one.status and not one.pattern.startswith(("club/", "api/"))}
    assert asked - found - WITHOUT_LINK == set()


@pytest.mark.usefixtures("club")
def test_every_page_of_the_club_has_something_in_it() -> None:
    client = Client(headers=accounts.HOST)
    client.post("/club/enter/", {"pin": club_example.PIN, "name": "Ms Rivera"})
    found = pages(client, "/club/", below="/club/")
    assert without_content(found) == {}
    assert len(found) > 8
    tonight = evening.load(evening.tonight())
    assert tonight.night.date == TODAY
    assert (tonight.round, len(children.members())) == (2, 20)
    assert 0 < len(tonight.open) < len([board for board in tonight.boards if board.round == 2])


@pytest.mark.usefixtures("federation")
def test_what_waits_is_what_the_demo_promises() -> None:
    queue = officer_queue.queue(users.acting_as("olive"))
    kinds = [one.kind for one in queue.lines]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "event": 8,
        "correction": 2,
        "floor": 1,
        "proposal": 2,
        "request": 2,
    }


@pytest.mark.usefixtures("federation")
def test_the_second_step_shows_its_code_in_the_demo_alone() -> None:
    client = Client(headers=accounts.HOST)
    answer = client.post("/desk/sign-in/", {"login": "olive", "password": accounts.PASSWORD, "next": "/desk/"})
    assert "000123" not in client.get(answer["Location"]).content.decode()
    with override_settings(SECOND_STEP_HINT=lambda: "000123"):
        assert "000123" in client.get(answer["Location"]).content.decode()
