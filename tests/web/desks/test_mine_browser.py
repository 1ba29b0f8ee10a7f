"""A player reports a mistake in one browser, the officer answers in another, and the player sees it resolved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from crosstable.office.ledger.models import Player, Submission
from crosstable.office.people.models import Person
from tests.web import accounts
from tests.web.test_browser import AXE, PHONE, WIDE, chromium, no_sideways_scroll, opened  # noqa: F401  a fixture


def looked_at(page: Any, pictures: Path, name: str) -> None:
    """axe finds nothing, in light and dark; nothing scrolls sideways; a picture of it."""
    assert no_sideways_scroll(page), page.url
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(AXE)
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        assert not found, (page.url, scheme, [(one["id"], one["nodes"][0]["html"]) for one in found])
    page.screenshot(path=str(pictures / f"{name}-{page.viewport_size['width']}.png"), full_page=True)


def answered(officer: Any, address: str, pictures: Path) -> None:
    """The officer finds the report in the inbox and answers it."""
    officer.goto("/desk/")
    officer.get_by_role("link", name="Inbox 1 unread").click()
    officer.wait_for_url("**/desk/inbox/")
    looked_at(officer, pictures, "mine-inbox")
    officer.get_by_role("link", name="A mistake is reported").click()
    officer.wait_for_url(address)
    officer.get_by_label("What pia and the director read").fill("You are right. It is corrected.")
    looked_at(officer, pictures, "mine-decide")
    officer.get_by_role("button", name="It is mended").click()
    officer.get_by_text("✓ mended").wait_for()
    officer.get_by_role("link", name="Requests").first.click()
    officer.wait_for_url("**/desk/requests/")
    looked_at(officer, pictures, "mine-requests")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_player_reports_a_mistake_and_sees_it_resolved(
    chromium: Any,  # noqa: F811  the fixture
    desk_site: str,
    sample: Mapping[str, str],
    pictures: Path,
    size: Mapping[str, int],
    desk_office: str,
) -> None:
    from crosstable import office as the_office

    the_office.setup(desk_office)
    Submission.objects.filter(event__number=sample["event"]).update(author="dora", outcome="queued")
    Person.objects.filter(user__username="pia").update(player_id=sample["player"])
    name = Player.objects.get(number=sample["player"]).name
    player, officer = opened(chromium, desk_site, viewport=size), opened(chromium, desk_site, viewport=WIDE)
    accounts.sign_in_page(player, desk_site, "player")
    accounts.sign_in_page(officer, desk_site, "officer")

    player.goto("/desk/mine/")
    assert player.get_by_role("heading", level=1).inner_text() == name
    player.goto(f"/events/{sample['event']}/{sample['section']}/")
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

    answered(officer, address, pictures)
    player.goto("/desk/inbox/")
    assert "You are right. It is corrected." in player.locator("main").inner_text()
    looked_at(player, pictures, "mine-answer")
    player.get_by_role("button", name="Mark all as read").click()
    player.get_by_text("Nothing to read.").wait_for()
    player.get_by_role("link", name="round 1: mended").click()
    player.wait_for_url(address)
    assert "✓ mended" in player.locator("main").inner_text()
    looked_at(player, pictures, "mine-request")
    player.get_by_role("link", name="Mine", exact=True).first.click()
    player.wait_for_url("**/desk/mine/")
    assert "✓ mended" in player.locator("main").inner_text()
    looked_at(player, pictures, "mine")
    Person.objects.filter(user__username="pia").update(player_id="")
    player.reload()
    looked_at(player, pictures, "mine-claim")
    assert not player.errors + officer.errors
