"""The Atom feeds: valid, kept by the ledger's head, linked, and silent about players."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

import pytest
from django.test import Client, override_settings
from lxml import etree

from crosstable.office.ledger.models import Event, Player, RatingRow, Revision
from crosstable.office.lists.models import PublishedList
from tests.web.routes.feeds import ROUTES
from tests.web.test_privacy import canary, forms  # noqa: F401  a fixture

ATOM = "{http://www.w3.org/2005/Atom}"
FEEDS = [route.address for route in ROUTES]


def read(visitor: Client, address: str) -> etree._Element:
    answer = visitor.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return etree.fromstring(answer.content)


def texts(one: etree._Element, name: str) -> list[str]:
    return [found.text or "" for found in one.findall(f"{ATOM}{name}")]


@pytest.mark.parametrize("address", FEEDS)
def test_a_feed_has_what_atom_wants(address: str, visitor: Client) -> None:
    """RFC 4287: one id, title and updated for the feed and each entry, an author, and a link to itself."""
    feed = read(visitor, address)
    entries = feed.findall(f"{ATOM}entry")
    assert feed.tag == f"{ATOM}feed"
    assert entries
    for one in (feed, *entries):
        for name in ("id", "title", "updated"):
            assert len(texts(one, name)) == 1, name
        assert datetime.fromisoformat(texts(one, "updated")[0]).tzinfo is not None
        assert texts(one, "id")[0].startswith("http://")
    assert [one.findtext(f"{ATOM}name") for one in feed.findall(f"{ATOM}author")]
    links = {one.get("rel"): one.get("href") for one in feed.findall(f"{ATOM}link")}
    assert links["self"] == f"http://localhost{address}"
    ids = [texts(one, "id")[0] for one in entries]
    assert len(set(ids)) == len(ids)
    moments = [texts(one, "updated")[0] for one in entries]
    assert moments == sorted(moments, reverse=True)
    assert texts(feed, "updated")[0] == moments[0]


def test_rated_and_corrected_events_are_in_the_feed(visitor: Client, sample: Mapping[str, str]) -> None:
    entries = read(visitor, "/feeds/events/").findall(f"{ATOM}entry")
    assert len(entries) == 40
    by_address = {texts(one, "id")[0]: one for one in entries}
    corrected = by_address[f"http://localhost/events/{sample['corrected']}/"]
    assert texts(corrected, "title") == [Event.objects.get(number=sample["corrected"]).name]
    assert texts(corrected, "summary")[0].startswith("Corrected: ")
    shown = {address.rstrip("/").rsplit("/", 1)[1] for address in by_address}
    assert not Event.objects.filter(number__in=shown).exclude(status=Event.ACCEPTED).exists()
    for address in list(by_address)[:3]:
        assert visitor.get(address.removeprefix("http://localhost")).status_code == 200


def test_every_list_is_in_its_feed(visitor: Client) -> None:
    entries = read(visitor, "/feeds/lists/").findall(f"{ATOM}entry")
    dates = [str(one) for one in PublishedList.objects.order_by("-date").values_list("date", flat=True)]
    assert [texts(one, "id")[0] for one in entries] == [f"http://localhost/lists/{one}/" for one in dates]


@pytest.mark.parametrize("address", FEEDS)
def test_an_unchanged_feed_is_not_sent_again(address: str, visitor: Client) -> None:
    first = visitor.get(address)
    again = visitor.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "max-age=0" in first["Cache-Control"]


def test_pages_link_to_the_feeds(visitor: Client) -> None:
    head = visitor.get("/").content.decode().partition("</head>")[0]
    assert re.findall(r'type="application/atom\+xml" title="[^"]+" href="([^"]+)"', head) == FEEDS


def test_addresses_are_the_offices_own_where_it_has_one(visitor: Client) -> None:
    with override_settings(OFFICE_ADDRESS="https://ratings.example/"):
        page = visitor.get("/feeds/lists/?fresh=1").content.decode()
    assert "https://ratings.example/lists/" in page
    assert "localhost/lists/" not in page


@pytest.mark.parametrize("address", FEEDS)
def test_a_feed_names_nobody_and_no_birth_date(
    address: str,
    visitor: Client,
    canary: object,  # noqa: F811  fixture
) -> None:
    page = visitor.get(address).content.decode()
    assert not [form for form in forms(canary) if form in page]
    assert not [name for name in Player.objects.values_list("name", flat=True) if name and name in page]


def test_a_player_and_an_event_are_followed_by_feed(visitor: Client, sample: Mapping[str, str]) -> None:
    """Each rated event of the player once, with no name; each revision of the event."""
    page = f"/feeds/players/{sample['player']}/"
    assert f'href="{page}"' in visitor.get(f"/players/{sample['player']}/").content.decode()
    player = Player.objects.get(number=sample["player"])
    wanted = set(RatingRow.objects.filter(player=player).values_list("section__event__number", flat=True))
    ids = [texts(one, "id")[0] for one in read(visitor, page).findall(f"{ATOM}entry")]
    assert sorted(ids) == sorted(f"http://localhost/events/{number}/" for number in wanted)
    assert player.name not in visitor.get(page).content.decode()
    page = f"/feeds/events/{sample['corrected']}/"
    assert f'href="{page}"' in visitor.get(f"/events/{sample['corrected']}/").content.decode()
    entries = read(visitor, page).findall(f"{ATOM}entry")
    count = Revision.objects.filter(event__number=sample["corrected"]).count()
    assert len(entries) == count > 1
    assert texts(entries[0], "summary") == ["Corrected."]
    assert visitor.get("/feeds/players/nobody/").status_code == 404
    assert visitor.get("/feeds/events/nothing/").status_code == 404
