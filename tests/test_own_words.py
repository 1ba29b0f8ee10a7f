"""No module takes apart what the program wrote: patterns are for what people and files write."""

from __future__ import annotations

import ast
from pathlib import Path

import crosstable

SOURCE = Path(crosstable.__file__).parent
PACKAGES = ("office", "checks", "fixes", "systems", "web")
#: The modules with patterns, and whose text they read
ALLOWED = {
    "checks/events.py": "the ids and the ZIP code that a report states",
    "checks/names.py": "players' names",
    "checks/players.py": "players' ids",
    "checks/sections.py": "the titles of events and sections",
    "office/audit/signatures.py": "a signature in a file that may come from elsewhere",
    "office/backup/anchors.py": "a head in a file that may come from elsewhere",
    "office/reports/typed_report.py": "cells that a director types",
    "fixes/suggestions/events.py": "time controls that a director types",
    "office/ledger/free_text.py": "reasons and messages that people write",
    "office/ledger/input_checks.py": "event ids that people choose",
    "office/queries/search.py": "the words of a search",
    "systems/aga/scale.py": "go ranks",
    "systems/options.py": "the options in a system's name, as they are typed",
    "systems/us_chess/fide_events.py": "the names of events",
    "systems/us_chess/time_controls.py": "time controls",
    "web/api/submitting.py": "the body of a request",
}


def modules_with_patterns() -> set[str]:
    found = set()
    for package in PACKAGES:
        for path in (SOURCE / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
            names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            if names & {"re", "regex"}:
                found.add(path.relative_to(SOURCE).as_posix())
    return found


def test_patterns_are_for_the_text_of_others() -> None:
    assert modules_with_patterns() == set(ALLOWED)
