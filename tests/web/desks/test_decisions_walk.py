"""In a browser: an officer grants a floor request, and publishes a list with a second officer in another browser.

axe-core looks at the pages in both colour schemes, wide and on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crosstable.office.ledger.models import FloorRequest
from crosstable.office.lists.models import PublishedList
from crosstable.office.people.models import Proposal
from tests.web import accounts
from tests.web.desks import stage
from tests.web.test_browser import AXE, PHONE, WIDE, chromium, no_sideways_scroll, opened

__all__ = ["chromium"]  # a fixture


def signed_in(browser: Any, site: str, role: str, *, fresh: bool = True, **options: Any) -> Any:
    page = opened(browser, site, **options)
    accounts.sign_in_page(page, site, role, fresh=fresh)
    return page


def looked_at(page: Any, addresses: Sequence[str], pictures: Path, name: str) -> None:
    """axe finds nothing, the page does not scroll sideways; a picture for people to look at."""
    for address in addresses:
        page.goto(address)
        page.evaluate(AXE)
        found = page.evaluate(
            "axe.run().then(result => result.violations.map(one => one.id + ' ' + one.nodes[0].html))"
        )
        assert found == [], (address, found)
        assert no_sideways_scroll(page), address
        page.screenshot(path=pictures / f"desk-{address.strip('/').replace('/', '-')[5:25]}-{name}.png", full_page=True)
    assert page.errors == []


def test_an_officer_grants_a_floor_and_two_publish_a_list(chromium: Any, desk_site: str, pictures: Path) -> None:
    number = stage.lost_match()
    stage.twins()
    olive = signed_in(chromium, desk_site, "officer", viewport=WIDE)
    olive.goto("/desk/")
    olive.get_by_role("navigation", name="Desk").get_by_role("link", name="Decisions").click()
    olive.get_by_role("link", name="Floor requests").click()
    olive.get_by_role("link", name="Decide the request of Ben Weaver").click()
    assert olive.get_by_role("row", name="Ben Weaver").get_by_text("1360").is_visible()
    olive.get_by_label("Your answer").fill("The doctor wrote. Get well soon.")
    olive.keyboard.press("Tab")
    olive.keyboard.press("Enter")  # the first button grants
    olive.get_by_text("The request of Ben Weaver is granted.").wait_for()
    assert FloorRequest.objects.get(id=number).status == FloorRequest.GRANTED

    olive.get_by_role("navigation", name="Desk").get_by_role("link", name="Publish").click()
    olive.get_by_role("button", name="Look").click()
    olive.get_by_role("heading", name="What the list would say").wait_for()
    olive.get_by_label("Reason").fill("the list of January")
    olive.get_by_role("button", name="Propose it").click()
    olive.get_by_text("Another officer than you decides.").wait_for()
    assert olive.get_by_role("button", name="Approve it").count() == 0

    oscar = signed_in(chromium, desk_site, "second officer", viewport=PHONE, fresh=False)
    oscar.goto("/desk/proposals/")
    oscar.get_by_role("link", name="Decide").click()
    oscar.get_by_role("button", name="Approve it").click()
    oscar.get_by_label("Six digits").fill(accounts.code_now())
    oscar.keyboard.press("Enter")
    oscar.get_by_text("Approved by oscar and carried out.").wait_for()
    assert PublishedList.objects.filter(date="2026-01-01", proposed_by="olive", approved_by="oscar").exists()

    done = Proposal.objects.get(subject="list:2026-01-01").pk
    pages = [
        "/desk/decisions/", "/desk/floors/", f"/desk/floors/{number}/", "/desk/prizes/", "/desk/adjustments/",
        "/desk/fide/", "/desk/cfc/", "/desk/players/?q=an", "/desk/players/add/", "/desk/players/import/",
        f"/desk/players/{stage.BEN}/", "/desk/merges/",
        f"/desk/merges/new/?duplicate={stage.TWIN}&into={stage.DOUBLE}", "/desk/lists/", "/desk/proposals/",
        f"/desk/proposals/{done}/", "/desk/log/", "/desk/log/chain/",
    ]  # fmt: skip
    looked_at(olive, pages, pictures, "wide")
    dark = signed_in(chromium, desk_site, "officer", viewport=PHONE, color_scheme="dark")
    looked_at(dark, pages, pictures, "phone-dark")
