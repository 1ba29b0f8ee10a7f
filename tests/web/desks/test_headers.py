"""One header everywhere: the desks have the public menu and the search, and their own tabs below."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

Desk = Callable[[str], Client]


def test_a_desk_has_the_public_menu_the_search_and_its_own_tabs(desk: Desk) -> None:
    page = desk("officer").get("/desk/queue/").content.decode()
    header = page.split("</header>")[0]
    assert 'data-suggest="/search/"' in header
    for address in ("/players/", "/events/", "/lists/", "/rules/", "/estimate/", "/help/"):
        assert f'href="{address}"' in header
    tabs = header.split('aria-label="Desk"')[1].split("</nav>")[0]
    assert 'href="/desk/queue/" aria-current="page"' in tabs
    assert "Sign out" in header
