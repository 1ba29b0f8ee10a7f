"""Addresses in templates come from the list of all addresses, `web/urls.py`."""

from __future__ import annotations

import re
from pathlib import Path

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
