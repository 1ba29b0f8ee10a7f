"""Print the proof in numbers that the README shows. A test compares the two, so no number there is typed by hand."""

from __future__ import annotations

import re
from pathlib import Path

import crosstable
from crosstable.checks import catalogue
from crosstable.formats import registry
from crosstable.rulebook import AS_WRITTEN, rulebook, systems
from crosstable.titles.in_event import RULES

ROOT = Path(__file__).resolve().parents[1]


def lines() -> list[str]:
    """Return the lines, each with a number and what proves it."""
    books = [rulebook(name) for name in systems()]
    rules = sum(len(book.rules) for book in books)
    values = sum(len(rule.timeline(AS_WRITTEN)) for book in books for rule in book.rules.values())
    formats = list(registry.each())
    clauses = len(re.findall(r"^\|", (ROOT / "docs" / "coverage.md").read_text(), re.MULTILINE))
    return [
        f"{len(crosstable.SYSTEMS)} rating systems, {rules} rules with {values} dated values, each with its document",
        f"{len(formats)} file formats read, {sum(one.writes for one in formats)} written",
        f"{len(catalogue.declared_codes())} kinds of findings, each with what to do",
        f"{clauses} lines of coverage from the documents' clauses to code and tests",
        f"{len(RULES)} sets of title rules",
    ]


if __name__ == "__main__":
    print("\n".join(lines()))
