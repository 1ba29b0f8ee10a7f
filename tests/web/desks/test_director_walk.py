"""A browser at the director's desk, with a file that has errors: by keyboard alone, on a phone, without JavaScript.

axe-core looks at every page of the walk, in both colour schemes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crosstable.office.ledger.models import Submission
from crosstable.office.reports.events import document
from tests.desk_files import CLASH
from tests.web import accounts, axe
from tests.web.desks.test_director import ids
from tests.web.test_browser import PHONE, WIDE


class Keys:
    """Somebody with a keyboard: tabs to what has these words, types, presses Enter."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def to(self, words: str) -> None:
        """Tab on until the focused control is called so; a whole page may lie between."""
        for _ in range(400):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(
                "words => (e => (e.innerText || e.labels?.[0]?.innerText || '').trim() === words)"
                "(document.activeElement)",
                words,
            ):
                return
        raise AssertionError(f"no Tab leads to {words!r}")

    def press(self, words: str) -> None:
        self.to(words)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def type(self, label: str, text: str) -> None:
        self.to(label)
        if self.page.evaluate("document.activeElement.type") == "date":
            year, month, day = text.split("-")
            self.page.keyboard.type(f"{month}{day}{year}")
        else:
            self.page.keyboard.insert_text(text)


def look(page: Any, pictures: Path, name: str) -> None:
    """On a phone in the dark and wide in the light: axe finds nothing serious, nothing hangs over, there is a
    picture.
    """
    for size, scheme in ((PHONE, "dark"), (WIDE, "light")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (name, size)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")  # where the bar at the lower edge covers nothing
        axe.take_picture(page, pictures / f"director-{name}-{size['width']}-{scheme}.png")
        assert axe.violations(page, ("serious", "critical", "moderate")) == [], (name, size, scheme)


@pytest.fixture(params=["keyboard", "phone without JavaScript"])
def page(request: pytest.FixtureRequest, chromium: Any, desk_site: str) -> Iterator[Any]:
    """Two ways to the same desk."""
    phone = request.param != "keyboard"
    context = chromium.new_context(viewport=PHONE if phone else WIDE, java_script_enabled=not phone, locale="en-US")
    one = context.new_page()
    accounts.sign_in_page(one, desk_site, "director")
    one.goto(f"{desk_site}/desk/")
    yield one
    context.close()


def test_a_director_mends_a_file_and_sends_it(page: Any, pictures: Path) -> None:
    looked = page.viewport_size == WIDE  # axe needs JavaScript
    keys: Any = Keys(page) if looked else Fingers(page)
    seven = ids(7)
    page.set_input_files("#file", CLASH)
    keys.press("Read the file")
    assert "row 2 says won, row 3 says won" in page.content()
    if looked:
        look(page, pictures, "errors")
    keys.press("It was a draw")
    keys.type("First day", "2025-12-27")
    keys.type("Last day", "2025-12-28")
    keys.press("Use these days")
    keys.type("Time control, as G/60;d5", "G/60;d5")
    keys.press("Use this time control")
    keys.type("Name of the event", "Dayton Winter Open")
    keys.press("Use this name")
    keys.type("Their IDs, in this order; - for none", "\n".join(seven))
    keys.press("Use these IDs")
    assert "Needs fixing" not in page.content()
    if looked:
        look(page, pictures, "mended")
    keys.press("Preview the ratings")
    assert "not official, not saved" in page.content()
    if looked:
        look(page, pictures, "preview")
    keys.press("Send to the office")
    assert "Next step: the office’s" in page.content()
    sent = Submission.objects.order_by("-id")[0]
    assert sent.event is not None
    said = document(sent.event.number)
    assert [player.id for player in said.sections[0].players] == seven
    if looked:
        look(page, pictures, "sent")
        page.goto(page.url.split("/desk/")[0] + "/desk/")
        look(page, pictures, "desk")


class Fingers:
    """Somebody with a phone: taps what has these words, and types into what is called so."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def press(self, words: str) -> None:
        with self.page.expect_navigation():
            named = [self.page.get_by_role(role, name=words, exact=True) for role in ("button", "link")]
            named[0].or_(named[1]).first.click()

    def type(self, label: str, text: str) -> None:
        self.page.get_by_label(label).first.fill(text)


def test_a_report_is_typed_with_the_keyboard_and_saves_itself(chromium: Any, desk_site: str, pictures: Path) -> None:
    """The tab is closed in the middle, and everything is still there."""
    context = chromium.new_context(viewport=WIDE, locale="en-US")
    page = context.new_page()
    accounts.sign_in_page(page, desk_site, "director")
    page.goto(f"{desk_site}/desk/")
    Keys(page).press("Start typing")
    page.get_by_label("Id of number 1", exact=True).focus()
    for text in (*ids(2)[:1], "Ann Ash", "1500", "w2"):
        page.keyboard.insert_text(text)
        page.keyboard.press("Tab")
    page.locator("#saved", has_text=re.compile("^Saved")).wait_for()  # by itself, at the first pause
    page.get_by_label("Number 1, round 1", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.name") == "r2-1"
    address = page.url
    page.close(run_before_unload=False)
    again = context.new_page()
    again.goto(address)
    assert again.get_by_label("Name of number 1", exact=True).input_value() == "Ann Ash"
    assert again.get_by_label("Number 1, round 1", exact=True).input_value() == "W2"
    look(again, pictures, "typing")
    context.close()
