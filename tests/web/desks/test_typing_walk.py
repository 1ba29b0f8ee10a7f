"""A browser types a report while the connection, the session or another window gets in the way: no cell is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crosstable.office.reports.models import Draft
from tests.web import accounts
from tests.web.desks.test_director_walk import Keys, look
from tests.web.test_browser import WIDE

KEPT = "Object.keys(localStorage).filter(key => key.startsWith('crosstable-typed'))"
SAVED = re.compile("^Saved")


@pytest.fixture
def page(chromium: Any, desk_site: str) -> Iterator[Any]:
    """A director on the page of a report that is typed in."""
    context = chromium.new_context(viewport=WIDE, locale="en-US")
    one = context.new_page()
    accounts.sign_in_page(one, desk_site, "director")
    one.goto(f"{desk_site}/desk/")
    Keys(one).press("Start typing")
    yield one
    context.close()


def type_name(page: Any, name: str, row: int = 1) -> None:
    page.get_by_label(f"Name of number {row}", exact=True).fill(name)


def name_in(page: Any, row: int = 1) -> str:
    return str(page.get_by_label(f"Name of number {row}", exact=True).input_value())


def on_the_server() -> str:
    typed = Draft.objects.order_by("-id")[0].typed
    assert typed is not None
    return str(typed)


def notice(page: Any, words: str) -> None:
    """It is said, and seen without scrolling."""
    found = page.locator("#unsaved", has_text=words)
    found.wait_for()
    box = found.bounding_box()
    assert 0 <= box["y"] <= page.viewport_size["height"] - box["height"]


def break_saving(page: Any) -> None:
    page.route("**/type/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())


def test_without_a_connection_done_waits_and_the_cells_come_back(page: Any, pictures: Path) -> None:
    break_saving(page)
    page.set_viewport_size({"width": 1280, "height": 500})  # the buttons lie below the lower edge
    type_name(page, "Ann Ash")
    notice(page, "Not saved yet: no connection. What you typed is kept in this browser")
    look(page, pictures, "typing-not-saved")
    page.get_by_role("button", name="Done: check it").click()
    notice(page, "no connection")
    assert page.url.endswith("/type/")
    assert "Ann Ash" not in on_the_server()
    page.reload()  # or a closed tab, or a flat battery
    page.locator("#restored", has_text="Filled in again, because it was not saved before: 1 cell.").wait_for()
    assert name_in(page) == "Ann Ash"
    page.unroute("**/type/")
    page.locator("#saved", has_text=SAVED).wait_for()
    assert "Ann Ash" in on_the_server()
    assert page.evaluate(KEPT) == []
    assert page.locator("#unsaved").is_hidden()


def test_an_ended_session_says_so_and_signing_in_leads_back_to_the_cells(page: Any) -> None:
    page.context.clear_cookies(name="sessionid")
    type_name(page, "Ann Ash")
    notice(page, "You were signed out. Sign in here; what you typed is kept.")
    page.get_by_role("button", name="Done: check it").click()
    notice(page, "You were signed out.")
    address = page.url
    assert address.endswith("/type/")
    page.get_by_role("link", name="Sign in here; what you typed is kept.").click()
    page.get_by_label("User name").fill("dora")
    page.get_by_label("Password").fill(accounts.PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url(address)
    page.locator("#saved", has_text=SAVED).wait_for()
    assert name_in(page) == "Ann Ash"
    assert "Ann Ash" in on_the_server()
    assert page.evaluate(KEPT) == []


def test_after_signing_in_in_another_tab_saving_goes_on(page: Any, desk_site: str) -> None:
    """The new session has a new token, and this page an old one."""
    page.context.clear_cookies()
    type_name(page, "Ann Ash")
    notice(page, "You were signed out.")
    tab = page.context.new_page()
    tab.goto(f"{desk_site}/desk/sign-in/")
    tab.get_by_label("User name").fill("dora")
    tab.get_by_label("Password").fill(accounts.PASSWORD)
    tab.get_by_role("button", name="Go on").click()
    tab.wait_for_url("**/desk/")
    tab.close()
    page.locator("#saved", has_text=SAVED).wait_for()
    assert "Ann Ash" in on_the_server()
    page.get_by_role("button", name="More players").click()
    page.get_by_label("Name of number 20", exact=True).wait_for()


def test_a_save_whose_answer_was_lost_is_no_other_window(page: Any) -> None:
    """The server has saved, and this page does not know: it goes on over its own cells."""

    def lose_answer(route: Any) -> None:
        route.fetch()
        route.abort()

    page.route("**/type/", lose_answer, times=1)
    type_name(page, "Ann Ash")
    notice(page, "no connection")
    assert "Ann Ash" in on_the_server()
    type_name(page, "Bo Birch", row=2)
    page.locator("#saved", has_text=SAVED).wait_for()
    assert "Bo Birch" in on_the_server()


def test_a_cell_that_another_window_changed_is_not_written_over(page: Any) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    type_name(other, "Ann Ames")
    other.locator("#saved", has_text=SAVED).wait_for()
    type_name(page, "Ann Ash")
    notice(page, "Another window has saved this draft since")
    assert "Ann Ames" in on_the_server()


@pytest.mark.parametrize(
    ("answer", "stands"), [("What I typed here", "Ann Ash"), ("The report as it is now", "Ann Ames")]
)
def test_a_newer_state_on_the_server_is_asked_about(page: Any, answer: str, stands: str) -> None:
    break_saving(page)
    type_name(page, "Ann Ash")
    notice(page, "no connection")
    other = page.context.new_page()
    other.add_init_script("localStorage.clear()")  # another computer
    kept = page.evaluate("({...localStorage})")
    other.goto(page.url)
    type_name(other, "Ann Ames")
    type_name(other, "Bo Birch", row=2)
    other.locator("#saved", has_text=SAVED).wait_for()
    other.close()
    page.evaluate("kept => Object.assign(localStorage, kept)", kept)
    page.unroute("**/type/")
    page.reload()
    page.locator(
        "#restored", has_text="the report was saved elsewhere since. Which one do you want to keep?"
    ).wait_for()
    assert name_in(page) == "Ann Ames"
    page.get_by_role("button", name=answer).click()
    if stands == "Ann Ash":
        page.locator("#saved", has_text=SAVED).wait_for()
    assert (name_in(page), name_in(page, row=2)) == (stands, "Bo Birch")
    assert stands in on_the_server()
    assert page.evaluate(KEPT) == []


def test_nothing_stays_in_the_browser_after_signing_out_or_for_another_person(page: Any, desk_site: str) -> None:
    break_saving(page)
    type_name(page, "Ann Ash")
    notice(page, "no connection")
    [key] = page.evaluate(KEPT)
    page.evaluate("key => localStorage.setItem(key.replace('dora', 'another'), localStorage.getItem(key))", key)
    page.goto(f"{desk_site}/desk/")
    assert page.evaluate(KEPT) == [key]
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{desk_site}/")
    assert page.evaluate(KEPT) == []


def test_what_is_kept_goes_with_the_draft(page: Any) -> None:
    break_saving(page)
    type_name(page, "Ann Ash")
    notice(page, "no connection")
    [key] = page.evaluate(KEPT)
    address = page.url.removesuffix("type/")
    for act, left in (("suggested", [key]), ("send", [])):
        page.evaluate(
            "address => { const form = document.createElement('form'); form.setAttribute('action', address);"
            " form.addEventListener('submit', event => event.preventDefault()); document.body.append(form);"
            " form.requestSubmit(); form.remove(); }",
            "/desk" + address.split("/desk")[1] + f"{act}/",
        )
        assert page.evaluate(KEPT) == left
