"""No page of the desks scrolls sideways at 320 pixels."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web import accounts
from tests.web.desks.test_edit_walk import NARROW, quad

OFFICER = (
    "",
    "queue/",
    "events/",
    "corrections/",
    "jobs/",
    "decisions/",
    "players/",
    "players/add/",
    "merges/",
    "merges/new/",
    "prizes/",
    "adjustments/",
    "fide/",
    "cfc/",
    "lists/",
    "players/import/",
    "log/chain/",
    "requests/",
    "submissions/",
    "floors/",
    "proposals/",
    "log/",
    "inbox/",
    "account/",
)


@pytest.mark.parametrize("role", ["director", "officer"])
def test_no_desk_page_scrolls_sideways_at_320_pixels(chromium: Any, desk_site: str, role: str) -> None:
    draft = quad("L9")
    context = chromium.new_context(viewport=NARROW, locale="en-US", base_url=desk_site)
    page = context.new_page()
    accounts.sign_in_page(page, desk_site, role)
    own = ("", f"drafts/{draft}/", f"drafts/{draft}/preview/", f"drafts/{draft}/edit/?section=1&player=2&round=1")
    wide = {}
    for address in OFFICER if role == "officer" else (*own, "submissions/", "inbox/", "account/"):
        answer = page.goto(f"/desk/{address}")
        assert answer.status == 200, address
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > NARROW["width"]:
            wide[address] = width
    context.close()
    assert wide == {}
