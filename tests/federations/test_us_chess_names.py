"""Which modules outside the US Chess system say "US Chess", and why: anything else belongs in a profile."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import crosstable

SOURCES = Path(crosstable.__file__).parent
#: The system itself, its rulebook and its own loops
OWN = ("systems/us_chess/", "rulebook/us_chess/")
REASONS: dict[str, tuple[str, ...]] = {
    "checks of its rules of reporting, which other profiles turn off": (
        "checks/events.py",
        "checks/players.py",
        "checks/sections.py",
    ),
    "its own files, and which formats there are": (
        "cli/convert.py",
        "formats/codes.py",
        "formats/rating_lists/base.py",
        "formats/us_chess_report.py",
        "web/templates/desks/director/bring.html",
    ),
    "how it prints a provisional rating, in files that bring ratings": ("checks/gate.py",),
    "conversions of FIDE and CFC ratings, which only its rules have": (
        "cli/__init__.py",
        "cli/office_desks.py",
        "office/reports/enrolment.py",
        "web/templates/desks/decisions/cfc.html",
    ),
    "the steps of its derivations, and the document that they cite": (
        "web/presenters/derivation.py",
        "words/us_chess_steps.py",
    ),
    "the titles of its rules, for the catalogue of translations": ("words/terms.py",),
    "its system at array speed, for the lab and for data frames": (
        "estimators/us_chess.py",
        "lab/predictors/us_chess.py",
        "replay/rules.py",
    ),
}


def said(tree: ast.AST) -> Iterator[str]:
    """Yield every text of a module that is not a docstring."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_who_says_us_chess_and_why() -> None:
    found = set()
    for path in SOURCES.rglob("*.py"):
        name = path.relative_to(SOURCES).as_posix()
        text = path.read_text(encoding="utf-8")
        if "US Chess" in text and not name.startswith(OWN) and any("US Chess" in one for one in said(ast.parse(text))):
            found.add(name)
    found |= {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.html")
        if "US Chess" in path.read_text(encoding="utf-8")
    }
    listed = {name for names in REASONS.values() for name in names}
    assert found - listed == set(), "say why these modules name US Chess, or ask the profile"
    assert listed - found == set(), "these no longer name it"
