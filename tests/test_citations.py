"""Whatever the tree cites is there: numbered readings, sections of the documents, pages and headings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from crosstable import rulebook

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
READ = {".py", ".md", ".toml", ".html", ".yml"}
PLACES = ("src", "docs", "tests", "bench", "examples", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")

READING = re.compile(r"\breadings? ((?:\d+)(?:(?:, | and | to )\d+)*)", flags=re.I)
SECTION = re.compile(r"\b(1996|2015|2017|2025)(?:,? and (2017))? §(\d+(?:\.\d+)?)")
LINK = re.compile(r"\]\(([^)\s]*)\)")
PAGE = re.compile(r"\bdocs/([\w-]+\.md)")
#: What is not part of the project. The words are put together here, so that this page does not cite them itself.
OUTSIDE = re.compile("|".join(("event-" + "format", "algorithms" + r"\.md", "share[d]/reference", "peers" + r"\.md")))


def files() -> Iterator[Path]:
    for place in PLACES:
        top = ROOT / place
        yield from (top,) if top.is_file() else (path for path in sorted(top.rglob("*")) if path.suffix in READ)


def lines() -> Iterator[tuple[str, str]]:
    for path in files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def readings() -> set[int]:
    page = (DOCS / "readings.md").read_text(encoding="utf-8")
    return {int(number) for number in re.findall(r"^(\d+)\. \*\*", page, flags=re.M)}


def sections() -> dict[str, set[str]]:
    page = (DOCS / "documents.md").read_text(encoding="utf-8")
    return {year: set(names.split(", ")) for year, names in re.findall(r"^\| (\d{4}) \| (.*) \|$", page, flags=re.M)}


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as people's browsers and forges spell them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def test_the_readings_are_numbered_without_a_gap() -> None:
    assert readings() == set(range(1, max(readings()) + 1))


def test_every_reading_cited_is_on_the_page() -> None:
    known = readings()
    missing = [
        f"{where}: there is no reading {number} in docs/readings.md"
        for where, line in lines()
        for numbers in READING.findall(line)
        for number in map(int, re.findall(r"\d+", numbers))
        if number not in known
    ]
    assert not missing, "\n".join(missing)


def test_every_section_cited_is_in_the_document() -> None:
    known = sections()
    missing = [
        f"{where}: the {year} document has no §{section} (docs/documents.md lists them)"
        for where, line in lines()
        for *years, section in SECTION.findall(line)
        for year in filter(None, years)
        if section not in known[year]
    ]
    assert not missing, "\n".join(missing)


def test_every_rule_cites_a_section_that_there_is() -> None:
    known = sections()
    for system in rulebook.systems():
        for rule in rulebook.rulebook(system).rules.values():
            for value in (*rule.written, *rule.clauses):
                if (year := re.fullmatch(r"us(?:cf|-chess)-(\d{4})", value.document)) and value.section[0].isdigit():
                    numbers = re.findall(r"\d(?:\.\d)?", value.section.partition(",")[0].partition(" ")[0])
                    assert set(numbers) <= known[year[1]], f"{system}, {rule.name}: {value.document} {value.section}"
                if value.document == "readings" and value.section.isdigit():
                    assert int(value.section) in readings(), f"{system}, {rule.name}: readings {value.section}"


def test_every_page_named_exists() -> None:
    missing = [
        f"{where}: docs/{page}" for where, line in lines() for page in PAGE.findall(line) if not (DOCS / page).exists()
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("page", [path for path in files() if path.suffix == ".md"], ids=lambda path: path.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        target, _, heading = link.partition("#")
        if ":" in target:
            continue
        folder = DOCS if page == DOCS / "site" / "index.md" else page.parent  # the site's first page
        there = folder / target if target else page
        assert there.exists(), f"{page.name} links to {link}"
        assert not heading or heading in anchors(there), (
            f"{page.name} links to {link}; headings: {sorted(anchors(there))}"
        )


def test_nothing_refers_to_documents_outside_the_tree() -> None:
    outside = [f"{where}: {line.strip()}" for where, line in lines() if OUTSIDE.search(line)]
    assert not outside, "\n".join(outside)


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_module_that_a_guide_names_exists(page: str) -> None:
    """`systems/us_chess/pools.py` in a guide is a file of the package, the tests or the project."""
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|toml|json))`", (ROOT / page).read_text(encoding="utf-8"))
    real = [name for name in named if not re.search(r"[A-Z]{3,}", name)]  # NAME.py stands for any
    missing = [name for name in real if not any((place / name).exists() for place in (ROOT, ROOT / "src/crosstable"))]
    assert len(real) > 5
    assert not missing, f"{page} names {', '.join(missing)}"


def test_every_function_that_the_architecture_names_is_where_it_says() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.py)`((?:, `\w+`)+)", page)
    missing = [
        f"{name} in {path}"
        for path, names in named
        for name in re.findall(r"`(\w+)`", names)
        if not re.search(
            rf"^(def {name}\(|class {name}\b|{name}\b.* = )",
            (ROOT / "src/crosstable" / path).read_text(encoding="utf-8"),
            re.M,
        )
    ]
    assert len(named) > 5
    assert not missing, f"docs/architecture.md names {', '.join(missing)}"


def test_the_architecture_has_the_layers_of_the_import_contracts() -> None:
    """Each table names the packages from the top down, in the order that import-linter holds them to."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    for contract, heading in zip(contracts[:2], ("| package |", "| packages of `office/` |"), strict=True):
        rows = page[page.index(heading) :].split("\n\n")[0].splitlines()[2:]
        documented = [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]
        layers = [re.findall(r"\w+(?= |$)", line) for line in contract["layers"]]
        place = {name: number for number, line in enumerate(layers) for name in line}
        assert [place[name] for name in documented] == sorted(place[name] for name in documented)
        small = {"rated_text", "extras", "arguments"}  # single modules beside the model
        assert set(documented) == place.keys() - small
