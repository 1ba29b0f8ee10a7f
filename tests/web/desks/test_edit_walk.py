"""Results are edited in place: a cell opens by click or Enter, both rows change, every step can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crosstable.office.people import users
from crosstable.office.reports import drafts
from tests.web import accounts, axe
from tests.web.desks.test_director import ids
from tests.web.test_browser import PHONE, WIDE

NARROW = {"width": 320, "height": 700}


def quad(cell: str = "L1") -> int:
    """Dora's draft of a quad with six games; number 2 has `cell` in round 1."""
    one, two, three, four = ids(4)
    text = f"""Event: Quad
Date: 2026-01-25
Time control: G/60;d5
No,Name,ID,Rd 1,Rd 2,Rd 3
1,Ann Alder,{one},W2,W3,L4
2,Bob Birch,{two},{cell},W4,W3
3,Cy Cedar,{three},W4,L1,L2
4,Di Dogwood,{four},L3,L2,W1
"""
    return drafts.start(users.acting_as("dora"), text.encode(), "quad.csv").id


def results(number: int) -> list[tuple[int, int, int, str]]:
    event = drafts.load(users.acting_as("dora"), number).event
    assert event is not None
    return [(one.round, one.white, one.black, one.result) for one in event.sections[0].games]


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def page(request: pytest.FixtureRequest, chromium: Any, desk_site: str) -> Iterator[Any]:
    context = chromium.new_context(viewport=request.param, locale="en-US", base_url=desk_site)
    one = context.new_page()
    accounts.sign_in_page(one, desk_site, "director")
    yield one
    context.close()


def test_a_cell_is_typed_in_place_and_both_rows_change(page: Any, pictures: Path) -> None:
    number, phone = quad(), page.viewport_size == PHONE
    page.goto(f"/desk/drafts/{number}/")
    if page.locator("summary", has_text="The crosstable as we read it").count():
        page.locator("summary", has_text="The crosstable as we read it").click()
    cell = page.locator("#s1p1 .rd .cell").first
    if phone:
        cell.click()
    else:
        cell.focus()
        page.keyboard.press("Enter")
    page.keyboard.type("D2")
    hint = page.locator("#cell-hint").inner_text()
    assert hint.startswith("Ann Alder drew with Bob Birch. Row 2 becomes D1.")
    assert page.locator("#s1p2 .mirror").get_attribute("data-becomes") == "D1"
    axe.take_picture(page, pictures / f"edit-typing-{page.viewport_size['width']}.png")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # where the bar at the lower edge covers no cell
    assert axe.violations(page, ("serious", "critical", "moderate")) == []
    if phone:
        page.get_by_role("button", name="Save", exact=True).click()
    else:
        page.keyboard.press("Enter")
    said = page.locator("tr.said", has_text="6 games now, 6 before")
    said.wait_for()
    assert "W2 → D2; row 2: D1" in said.inner_text()
    assert [one for one in results(number) if one[0] == 1] == [(1, 1, 2, "1/2-1/2"), (1, 3, 4, "1-0")]
    assert page.evaluate("document.activeElement.textContent").startswith("D2")
    assert page.locator("#s1p2 .rd .cell").first.inner_text().startswith("D1")


def test_a_refused_cell_stays_open_with_its_text(page: Any) -> None:
    number = quad("L9")
    page.goto(f"/desk/drafts/{number}/")
    before = results(number)
    page.locator("#s1p2 .rd .cell").first.click()
    page.keyboard.type("L77")
    page.keyboard.press("Enter")
    page.locator("#cell-hint", has_text="No player has the number 77 in section 1.").wait_for()
    assert page.locator("input.typing").input_value() == "L77"
    page.keyboard.press("Escape")
    assert page.locator("input.typing").count() == 0
    assert results(number) == before


def test_names_players_sections_and_undo_of_any_step(page: Any, pictures: Path) -> None:
    number = quad("L9")
    page.goto(f"/desk/drafts/{number}/")
    page.locator("#s1p3 [data-field=name]").click()
    page.keyboard.type("Cyrus Cedar")
    page.keyboard.press("Enter")
    page.locator("tr.said", has_text="Cyrus Cedar").wait_for()
    page.get_by_text("Add a player", exact=True).click()
    page.get_by_label("Name", exact=True).last.fill("Eve Elm")
    page.get_by_role("button", name="Add the player").click()
    page.locator("#s1p5", has_text="Eve Elm").wait_for()
    page.get_by_text("Add a section", exact=True).click()
    page.locator("form", has=page.get_by_role("button", name="Add the section")).get_by_label("Section name").fill(
        "Two"
    )
    page.get_by_role("button", name="Add the section").click()
    page.locator("h2", has_text="Section 2, Two").wait_for()
    for size in (WIDE, PHONE, NARROW):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        axe.take_picture(page, pictures / f"edit-fix-{size['width']}.png")
    page.locator("li", has_text="Cyrus Cedar").get_by_role("button", name="Undo").click()
    page.locator("main [role=status]", has_text="Undone.").wait_for()
    event = drafts.load(users.acting_as("dora"), number).event
    assert event is not None
    assert [one.name for one in event.sections[0].players] == [
        "Ann Alder",
        "Bob Birch",
        "Cy Cedar",
        "Di Dogwood",
        "Eve Elm",
    ]
    assert len(event.sections) == 2
