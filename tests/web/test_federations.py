"""Offices of other federations feel at home: no page speaks of US Chess, and every page that is linked opens."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import connections
from django.test import Client

from crosstable import federations
from crosstable import office as the_office
from crosstable.office.example.federation import make
from crosstable.office.ledger.models import Player
from crosstable.office.people import settings
from crosstable.office.rating import states
from crosstable.web import static_files
from tests.conftest import made_once
from tests.web import accounts
from tests.web.conftest import speaking_to

TODAY = date(2026, 3, 18)
OTHERS = [name for name in federations.NAMES if name != federations.DEFAULT]
#: What only a US Chess office says
FOREIGN = re.compile(r"US Chess|\bfloors?\b|\b26 games\b|OTB[RQB]|\bOL[RQB]\b|\bprovisional\b", re.IGNORECASE)
#: And on the desks
DESKS = re.compile(rf"{FOREIGN.pattern}|\bCFC\b|\bmemberships?\b|\blife masters?\b|\bresident\b", re.IGNORECASE)
#: So many pages of one shape of address are opened: of three events, of three players
EACH = 3
#: What tells an event, a day or a player from another of its kind: IDs of new events have letters too
ONE = re.compile(r"[^/]*\d[^/]*")


class Reader(HTMLParser):
    """The links and the words of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module", params=OTHERS)
def url(request: pytest.FixtureRequest, migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    name: str = request.param

    def fill(path: Path) -> None:
        shutil.copyfile(migrated, path)
        the_office.setup(f"sqlite:///{path}")
        make(federations.federation(name), TODAY)
        accounts.prepare()
        connections.close_all()

    static_files.collect()
    return f"sqlite:///{made_once(tmp_path_factory, f'{name}.db', fill)}"


@pytest.fixture
def other(url: str) -> Iterator[str]:
    with speaking_to(url):
        yield url


def pages(client: Client, begin: str = "/", each: int = EACH) -> Iterator[tuple[str, str]]:
    """Every page that can be come to, or every desk: its address and its words; of like addresses the first few."""
    waiting, seen, shapes = [begin], set[str](), dict[str, int]()
    while waiting:
        address = waiting.pop(0)
        answer = client.get(address)
        assert answer.status_code in (200, 302), f"{address}: {answer.status_code}"
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        reader = Reader()
        reader.feed(answer.content.decode())
        yield address, " ".join(reader.words)
        for link in reader.links:
            found = urljoin(address, link).partition("#")[0]
            path = urlsplit(found)
            shape = ONE.sub("0", path.path) + "?" * bool(path.query)
            here = path.path.startswith("/desk/") == begin.startswith("/desk/")
            local = here and not path.netloc and not path.path.startswith(("/static/", "/api/"))
            if local and found not in seen and shapes.get(shape, 0) < each:
                seen.add(found)
                shapes[shape] = shapes.get(shape, 0) + 1
                waiting.append(found)


def test_no_page_speaks_of_another_federation(other: str) -> None:
    found = [
        f"{address}: …{words[max(0, hit.start() - 40) : hit.end() + 30]}…"
        for address, words in pages(Client(SERVER_NAME="localhost"))
        for hit in FOREIGN.finditer(words)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("role", ["officer", "director"])
def test_no_desk_speaks_of_another_federation(other: str, role: str) -> None:
    found = [
        f"{address}: …{words[max(0, hit.start() - 40) : hit.end() + 30]}…"
        for address, words in pages(accounts.signed_in(role), "/desk/", each=2)
        for hit in DESKS.finditer(words)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("address", ["floors/", "floors/1/", "prizes/", "fide/", "cfc/"])
def test_a_desk_of_foreign_rules_is_refused_with_a_page(other: str, address: str) -> None:
    """Floors, prizes and conversions are decided by the US Chess rules alone: a typed address says so."""
    answer = accounts.signed_in("officer").get(f"/desk/{address}")
    assert answer.status_code == 404
    text = answer.content.decode()
    assert "Not in the rules of this office" in text
    assert not DESKS.search(re.sub(r"<[^>]*>", " ", text))


def test_a_request_by_foreign_rules_is_refused_with_a_page(other: str) -> None:
    answer = accounts.signed_in("player").post("/desk/mine/floor/", {"floor": "1"})
    assert answer.status_code == 404
    assert "Not in the rules of this office" in answer.content.decode()


@pytest.mark.parametrize("url", ["fide_country"], indirect=True)
def test_the_country_of_the_demo_has_no_rating_below_the_lowest(other: str) -> None:
    """B.02 7.2.1, since March 2024: below 1400 a player is unrated."""
    held = [one for own in states.now().values() for one in own.values()]
    assert len(held) > 40
    assert min(one.rating for one in held) >= 1400


def test_a_chart_shows_how_sure_a_rating_is(other: str) -> None:
    """The band of the deviation, and numbers as the federation prints them, where it shows deviations."""
    client = Client(SERVER_NAME="localhost")
    (number,) = Player.objects.order_by("number").values_list("number", flat=True)[:1]
    text = client.get(f"/players/{number}/").content.decode()
    works_for = settings.current_federation()
    assert ('class="washed"' in text) == works_for.shows.deviation
    if works_for.shows.rank:
        assert re.search(r"<strong>\s*\d+[dk] ± \d\.\d\d\s*</strong>", text)
        assert re.search(r"Live −?\d+\.\d\d<", text)
