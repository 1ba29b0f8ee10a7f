"""docs/systems.md is run, and the club's every sentence has its test."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from crosstable.rulebook import rulebook
from crosstable.systems import SYSTEMS, system
from crosstable.systems.aga import scale

ROOT = Path(__file__).parents[2]


def test_the_page_is_true() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "systems.md"), module_relative=False)
    assert (failed, tried > 10) == (0, True)


def test_ranks_in_the_docstring() -> None:
    assert doctest.testmod(scale).failed == 0


def test_every_system_of_the_issue_is_on_the_page() -> None:
    page = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
    for name in ("st_charles", "aga", "glicko", "glicko2", "fide", "elo"):
        assert f"`{name}`" in page
        assert name in SYSTEMS
        assert system(name).name == name


def test_every_clause_of_the_club_has_a_test() -> None:
    cited = set(re.findall(r'clause\("([^"]+)"\)', (ROOT / "tests" / "systems" / "test_st_charles.py").read_text()))
    assert cited == {clause.id for rule in rulebook("st_charles").rules.values() for clause in rule.clauses}
