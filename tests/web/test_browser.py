"""A real browser walks the site: a newcomer, a parent on a phone, somebody with the keyboard alone, and without
JavaScript.

axe-core looks at every page in both colour schemes and at both sizes. With CROSSTABLE_PICTURES=1 (`make nightly`) it
looks at every combination, and pictures of every page go into tests/web/pictures/, with a contact sheet.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Count

from crosstable.office.ledger.models import RatingRow
from crosstable.office.queries import derivation as reading
from tests.web import axe
from tests.web.test_pages import PAGES

#: Every page, what a search finds and does not find, the API's own page, and an address without a page
SHOWN = [*PAGES, "/players/?q=zzyzx", "/players/?q={player},{other},99999999", "/api/v1/docs", "/nothing/here/"]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def site(example: str) -> Iterator[str]:
    """The example, served by waitress in this process."""
    import waitress

    from crosstable import office

    office.setup(example)
    from crosstable.web.wsgi import application

    server = waitress.create_server(application, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()


@pytest.fixture
def story(office: str) -> Mapping[str, str]:
    """Somebody whose last event earned a bonus and offers a what-if: the newcomer's story."""
    rows = RatingRow.objects.filter(pool="OTBR", initialized=False, games__gte=4).select_related(
        "section__event", "player"
    )
    for row in rows.order_by("-position", "number"):
        if row.prior is None or row.post - row.prior < 30:
            continue
        last = RatingRow.objects.filter(player=row.player, pool="OTBR").order_by("-position")[0]
        page = reading.derivation(row.section.event.number, row.section.number, row.number, "OTBR")
        if last.id == row.id and page.what_if.offered and page.sums and page.sums[2]:
            return {
                "name": row.player.name,
                "number": row.player.number,
                "after": f"{page.numbers.after:.0f}",
                "event": row.section.event.name,
            }
    pytest.fail("nobody in the example has a bonus in the last event")


def opened(chromium: Any, site: str, **options: Any) -> Any:
    """A page whose errors fail the test."""
    page = chromium.new_context(base_url=site, **options).new_page()
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    return page


def walk(page: Any, story: Mapping[str, str]) -> None:
    """Half a name → the player → the last event's new rating → the bonus and its rule."""
    page.goto("/")
    page.locator("#q").fill(story["name"].split()[-1][:4] + " " + story["name"][:2])
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name=story["name"], exact=True).first.click()
    page.wait_for_url(f"**/players/{story['number']}/")
    page.get_by_role("link", name=story["after"], exact=True).first.click()
    page.wait_for_url("**/OTBR/")
    assert "and a bonus of" in page.locator(".lead").inner_text()


def no_sideways_scroll(page: Any) -> bool:
    page.wait_for_load_state()  # a page just committed has no document element yet
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_a_newcomer_finds_out_why_and_plays_with_the_what_if(
    chromium: Any, site: str, story: Mapping[str, str]
) -> None:
    page = opened(chromium, site, viewport=WIDE)
    walk(page, story)
    stands = page.locator("output.figure").inner_text()
    page.locator(".ask .pick label:has(input:not(:checked))").last.click()
    page.locator(".ask .tag").first.wait_for()
    assert re.search(r"[?&]r\d+=", page.url)
    assert page.locator("output.figure").inner_text() != stands
    page.get_by_role("link", name="Bonus multiplier").click()
    page.wait_for_url("**/rules/bonus/")
    assert "values since 2001" in page.inner_text("main")
    assert page.errors == []


def test_search_answers_while_somebody_types(chromium: Any, site: str, story: Mapping[str, str]) -> None:
    page = opened(chromium, site, viewport=WIDE)
    page.goto("/players/")
    page.get_by_role("searchbox").press_sequentially(story["name"].split()[-1], delay=20)
    page.get_by_role("link", name=story["name"], exact=True).first.wait_for()
    assert "q=" in page.url
    assert page.errors == []


