"""axe-core in a browser's page, and pictures of pages where they are asked for."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

SOURCE = (Path(__file__).parent / "assets" / "axe-4.14.0.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: With CROSSTABLE_PICTURES=1 there is a picture of every page, and axe looks at every size in both colour schemes
PICTURES = os.environ.get("CROSSTABLE_PICTURES") == "1"

#: Only what is wrong leaves the browser; what is right is a hundred times as much
_RUN = """rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']}).then(found => found.violations.map(
    one => ({id: one.id, impact: one.impact, nodes: one.nodes.slice(0, 3).map(node => node.html.slice(0, 200))})))"""


def violations(page: Any, impacts: Collection[str] = ()) -> list[tuple[str, list[str]]]:
    """Return what axe finds on the page, or only that of these impacts: the rule, and the first elements that
    break it.
    """
    page.evaluate(SOURCE)
    found = page.evaluate(_RUN, RULES)
    return [(one["id"], one["nodes"]) for one in found if not impacts or one["impact"] in impacts]


def take_picture(page: Any, path: Path) -> None:
    if PICTURES:
        page.screenshot(path=path, full_page=True)
