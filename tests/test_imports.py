"""How modules import one another: no circles, no string that reaches around an arrow, no satellites."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
#: Modules of fewer lines that only the module beside them imports belong inside it
SMALL = 80
#: Small modules with one importer beside them, and why each is a module of its own all the same
SATELLITES: Mapping[str, str] = {
    "crosstable.office.lab_reports.models": "Django looks for tables in models.py",
    "crosstable.office.example.slips": "made-up mistakes in reports, apart from the desks that they lie on",
    "crosstable.office.reports.notify": "the messages about a report, apart from the acts that send them",
    "crosstable.office.queries.since_review": "what changed since the last review, apart from the lines of the review",
    "crosstable.office.queries.review_ratings": "the ratings that accepting would give, apart from its lines",
}


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module of the package, by name."""
    paths = ((path, path.relative_to(SRC).with_suffix("").parts) for path in SRC.rglob("*.py"))
    return {".".join(parts).removesuffix(".__init__"): ast.parse(path.read_text()) for path, parts in paths}


def statements(tree: ast.AST, *, everywhere: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield import statements; those inside functions and for type checkers only where that is asked for."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif everywhere or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.If):
            yield from statements(node, everywhere=everywhere)


def imported(name: str, *, everywhere: bool) -> set[str]:
    """Return the modules of ours that a module imports."""
    known, found = modules(), set()
    for node in statements(known[name], everywhere=everywhere):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif node.module and not node.level:
            whole = {f"{node.module}.{one.name}" for one in node.names}
            found |= (whole & known.keys()) or {node.module}
    return (found & known.keys()) - {name}


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return one circle for each place where imports lead back to where they began."""
    found, done, path = [], set[str](), list[str]()

    def visit(name: str) -> None:
        if name in path:
            found.append(path[path.index(name) :])
        elif name not in done:
            path.append(name)
            for other in sorted(graph[name]):
                visit(other)
            done.add(path.pop())

    for name in sorted(graph):
        visit(name)
    return found


def test_no_imports_go_in_a_circle() -> None:
    assert circles({name: imported(name, everywhere=False) for name in modules()}) == []


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == [["a", "b", "c"]]


def layers() -> dict[str, int]:
    """Return the layer of each package, the highest first, as import-linter has them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    found = {}
    for contract in contracts:
        above = f"{contract['containers'][0]}." if "containers" in contract else ""
        for place, line in enumerate(contract.get("layers", ())):
            found |= {f"{above}{name.strip()}": place for name in re.split("[|:]", line)}
    return found


def packages(name: str, known: Mapping[str, int]) -> set[str]:
    return {package for package in known if name == package or name.startswith(f"{package}.")}


def reaching_up() -> Iterator[str]:
    """Yield strings that name a module of a higher layer: whoever loads it goes around an arrow."""
    known = layers()
    for name, tree in modules().items():
        own = packages(name, known)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if not re.fullmatch(r"crosstable(\.\w+)+\.?", node.value):
                continue
            for package in packages(node.value.rstrip("."), known):
                beside = [one for one in own if one.count(".") == package.count(".")]
                if any(
                    known[one] > known[package] and one.rsplit(".", 1)[0] == package.rsplit(".", 1)[0] for one in beside
                ):
                    yield f"{name} line {node.lineno}: {node.value}"


#: Strings that name a higher module without loading it around an arrow
NAMES_ONLY: Mapping[str, str] = {
    "crosstable.office.storage.settings": "Django's list of apps",
}


def test_no_string_reaches_around_an_arrow() -> None:
    """Import-linter sees imports, also those inside functions, but no module that is named in a string."""
    assert [one for one in reaching_up() if one.partition(" ")[0] not in NAMES_ONLY] == []


#: Packages that load what they name when it is asked for, and why
LAZY: Mapping[str, str] = {
    "crosstable": "the public names of the library, of which `import crosstable` loads nothing heavy",
    "crosstable.office": "the public names of the office, whose tables can only be imported after `setup`",
}


def test_no_other_package_loads_its_names_lazily() -> None:
    lazy = {
        name
        for name, tree in modules().items()
        if any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
    }
    assert lazy == LAZY.keys()


def test_small_modules_with_one_importer_beside_them_are_part_of_it() -> None:
    importers: dict[str, set[str]] = {}
    for name in modules():
        for other in imported(name, everywhere=True):
            importers.setdefault(other, set()).add(name)
    found = {
        name
        for name, others in importers.items()
        if len(others) == 1
        and name.startswith(("crosstable.office.", "crosstable.web.desks."))
        and next(iter(others)).rpartition(".")[0] == name.rpartition(".")[0]
        and (modules()[name].body[-1].end_lineno or 0) < SMALL
        and "migrations" not in name
    }
    assert sorted(found - SATELLITES.keys()) == []
