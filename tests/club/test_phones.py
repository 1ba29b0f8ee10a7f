"""Club nights from real phones: a whole night at 390 pixels, two phones at once, and one that loses contact."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Literal

import pytest
from django.db import connections
from playwright.sync_api import Browser, BrowserContext, expect

from crosstable.club import boards, clubs, results
from crosstable.club.models import Act, Board
from tests.club.browser import PHONE, Volunteer, command, phone, serving
from tests.club.conftest import Helper
from tests.web import axe

NAMES = "Ade, Ben, Cem, Dora, Eva, Finn, Gia, Hal, Ines, Jo, Kit, Leo, Mila, Nora, Omar, Priya, Rafi"


@pytest.fixture
def db(database: str) -> str:
    """A migrated file; this process lets go of it, so that a server may have it."""
    connections.close_all()
    return database


def ready(db: str, *names: str) -> None:
    """A club whose children are here and paired."""
    clubs.create("Riverside School", pin="1234")
    club = Helper()
    night = club.night(date.today(), *(player.name for player in club.join(*names)))
    boards.pair_free(club.actor, night)
    connections.close_all()


def ladder() -> dict[str, float]:
    found = Helper().ratings()
    connections.close_all()
    return found


def test_a_whole_night_at_390_pixels(chromium: Browser, db: str) -> None:
    made = json.loads(command("club", "new", "Riverside School", "--json", db=db))
    with serving(db) as address:
        anna = Volunteer(phone(chromium).new_page(), address)
        page = anna.page
        anna.enter(made["pin"], "Anna")
        page.get_by_label(re.compile("New here")).fill(NAMES)
        anna.tap("They are here")
        anna.tap("Pair round 1")
        expect(page.get_by_text("0 of 8 played")).to_be_visible()
        assert anna.taps == 3  # "Continue", "They are here", "Pair round 1"
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        for board in range(1, 9):
            anna.result(board, ("1-0", "0-1", "1/2-1/2")[board % 3])
        expect(page.get_by_text("8 of 8 played")).to_be_visible()
        assert re.search(r" beat .*, who had the same rating: 21\.", anna.said(2) + anna.said(1))
        anna.tap(re.compile("^Undo the result of board 8"))
        expect(page.get_by_text("7 of 8 played")).to_be_visible()
        anna.result(8, "1-0")
        expect(page.get_by_text("8 of 8 played")).to_be_visible()
        page.get_by_label(re.compile("New here")).fill("Sam Kowalski")  # a late arrival: eighteen, so nobody sits out
        anna.tap("They are here")
        anna.tap("Pair round 2")
        expect(page.get_by_text("0 of 9 played")).to_be_visible()
        for board in range(1, 10):
            anna.result(board, ("1-0", "0-1")[board % 2])
        expect(page.get_by_text("9 of 9 played")).to_be_visible()
        anna.tap("Pair round 3")
        for board in range(1, 10):
            anna.result(board, "1/2-1/2")
        expect(page.get_by_text("9 of 9 played")).to_be_visible()
        before = ladder()
        anna.tap("Mistakes", "link")
        page.locator("main .ticks a").first.click()
        page.locator("summary").first.click()
        page.get_by_label("Correct result").first.select_option("1/2-1/2")
        page.get_by_role("button", name="Correct for the record only").first.click()
        expect(page.get_by_text("corrected for the record; ratings as before")).to_be_visible()
        assert ladder() == before
        page.goto(f"{address}/club/poster/")
        expect(page.get_by_role("heading", name="Riverside School ladder")).to_be_visible()
        assert page.locator(".sheet").first.locator("tbody tr").count() == 18
        assert _pages(page.pdf(format="A4")) == _pages(page.pdf(format="Letter")) == 2
        assert page.content().count("Kowalski") == 0
        assert anna.errors == []


def _pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_by_keyboard_and_for_a_screen_reader(chromium: Browser, db: str) -> None:
    ready(db, "Leo", "Nora")
    with serving(db) as address:
        anna = Volunteer(phone(chromium).new_page(), address)
        anna.enter("1234")
        page = anna.page
        group = page.get_by_role("group", name=re.compile("Board 1: .* against .*"))
        expect(group).to_be_visible()
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.value") == "1-0":
                break
        winner = page.evaluate("document.activeElement.textContent").strip().removesuffix(" won")
        page.keyboard.press("Enter")
        expect(page.locator("#news")).to_have_text(re.compile(f"{winner} beat .*, who had the same rating: 21"))
        expect(page.get_by_role("button", name=f"{winner} won")).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("document.activeElement.value") == "1-0"  # the focus stays where it was
        small = page.eval_on_selector_all(
            "main button, main summary, main input:not([type=hidden]), main select, nav a",
            "all => all.filter(one => one.checkVisibility()).map(one => one.closest('label') || one)"
            ".filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)",
        )
        assert small == []


SIZES: tuple[tuple[int, Literal["light", "dark"]], ...] = ((390, "dark"), (1280, "light"))
PAGES = ("", "ladder/", "players/", "players/1/", "poster/", "settings/", "seasons/", "nights/", "nights/1/", "enter/")


def test_axe_finds_nothing(chromium: Browser, db: str) -> None:
    """WCAG 2.2 AA on every page of the club: on a phone in the dark, and on a laptop in the light."""
    ready(db, "Leo", "Nora", "Sam")
    results.enter(clubs.volunteer(), Board.objects.filter(number=1).get().id, "1-0")
    connections.close_all()
    with serving(db) as address:
        context = chromium.new_context(viewport=PHONE, bypass_csp=True)
        anna = Volunteer(context.new_page(), address)
        anna.enter("1234")
        for width, scheme in SIZES:
            anna.page.set_viewport_size({"width": width, "height": 844})
            anna.page.emulate_media(color_scheme=scheme)
            for name in PAGES:
                anna.page.goto(f"{address}/club/{name}")
                assert axe.violations(anna.page) == [], f"/club/{name} at {width}"
                assert anna.page.evaluate("document.documentElement.scrollWidth") <= width


@contextmanager
def anna_and_ben(chromium: Browser, db: str) -> Iterator[tuple[Volunteer, Volunteer, BrowserContext]]:
    """Two volunteers who have entered the PIN, and the phone of the second, which can lose contact."""
    with serving(db) as address:
        one, other = phone(chromium), phone(chromium)
        anna, ben = Volunteer(one.new_page(), address), Volunteer(other.new_page(), address)
        anna.enter("1234", "Anna")
        ben.enter("1234", "Ben")
        yield anna, ben, other


def test_two_phones_at_once_and_one_offline_for_a_round(chromium: Browser, db: str) -> None:
    command("club", "new", "Riverside School", "--pin", "1234", db=db)
    command("club", "join", *["Ade", "Ben", "Cem", "Dora", "Eva", "Finn", "Gia", "Hal"], db=db)
    command("club", "here", "all", db=db)
    command("club", "pair", db=db)
    with anna_and_ben(chromium, db) as (anna, ben, bens_phone):
        expect(ben.page.get_by_text("0 of 4 played")).to_be_visible()
        # the same board at once: taken once
        anna.result(1, "1-0")
        ben.result(1, "1-0")
        # Ben's phone loses contact; the round goes on at both
        bens_phone.set_offline(True)
        ben.result(2, "0-1")
        expect(ben.page.get_by_text(re.compile("kept on this phone"))).to_be_visible()
        ben.result(3, "1-0")
        ben.result(3, "1/2-1/2")  # a slip, mended before anybody saw it
        anna.result(4, "0-1")
        anna.result(2, "0-1")  # somebody told Anna too
        expect(anna.page.get_by_text("3 of 4 played")).to_be_visible()
        before = ladder()
        bens_phone.set_offline(False)
        expect(anna.page.get_by_text("4 of 4 played")).to_be_visible()
        expect(ben.page.get_by_text("4 of 4 played")).to_be_visible()
        expect(ben.page.locator("#kept")).to_be_hidden()
        after = ladder()
        assert sum(after.values()) == 8 * 400
        assert sorted(before.values()) == sorted(after.values())  # board 3 was a draw between equals
        assert sorted(after.values()) == [379] * 3 + [400] * 2 + [421] * 3
        assert Act.objects.filter(kind=Act.RESULT, undone=False).exclude(data__has_key="same").count() == 5
        assert anna.errors == ben.errors == []


def test_phones_that_disagree_are_told_and_nothing_is_lost(chromium: Browser, db: str) -> None:
    ready(db, "Leo", "Nora")
    with anna_and_ben(chromium, db) as (anna, ben, bens_phone):
        expect(ben.page.get_by_text("0 of 1 played")).to_be_visible()
        bens_phone.set_offline(True)
        ben.result(1, "1/2-1/2")
        anna.result(1, "1-0")
        expect(anna.page.get_by_text("1 of 1 played")).to_be_visible()
        bens_phone.set_offline(False)
        expect(anna.page.get_by_text(re.compile("Two phones disagree"))).to_be_visible()
        assert sorted(ladder().values()) == [379, 421]
        anna.result(1, "1/2-1/2")
        expect(anna.page.get_by_text(re.compile("Two phones disagree"))).to_have_count(0)
        assert sorted(ladder().values()) == [400, 400]


def test_a_phone_without_contact_loads_the_page_again_and_undoes(chromium: Browser, db: str) -> None:
    """The page is kept on the phone until it is locked; a tap that was not sent is taken back there."""
    ready(db, "Leo", "Nora")
    with anna_and_ben(chromium, db) as (_anna, ben, bens_phone):
        ben.page.goto(f"{ben.page.url.split('/club/')[0]}/club/")
        expect(ben.page.locator("html[data-kept]")).to_have_count(1)
        bens_phone.set_offline(True)
        # A page that is just being loaded may not know yet that it is offline.
        bens_phone.route("**/club/taps/", lambda route: route.abort())
        ben.result(1, "1-0")
        expect(ben.page.get_by_text(re.compile("kept on this phone"))).to_be_visible()
        ben.page.reload()
        expect(ben.page.get_by_text("0 of 1 played")).to_be_visible()
        chosen = ben.page.locator("form[data-tap] button[aria-pressed=true]")
        expect(chosen).to_have_count(1)
        ben.tap("Undo the result that was not sent")
        expect(chosen).to_have_count(0)
        bens_phone.unroute("**/club/taps/")
        bens_phone.set_offline(False)
        expect(ben.page.locator("#kept")).to_be_hidden()
        assert sorted(ladder().values()) == [400, 400]
        ben.page.get_by_role("button", name="Lock this phone").click()
        ben.page.wait_for_url("**/club/**")
        assert ben.page.evaluate("caches.has('crosstable-club')") is False
