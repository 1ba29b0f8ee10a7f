"""In two browsers: an officer's evening, wide and on a phone.

Two of three sections are accepted, a correction of two years ago is looked at and applied, a floor is granted, and a
list is published with a second officer. axe-core looks at every page: in the light scheme where it is wide, in the dark
one on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from crosstable.office.ledger.models import FloorRequest, Revision, Section
from crosstable.office.lists.models import PublishedList
from crosstable.office.people.users import acting_as
from crosstable.office.requests import corrections
from crosstable.office.requests.models import Proposal
from tests.web import accounts
from tests.web.desks import stage
from tests.web.desks.test_mine_browser import looked_at
from tests.web.desks.test_officer import corrected
from tests.web.test_browser import PHONE, WIDE, opened


def signed_in(browser: Any, site: str, role: str, size: Mapping[str, int], *, fresh: bool = True) -> Any:
    page = opened(browser, site, viewport=size)
    accounts.sign_in_page(page, site, role, fresh=fresh)
    return page


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_an_officers_evening(chromium: Any, desk_site: str, pictures: Path, size: Mapping[str, int]) -> None:
    old = stage.old_event()
    number = stage.send_crosstables("Winter Open", "2025-12-20", stage.SECTIONS, slip="Reserve")
    for place, name in enumerate(("Erie Quick", "Muncie Quick"), 1):
        stage.send_crosstables(name, f"2025-12-1{place}", {"Open": "quick"})
    corrections.ask(acting_as("dora"), old, corrected(old)[0], "slips.json", "Both results slips are attached.")
    floor = stage.lost_match()
    olive = signed_in(chromium, desk_site, "officer", size)
    olive.goto("/desk/")
    looked_at(olive, pictures, "desk-home")
    accepts_two_sections(olive, number, pictures)
    applies_the_correction(olive, old, pictures)
    grants_the_floor(olive, floor)
    proposes_a_list(olive)
    oscar = signed_in(chromium, desk_site, "second officer", size, fresh=False)
    approves_it(oscar)
    assert not olive.errors + oscar.errors


def accepts_two_sections(olive: Any, number: str, pictures: Path) -> None:
    olive.get_by_role("link", name="Queue", exact=True).first.click()
    olive.get_by_role("heading", name="Clean: 2").wait_for()
    looked_at(olive, pictures, "desk-queue")
    olive.get_by_role("link", name="Look about Winter Open").click()
    olive.get_by_role("checkbox", name="Open").wait_for()
    assert olive.get_by_role("checkbox", name="Reserve").is_disabled()
    assert olive.locator(".msg .findbox").first.is_visible()  # below its row, without a click
    looked_at(olive, pictures, "desk-review")
    olive.get_by_label("Message to dora").fill("The Reserve follows when its round 1 is mended.")
    olive.get_by_role("button", name="Accept the ticked sections").click()
    olive.get_by_text("rated Open, Booster. Waiting: Reserve.").wait_for()
    assert sorted(Section.objects.filter(event__number=number).values_list("number", flat=True)) == [1, 3]


def applies_the_correction(olive: Any, old: str, pictures: Path) -> None:
    """The players of two years ago have played since: in the section that was accepted just now."""
    olive.get_by_role("link", name="Decide about Autumn Open").click()
    olive.get_by_role("heading", name="Old and new").wait_for()
    olive.get_by_text("since 18 November 2023").wait_for()
    looked_at(olive, pictures, "desk-correction")
    olive.get_by_label("Message to dora").fill("Both slips agree with you.")
    olive.get_by_role("button", name="Do it").click()
    olive.get_by_text("It is waiting to start.").wait_for()
    looked_at(olive, pictures, "desk-job-waiting")
    assert stage.work()["later"] == 1
    olive.get_by_role("heading", name="Largest changes").wait_for()  # the page has asked again by itself
    looked_at(olive, pictures, "desk-job")
    assert Revision.objects.filter(event__number=old, kind="corrected").exists()


def grants_the_floor(olive: Any, number: int) -> None:
    olive.get_by_role("navigation", name="Desk").get_by_role("link", name="Decisions").click()
    olive.get_by_role("link", name="Floor requests").click()
    olive.get_by_role("link", name="Decide the request of Ben Weaver").click()
    assert olive.get_by_role("row", name="Ben Weaver").get_by_text("1360").is_visible()
    olive.get_by_label("Your answer").fill("The doctor wrote. Get well soon.")
    olive.keyboard.press("Tab")
    olive.keyboard.press("Enter")  # the first button grants
    olive.get_by_text("The request of Ben Weaver is granted.").wait_for()
    assert FloorRequest.objects.get(id=number).state == FloorRequest.GRANTED


def proposes_a_list(olive: Any) -> None:
    olive.get_by_role("navigation", name="Desk").get_by_role("link", name="Publish").click()
    olive.get_by_role("button", name="Look").click()
    olive.get_by_role("heading", name="What the list would say").wait_for()
    olive.get_by_label("Reason").fill("the list of January")
    olive.get_by_role("button", name="Propose it").click()
    olive.get_by_text("Another officer must decide.").wait_for()
    assert olive.get_by_role("button", name="Approve it").count() == 0


def approves_it(oscar: Any) -> None:
    """From the inbox: the proposal has come there."""
    oscar.goto("/desk/inbox/")
    oscar.get_by_role("link", name="Publish a list, list of 1 January 2026: waits for a second officer").click()
    oscar.get_by_role("button", name="Approve it").click()
    oscar.get_by_label("Six digits").fill(accounts.code_now())
    oscar.keyboard.press("Enter")
    oscar.get_by_text("It is waiting to start.").wait_for()
    stage.work()
    oscar.get_by_text("Approved and carried out.").wait_for()
    assert PublishedList.objects.filter(date="2026-01-01", proposed_by="olive", approved_by="oscar").exists()


#: One in each case of what an officer's pages show
PAGES = (
    "/desk/decisions/",
    "/desk/floors/",
    "/desk/floors/{floor}/",
    "/desk/prizes/",
    "/desk/adjustments/",
    "/desk/fide/",
    "/desk/cfc/",
    "/desk/players/?q=an",
    "/desk/players/add/",
    "/desk/players/import/",
    f"/desk/players/{stage.BEN}/",
    "/desk/merges/",
    f"/desk/merges/new/?duplicate={stage.TWIN}&into={stage.DOUBLE}",
    "/desk/lists/",
    "/desk/proposals/",
    "/desk/proposals/{proposal}/",
    "/desk/log/",
    "/desk/log/chain/",
    "/desk/jobs/",
    "/desk/corrections/",
)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_every_page_of_decisions(chromium: Any, desk_site: str, pictures: Path, size: Mapping[str, int]) -> None:
    known = {"floor": stage.lost_match(), "proposal": Proposal.objects.latest("pk").pk}
    stage.twins()
    page = signed_in(chromium, desk_site, "officer", size)
    for address in PAGES:
        page.goto(address.format(**known))
        looked_at(page, pictures, "desk-" + address.partition("?")[0].strip("/").replace("/", "-")[5:25])
    assert page.errors == []
