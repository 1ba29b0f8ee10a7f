"""Writes docs/coverage.md: every section of the five documents, where it is carried out, and which test pins it.

    python -m tests.rulebook.coverage > docs/coverage.md

The sections stand in sections.toml, the clauses in the rulebooks, and a test names its clause with
`@pytest.mark.clause`.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crosstable import rulebook
from crosstable.rulebook.timeline import Clause

ROOT = Path(__file__).parents[2]
MARK = re.compile(r'mark\.clause\(\s*"([^"]+)"')
NEWEST = "us-chess-2025"


@dataclass(frozen=True)
class Covered:
    """One section of a document, with what was found about it."""

    document: str
    number: str
    title: str
    where: tuple[str, ...]  # "titles/norms.py: Titles1996"
    clauses: tuple[str, ...]
    tests: tuple[str, ...]
    says: str

    @property
    def listed(self) -> bool:
        """Carried out somewhere and pinned by a test, or a word on why there is nothing to carry out."""
        return bool(self.says) or bool(self.where and self.tests)


def documents() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((ROOT / "tests/rulebook/sections.toml").read_text(encoding="utf-8"))


def clauses() -> list[Clause]:
    books = [rulebook.rulebook(name) for name in rulebook.systems()]
    return [clause for book in books for rule in book.rules.values() for clause in rule.clauses]


def pinned() -> Mapping[str, list[str]]:
    """Clause → the test files that name it."""
    found = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for clause in set(MARK.findall(path.read_text(encoding="utf-8"))):
            found[clause].append(path.relative_to(ROOT).as_posix())
    return found


def sections_of(cited: str, known: Iterable[str]) -> list[str]:
    """The sections that a citation names: "2.1 to 2.5" names five, "1, Steps 4 and 5" and "1 (FIDE events)" the first.

    >>> sections_of("2.1 to 2.3, 8", ["2.1", "2.2", "2.3", "2.4", "8"])
    ['2.1', '2.2', '2.3', '8']
    """
    numbers = list(known)
    found = []
    for part in cited.split(","):
        words = part.strip().replace("factors", "factor")
        first, _, last = words.partition(" to ")
        begin = [number for number in numbers if first == number or first.startswith((f"{number} ", f"{number}("))]
        if not begin:
            continue
        start = numbers.index(max(begin, key=len))
        end = next((numbers.index(number) for number in numbers if last and number.endswith(last)), start)
        found += numbers[start : end + 1]
    return found


def covered() -> list[Covered]:
    """Every section of every document."""
    by_section: dict[tuple[str, str], list[str]] = defaultdict(list)
    pages = documents()
    for clause in clauses():
        document = clause.document.replace("crosstable-1996", "uscf-1996")  # our reading of that section
        if document in pages:
            for number in sections_of(clause.section, [one["number"] for one in pages[document]["sections"]]):
                by_section[document, number].append(clause.id)
    tests = pinned()
    return [_covered(document, row, by_section, tests) for document, page in pages.items() for row in page["sections"]]


def _covered(
    document: str,
    row: Mapping[str, Any],
    by_section: Mapping[tuple[str, str], list[str]],
    tests: Mapping[str, list[str]],
) -> Covered:
    places = [(document, row["number"])]
    places += [(NEWEST, number) for number in row.get("clauses_of", ())]
    places += [("us-chess-2017", number) for number in row.get("clauses_of_2017", ())]
    places += [(document, number) for number in row.get("clauses_here", ())]
    ids = sorted({clause for place in places for clause in by_section.get(place, ())})
    files = sorted({file for clause in ids for file in tests.get(clause, ())} | set(row.get("tests", ())))
    return Covered(
        document,
        row["number"],
        row["title"],
        tuple(row.get("where", ())),
        tuple(ids),
        tuple(files),
        row.get("says", ""),
    )


def page() -> str:
    lines = [
        "# What of the documents is carried out, and where",
        "",
        "Written by `python -m tests.rulebook.coverage`; do not edit. A clause is a sentence of the law in a rulebook",
        "(`src/crosstable/rulebook/`); each is named by at least one test. Code stands below `src/crosstable/`.",
    ]
    titles = {document: page["title"] for document, page in documents().items()}
    document = ""
    for one in covered():
        if one.document != document:
            document = one.document
            lines += ["", f"## {titles[document]}", "", "| section | code | clauses | tests |", "|---|---|---|---|"]
        code = "<br>".join(f"`{place}`" for place in one.where) or one.says
        ids = ", ".join(f"`{clause}`" for clause in one.clauses)
        files = "<br>".join(f"`{file}`" for file in one.tests)
        name = one.number if one.number[0].isdigit() or len(one.number) == 1 else one.number.capitalize()
        lines.append(f"| **{name}** {one.title} | {code} | {ids} | {files} |")
    return "\n".join([*lines, *_history_table(), *_other_clauses()]) + "\n"


def history() -> list[Mapping[str, Any]]:
    """Section 8 of the 2025 edition, entry by entry."""
    return list(documents()[NEWEST]["history"])


def _history_table() -> list[str]:
    return [
        "",
        "## Section 8 of the 2025 edition, entry by entry",
        "",
        "| printed | in force from | what changes | rule |",
        "|---|---|---|---|",
        *(f"| {one['printed']} | {one['day']} | {one['says']} | `{one['rule']}` |" for one in history()),
    ]


def _other_clauses() -> list[str]:
    """Clauses whose source is none of the five documents: our readings, other papers, other systems' rules."""
    under_sections = {clause for one in covered() for clause in one.clauses}
    tests = pinned()
    lines = ["", "## Clauses from other sources", "", "| clause | source | what it says | tests |", "|---|---|---|---|"]
    for clause in sorted((one for one in clauses() if one.id not in under_sections), key=lambda one: one.id):
        files = "<br>".join(f"`{file}`" for file in tests[clause.id])
        lines.append(f"| `{clause.id}` | {clause.document}, {clause.section} | {clause.says} | {files} |")
    return lines


if __name__ == "__main__":
    print(page(), end="")
