"""The search of every page: suggestions of players and events while one types, and an event's name leads to it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.test import Client

from crosstable.office.ledger.models import Event, Player
from crosstable.office.queries import suggestions
from tests.web import accounts, axe

TYPING = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def site(example: str) -> Iterator[str]:
    import waitress

    from crosstable import office

    office.setup(example)
    from crosstable.web.wsgi import application

    server = waitress.create_server(application, host="127.0.0.1", port=0, threads=4)
    threading.Thread(target=server.run, daemon=True).start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()


def suggested(visitor: Client, query: str) -> str:
    return visitor.get("/search/", {"q": query}, headers=TYPING).content.decode()


def test_players_and_events_are_suggested_together(visitor: Client, sample: Mapping[str, str]) -> None:
    event = Event.objects.get(number=sample["event"])
    player = Player.objects.get(number=sample["player"])
    assert f'href="/events/{event.number}/"' in suggested(visitor, event.name)
    assert f'href="/players/{player.number}/"' in suggested(visitor, player.name)
    both = event.name.split()[0][:4]
    found = suggestions.suggest(both)
    assert len(found.players) <= suggestions.PLAYERS
    assert 1 <= len(found.events) <= suggestions.EVENTS
    assert f"/players/?q={both}" in suggested(visitor, both)


def test_typed_text_is_not_markup(visitor: Client) -> None:
    assert "<script>" not in suggested(visitor, "<script>alert(1)</script>")


def test_the_name_or_number_of_an_event_leads_to_it(visitor: Client) -> None:
    names = list(Event.objects.filter(status=Event.ACCEPTED).values_list("name", flat=True))
    one = Event.objects.filter(status=Event.ACCEPTED, name__in=[name for name in names if names.count(name) == 1])[0]
    for query in (one.name, one.name.upper(), one.number):
        assert visitor.get("/search/", {"q": query})["Location"] == f"/events/{one.number}/", query


def test_anything_else_leads_to_the_players(visitor: Client) -> None:
    assert visitor.get("/search/", {"q": "da"})["Location"] == "/players/?q=da"
    assert visitor.get("/search/", {"q": "31000001, 31000002"})["Location"] == "/players/?q=31000001%2C+31000002"
    assert visitor.get("/search/")["Location"] == "/players/?q="


def test_only_rated_events_are_suggested(visitor: Client, sample: Mapping[str, str]) -> None:
    rows = Event.objects.filter(number=sample["event"])
    name = rows[0].name
    rows.update(status=Event.SUBMITTED)
    try:
        assert sample["event"] not in suggested(visitor, name)
        assert suggestions.event_called(sample["event"]) == ""
    finally:
        rows.update(status=Event.ACCEPTED)


def test_the_persons_part_of_the_header_is_asked_for_apart(visitor: Client, sample: Mapping[str, str]) -> None:
    page = f"/players/{sample['player']}/"
    dora = accounts.signed_in("director")
    assert dora.get(page).content == visitor.get(page).content  # so that any cache may keep it
    mine = dora.get("/desk/me/")
    assert mine["Cache-Control"] == "private, no-store"
    assert "dora" in mine.content.decode()
    assert 'href="/desk/"' in mine.content.decode()
    assert (visitor.get("/desk/me/").status_code, visitor.get("/desk/me/").content) == (204, b"")


def test_the_hint_says_only_that_someone_has_signed_in() -> None:
    client = accounts.signed_in("director")
    answer = client.get("/desk/")
    assert (answer.cookies["desk"].value, answer.cookies["desk"]["httponly"]) == ("1", "")
    stranger = Client(headers=accounts.HOST)
    stranger.cookies["desk"] = "1"
    assert stranger.get("/desk/me/").cookies["desk"]["max-age"] == 0


def test_suggestions_by_keyboard_and_for_screen_readers(
    chromium: Any, site: str, office: str, sample: Mapping[str, str]
) -> None:
    name = Event.objects.get(number=sample["event"]).name
    page = chromium.new_context(base_url=site, viewport={"width": 1280, "height": 900}).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto("/lists/")
    box = page.get_by_role("combobox")
    assert box.get_attribute("aria-expanded") == "false"
    box.press_sequentially(name[:8], delay=10)
    page.get_by_role("option").first.wait_for()
    assert box.get_attribute("aria-expanded") == "true"
    assert axe.violations(page) == []
    box.press("ArrowUp")  # the last: all results
    box.press("ArrowDown")
    first = page.locator("[role=option]").first
    assert first.get_attribute("aria-selected") == "true"
    assert box.get_attribute("aria-activedescendant") == first.get_attribute("id")
    box.press("Escape")
    assert page.get_by_role("listbox").count() == 0
    assert box.input_value() == name[:8]
    box.press("ArrowDown")
    page.get_by_role("option").first.wait_for()
    box.press("ArrowDown")
    target = page.locator("[role=option][aria-selected=true]").get_attribute("href")
    box.press("Enter")
    page.wait_for_url(f"**{target}")
    assert errors == []


@pytest.mark.parametrize("width", [320, 390])
def test_suggestions_fit_a_phone(chromium: Any, site: str, office: str, width: int) -> None:
    page = chromium.new_context(base_url=site, viewport={"width": width, "height": 700}).new_page()
    page.goto("/lists/")
    page.get_by_role("combobox").press_sequentially("ma", delay=10)
    page.get_by_role("option").first.wait_for()
    box = page.get_by_role("listbox").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_public_page_shows_who_has_signed_in(chromium: Any, site: str, office: str) -> None:
    page = chromium.new_context(base_url=site).new_page()
    accounts.sign_in_page(page, site, "director")
    page.goto("/")
    assert page.get_by_role("link", name="Sign in").count() == 1  # no hint yet: the desk was not opened
    page.goto("/desk/")
    page.goto("/lists/")
    page.get_by_role("link", name=re.compile("^Desk")).wait_for()
    assert page.get_by_role("link", name="dora").count() == 1
    assert page.get_by_role("link", name="Sign in").count() == 0
