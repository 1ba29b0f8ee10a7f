"""docs/coverage.md: nothing of the five documents is unlisted, and nothing listed is made up."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from crosstable.rulebook import rulebook
from tests.rulebook.cited import unproven
from tests.rulebook.coverage import ROOT, clauses, covered, documents, history, page, sections_of

FILES = {
    "us-chess-2015": "us-chess-rating-system-2015-06-01.txt",
    "us-chess-2017": "us-chess-rating-system-2017-04-24.txt",
    "us-chess-2025": "us-chess-rating-system-2025-07-26.txt",
    "uscf-1996": "uscf-ratings-committee-report-1996-08.txt",
    "st-charles": "st-charles-chess-club.txt",
}
#: A numbered heading, with or without the marks of the transcription: "### 2.1 FIDE conversions", "4.2 Standard rating
#: formula"
HEADING = re.compile(r"^(?:#+ )?(\d(?:\.\d)?|[AB]) +[A-Z0-9][\w'-]+(?: [\w()/,:'’-]+){0,9}$", re.M)


@pytest.mark.parametrize("one", covered(), ids=lambda one: f"{one.document} {one.number}")
def test_every_section_is_carried_out_and_pinned(one) -> None:
    assert one.listed, f"{one.document} {one.number}: name the code in sections.toml and a clause or test that pins it"


def test_the_code_named_is_there() -> None:
    for one in covered():
        for place in one.where:
            file, _, name = place.partition(": ")
            tree = ast.parse((ROOT / "src/crosstable" / file).read_text(encoding="utf-8"))
            names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
            assert name in names, f"{one.document} {one.number}: {place}"
        for test in one.tests:
            assert (ROOT / test).is_file(), test


def test_every_clause_of_a_document_stands_under_a_section() -> None:
    for clause in clauses():
        if clause.document in FILES:
            known = [one["number"] for one in documents()[clause.document]["sections"]]
            assert sections_of(clause.section, known), f"{clause.id} cites {clause.document} {clause.section}"


@pytest.mark.shared
@pytest.mark.parametrize("document", ["us-chess-2015", "us-chess-2017", "us-chess-2025", "uscf-1996"])
def test_no_heading_of_a_document_is_missing(document: str, shared: Path) -> None:
    text = (shared / "documents" / FILES[document]).read_text(encoding="utf-8")
    headings = set(HEADING.findall(text))
    listed = {one["number"] for one in documents()[document]["sections"]}
    assert len(headings) > 8
    assert headings - listed == set()


#: A line that is a footnote: "<sup>2</sup>Please note", in one scan "<sup>&</sup>lt;sup>1</sup>Please note"
FOOTNOTE = re.compile(r"^<sup>[^A-Z\n]*?(\d)</sup>\s*[A-Z]", re.M)
#: Headings without a number, and those of parts of a section
UNNUMBERED = re.compile(r"^#+ (?!\d|[AB] )(?:<u>)?([A-Z][^\n<:]+)", re.M)
PARTS = {
    "The US Chess Rating system",
    "K-factor",
    "Rating updates",
    "Report of the USCF Ratings Committee August 1996",
    "Contents",
    "Ratings Committee Special Consultant",
    "Policy Board Liaison",
    "Procedure for a single event",
    "Unrated players",
    "Provisional ratings",
    "Derivation",
    "Examples",
    "Percentage of active players with established ratings between 1400-2299 ending in 00",
}


@pytest.mark.shared
@pytest.mark.parametrize("document", FILES)
def test_no_footnote_and_no_heading_without_a_number_is_missing(document: str, shared: Path) -> None:
    text = (shared / "documents" / FILES[document]).read_text(encoding="utf-8")
    listed = {one["number"] for one in documents()[document]["sections"]}
    assert {f"footnote {number}" for number in FOOTNOTE.findall(text)} - listed == set()
    headings = {heading.strip() for heading in UNNUMBERED.findall(text)} - PARTS
    assert {one for one in headings if not any(one.startswith(number) for number in listed)} == set()


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs/coverage.md").read_text(encoding="utf-8") == page(), (
        "run `python -m tests.rulebook.coverage > docs/coverage.md`"
    )


def test_every_clause_of_every_rulebook_is_on_the_page() -> None:
    written = (ROOT / "docs/coverage.md").read_text(encoding="utf-8")
    assert {clause.id for clause in clauses() if f"`{clause.id}`" not in written} == set()


@pytest.mark.parametrize("entry", history(), ids=lambda entry: f"{entry['printed']} {entry['rule']}")
def test_every_entry_of_section_8_is_a_value_of_the_rulebook(entry: dict[str, Any]) -> None:
    """A value begins on the entry's day, and it says something else than the one before it."""
    values = rulebook("us_chess").rules[entry["rule"]].written
    (place,) = [place for place, value in enumerate(values) if value.since == entry["day"]]
    assert values[place].fields != values[place - 1].fields


@pytest.mark.shared
def test_no_entry_of_section_8_is_missing(shared: Path) -> None:
    text = (shared / "documents" / FILES["us-chess-2025"]).read_text(encoding="utf-8")
    printed = re.findall(r"^- (\d{2}[\d?]{2}-[\d?]{2}-[\d?]{2}) ", text, re.M)
    ours = [entry["printed"] for entry in history()]
    assert set(printed) == set(ours)
    assert (
        len(printed) == 22
    )  # "Add OTB Blitz ratings. Change time control range on OTB Quick." is one line and two entries


def test_the_cited_tests_run_the_cited_code() -> None:
    """The small version of `make cited`: the formulas of US Chess and the four files that pin most of them."""
    files = [f"tests/systems/us_chess/test_{name}.py" for name in ("documents", "event", "initial", "matches")]
    assert [one for one in unproven(files) if " systems/us_chess/" in one] == []
