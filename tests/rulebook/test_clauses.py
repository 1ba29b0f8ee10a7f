"""Every clause of the law has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

from crosstable import rulebook

TESTS = Path(__file__).parents[1]
MARK = re.compile(r'mark\.clause\(\s*"([^"]+)"')


def cited() -> set[str]:
    return {clause for path in TESTS.rglob("test_*.py") for clause in MARK.findall(path.read_text(encoding="utf-8"))}


def clauses() -> set[str]:
    return {
        clause.id
        for name in rulebook.systems()
        for rule in rulebook.rulebook(name).rules.values()
        for clause in rule.clauses
    }


def test_every_clause_has_a_test() -> None:
    assert clauses() - cited() == set()


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    assert cited() - clauses() == set()
