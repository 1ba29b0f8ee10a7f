"""No module takes apart what the program wrote: patterns are for what people and files write."""

from __future__ import annotations

import ast
from pathlib import Path

import crosstable

SOURCE = Path(crosstable.__file__).parent
#: What reads the files of others
READERS = "formats"
#: The modules with patterns, and whose text they read
ALLOWED = {
    "checks/events.py": "the ids and the ZIP code that a report states",
    "checks/names.py": "players' names",
    "checks/players.py": "players' ids",
    "checks/sections.py": "the titles of events and sections",
    "federations/__init__.py": "profiles of federations, and the ids of their members",
    "lab/report/page.py": "a title that becomes a file's name",
    "titles/norms.py": "the names of events",
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
    "web/template_lines.py": "the line ends of templates",
}


def modules_with_patterns() -> set[str]:
    found = set()
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] == READERS:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
        names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        if names & {"re", "regex"}:
            found.add(path.relative_to(SOURCE).as_posix())
    return found


#: The fields of our records that are sentences
SENTENCES = {"message", "advice", "sentence", "says"}
#: What takes a text apart
TAKES_APART = {"split", "rsplit", "partition", "rpartition", "splitlines", "find", "index", "startswith"}
TAKES_APART |= {"removeprefix", "removesuffix", "replace"}


def test_no_sentence_of_a_finding_is_taken_apart() -> None:
    """`"--" in finding.advice` and `finding.message.split(" ")` read a fact from a sentence that we wrote."""
    found = []
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr=act, value=ast.Attribute(attr=name))) if act in TAKES_APART:
                    reads = name in SENTENCES
                case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute(attr=name)]):
                    reads = name in SENTENCES
                case _:
                    reads = False
            if reads:
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not found, found


def test_patterns_are_for_the_text_of_others() -> None:
    assert modules_with_patterns() == set(ALLOWED)


#: What the sentences put around facts: a number that is rounded, an id after a name
MARKS = ("≈", " (")
COMPARES = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def test_no_mark_of_a_sentence_is_looked_for() -> None:
    """`text.removeprefix("≈")`, `sign == "≈"` and `since.partition(" (")` read what a record says by itself."""
    found = []
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] == READERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr=act), args=[ast.Constant(value=str(mark)), *_]):
                    reads = act in TAKES_APART and mark.startswith(MARKS)
                case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, COMPARES):
                    both = [one.value for one in (left, right) if isinstance(one, ast.Constant)]
                    reads = any(isinstance(one, str) and one.startswith(MARKS) for one in both)
                case _:
                    reads = False
            if reads:
                found.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    assert not found, found
