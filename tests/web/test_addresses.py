"""Addresses in templates come from the list of all addresses, `web/urls.py`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crosstable.office.queries.log_words import subject_of
from crosstable.office.queries.subject import Subject
from crosstable.web import addresses

SRC = Path(__file__).parents[2] / "src" / "crosstable"
ADDRESS = re.compile(r"\b(?:href|action|src|hx-\w+)=[\"']/")


def test_no_template_writes_an_address_out() -> None:
    """`{% url %}` fails loudly when an address changes; one that is written out leads nowhere silently."""
    written = [
        f"{path.relative_to(SRC)}:{number}"
        for path in sorted(SRC.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ADDRESS.search(line)
    ]
    assert written == [], "use {% url %}"


def test_a_written_address_is_found() -> None:
    assert ADDRESS.search('<a href="/players/{{ one.player }}/">')
    assert not ADDRESS.search("<a href=\"{% url 'player' one.player %}\">")


@pytest.mark.parametrize(
    ("subject", "page"),
    [
        (Subject("event", "202510040011"), "/events/202510040011/"),
        (Subject("revision", "202510040011", "3"), "/events/202510040011/revisions/3/"),
        (Subject("list", "2025-12-01"), "/lists/2025-12-01/"),
        (Subject("list", "2025-12-01", "OTBR"), "/lists/2025-12-01/OTBR/"),
        (Subject("player", "30000001"), "/players/30000001/"),
        (Subject("rule", "bonus"), "/rules/bonus/"),
    ],
)
def test_what_a_line_is_about_has_a_page(subject: Subject, page: str) -> None:
    assert addresses.of(subject) == page


@pytest.mark.parametrize(
    ("about", "page"),
    [
        ("player:30000001:adjustment:2", "/desk/players/30000001/"),
        ("proposal:7", "/desk/proposals/7/"),
        ("event:202510040011", "/events/202510040011/"),
        ("list:2025-12-01", "/lists/2025-12-01/"),
        ("proposal:seven", ""),  # an entry that was damaged
        ("event:", ""),
        ("office:1", ""),
    ],
)
def test_the_log_leads_to_what_has_a_page(about: str, page: str) -> None:
    assert addresses.on_desk(subject_of(about)) == page


def test_a_missing_page_says_what_was_meant() -> None:
    assert addresses.meant("/events/202510040011/99/") == Subject("event", "202510040011")
    assert addresses.meant("/players/") is None
    assert addresses.meant("/lists/2025-12-01/") is None