def test_a_parent_does_it_on_a_phone(chromium: Any, site: str, story: Mapping[str, str]) -> None:
    page = opened(chromium, site, viewport=PHONE, has_touch=True, is_mobile=True)
    walk(page, story)
    assert no_sideways_scroll(page)
    page.get_by_role("link", name="Back to the crosstable").click()
    page.locator(".rd > a").first.wait_for()
    assert no_sideways_scroll(page)
    box = page.locator(".rd > a").first.bounding_box()
    assert box["height"] >= 44
    assert page.errors == []


def test_the_keyboard_alone_is_enough(chromium: Any, site: str, story: Mapping[str, str]) -> None:
    page = opened(chromium, site, viewport=WIDE)
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type(story["number"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/?q=*")
    _tab_to(page, story["name"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/players/{story['number']}/")
    _tab_to(page, story["after"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/OTBR/")
    _tab_to(page, "Show the sum")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def _tab_to(page: Any, text: str) -> None:
    for _ in range(200):
        page.keyboard.press("Tab")
        if (page.evaluate("document.activeElement.textContent") or "").strip().startswith(text):
            return
    pytest.fail(f"no way to {text!r} by keyboard")


def test_without_javascript_everything_is_there(chromium: Any, site: str, story: Mapping[str, str]) -> None:
    page = opened(chromium, site, viewport=WIDE, java_script_enabled=False)
    walk(page, story)
    page.locator(".ask .pick label:has(input:not(:checked))").last.click()
    page.get_by_role("button", name="Rate again").click()
    assert re.search(r"[?&]r\d+=", page.url)
    assert "compared with the" in page.locator(".whatif").inner_text()
    most = (
        RatingRow.objects.filter(pool="OTBR").values("player__number").annotate(rows=Count("id")).order_by("-rows")[0]
    )
    page.goto(f"/players/{most['player__number']}/")
    assert page.locator("figure.chart svg.broad").is_visible()


#: Every size and every colour scheme
LOOKS = {"wide-light": (WIDE, "light"), "phone-dark": (PHONE, "dark")}
ALL_LOOKS = {**LOOKS, "wide-dark": (WIDE, "dark"), "phone-light": (PHONE, "light")}


@pytest.mark.parametrize("look", ALL_LOOKS if axe.PICTURES else LOOKS)
def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(
    chromium: Any, site: str, sample: Mapping[str, str], pictures: Path, look: str
) -> None:
    size, scheme = ALL_LOOKS[look]
    page = opened(chromium, site, viewport=size, color_scheme=scheme, bypass_csp=True)
    found = []
    for address in SHOWN:
        page.goto(address.format(**sample))
        assert no_sideways_scroll(page), address
        picture = re.sub(r"[^a-z0-9]+", "-", address.lower())[:60].strip("-") or "home"
        axe.take_picture(page, pictures / f"{picture}-{look}.png")
        found += [(address, *one) for one in axe.violations(page, ("serious", "critical"))]
    assert found == []


def test_the_contact_sheet(pictures: Path) -> None:
    """All pictures on one page, to be looked at beside the drawings."""
    shots = sorted(pictures.glob("*.png"))
    if not shots:
        pytest.skip("no pictures: CROSSTABLE_PICTURES=1 makes them")
    cells = "".join(
        f'<figure><img loading="lazy" width="320" src="{shot.name}"><figcaption>{shot.stem}</figcaption></figure>'
        for shot in shots
    )
    style = "body{display:flex;flex-wrap:wrap;gap:1rem;font:13px sans-serif}figure{margin:0}img{border:1px solid #999}"
    (pictures / "contact-sheet.html").write_text(
        f"<!doctype html><title>Every page</title><style>{style}</style>{cells}"
    )


@pytest.mark.parametrize("width", [320, 768])
def test_no_public_page_scrolls_sideways(chromium: Any, site: str, sample: Mapping[str, str], width: int) -> None:
    page = opened(chromium, site, viewport={"width": width, "height": 700})
    addresses = [*SHOWN, "/club/new/", "/desk/sign-up/", "/claim/?player={player}"]
    addresses.append("/report/?event={event}&section={section}")
    wide = []
    for address in addresses:
        page.goto(address.format(**sample))
        if not no_sideways_scroll(page):
            wide.append(address)
    assert wide == []
