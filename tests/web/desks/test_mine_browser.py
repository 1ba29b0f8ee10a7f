"""A player reports a mistake in one browser, an officer corrects it in another, and the player sees it resolved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from crosstable.office.people.models import Person
from crosstable.office.reports.events import document
from tests.web import accounts, axe
from tests.web.desks import stage
from tests.web.test_browser import PHONE, WIDE, no_sideways_scroll, opened

#: Number 1 of the Autumn Open, who beat number 6 in round 1
PLAYER = "47100001"


def looked_at(page: Any, pictures: Path, name: str) -> None:
    """axe finds nothing and nothing scrolls sideways: wide in the light scheme, on a phone in the dark one; a picture
    of it.
    """
    assert no_sideways_scroll(page), page.url
    page.emulate_media(color_scheme="dark" if page.viewport_size == PHONE else "light")
    assert axe.violations(page) == [], page.url
    axe.take_picture(page, pictures / f"{name}-{page.viewport_size['width']}.png")


def corrected(officer: Any, address: str, pictures: Path) -> None:
    """The officer finds the report in the inbox, and grants the correction that the program makes of it."""
    officer.goto("/desk/")
    officer.get_by_role("link", name="Inbox 1 unread").click()
    officer.wait_for_url("**/desk/inbox/")
    looked_at(officer, pictures, "mine-inbox")
    officer.get_by_role("link", name="A mistake is reported").click()
    officer.wait_for_url(address)
    looked_at(officer, pictures, "mine-decide")
    officer.get_by_role("button", name="Make it a correction request").click()
    officer.get_by_label("Message to pia and the director").fill("You are right. It is corrected.")
    officer.get_by_role("button", name="Do it").click()
    officer.get_by_text("It is waiting to start.").wait_for()
    stage.work()
    officer.get_by_role("heading", name="Largest changes").wait_for()  # the page has reloaded itself for the last time
    officer.goto("/desk/requests/")
    officer.get_by_role("heading", name="Recently answered").wait_for()
    looked_at(officer, pictures, "mine-requests")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_player_reports_a_mistake_and_sees_it_resolved(
    chromium: Any,
    desk_site: str,
    pictures: Path,
    size: Mapping[str, int],
) -> None:
    event = stage.old_event()
    Person.objects.filter(user__username="pia").update(player_id=PLAYER)
    player, officer = opened(chromium, desk_site, viewport=size), opened(chromium, desk_site, viewport=size)
    accounts.sign_in_page(player, desk_site, "player")
    accounts.sign_in_page(officer, desk_site, "officer")

    player.goto("/desk/")
    assert player.get_by_role("heading", level=1).inner_text() == "ALMA FIRTH"
    player.goto(f"/events/{event}/1/")
    player.get_by_role("link", name="Report a mistake").click()
    player.wait_for_url("**/desk/mine/report/*")
    player.get_by_label("Round").select_option("1")
    player.get_by_label("It was a draw").check()
    player.get_by_label("What is wrong").fill("My round 1 was a draw: we both signed the slip.")
    looked_at(player, pictures, "mine-report")
    player.get_by_role("button", name="Send the report").click()
    player.wait_for_url("**/desk/requests/*/")
    assert "Waits for an answer" in player.locator("main").inner_text()
    address = player.url

    corrected(officer, address, pictures)
    player.goto("/desk/inbox/")
    assert "You are right. It is corrected." in player.locator("main").inner_text()
    looked_at(player, pictures, "mine-answer")
    player.get_by_role("button", name="Mark all as read").click()
    player.get_by_text("Nothing to read.").wait_for()
    player.get_by_text("Read messages").click()
    player.get_by_role("link", name="round 1: corrected").click()
    player.wait_for_url(address)
    assert "✓ corrected" in player.locator("main").inner_text()
    looked_at(player, pictures, "mine-request")
    player.get_by_role("link", name="Mine", exact=True).first.click()
    player.wait_for_url("**/desk/mine/")
    assert "✓ corrected" in player.locator("main").inner_text()
    looked_at(player, pictures, "mine")
    (game,) = [one for one in document(event).sections[0].games if (one.round, {one.white, one.black}) == (1, {1, 6})]
    assert game.result == "1/2-1/2"
    Person.objects.filter(user__username="pia").update(player_id="")
    player.goto("/desk/mine/")
    looked_at(player, pictures, "mine-claim")
    assert not player.errors + officer.errors
