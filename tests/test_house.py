"""The house rules that a tool can check: light imports, lock file, documents, no machine in the tree."""

from __future__ import annotations

import ast
import io
import json
import re
import shutil
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import crosstable
from crosstable.cli import VERBS
from tests import conftest

ROOT = Path(__file__).parents[1]
HEAVY = {"django", "numba", "polars", "numpy", "scipy", "openpyxl", "lxml", "matplotlib"}


def imported_by(code: str) -> set[str]:
    script = (
        f"import sys\n{code}\nimport json\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    )
    output = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return set(json.loads(output.splitlines()[-1]))


def test_import_crosstable_is_light() -> None:
    assert imported_by("import crosstable") & HEAVY == set()


@pytest.mark.parametrize("options", [[], ["--explain", "30000004"], ["--json"]])
def test_rate_is_light(options: list[str]) -> None:
    arguments = ["rate", "examples/riverside-open.json", *options]
    assert imported_by(f"from crosstable.cli import main\nassert main({arguments!r}) == 0") & HEAVY == set()


LOCKS = {path.stem: path.read_text() for path in (ROOT / "requirements").glob("*.lock")}


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_a_lock_file_has_hashes_and_no_addresses(lock: str) -> None:
    assert "--hash=sha256:" in lock
    assert "://" not in lock


def locked(name: str) -> set[str]:
    return {line.split()[0] for line in LOCKS[name].splitlines() if "==" in line}


def test_what_runs_is_a_part_of_what_is_developed_with() -> None:
    """`make demo` installs nothing of the tests and the lab, and no version that the tests have not seen."""
    assert locked("run") <= locked("lab") <= locked("dev")
    names = {one.partition("==")[0] for one in locked("run")}
    assert not names & {
        "distributed",
        "altair",
        "vl-convert-python",
        "pandas",
        "pyarrow",
        "mypy",
        "playwright",
        "pytest",
    }


def test_every_verb_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f"`{verb}" not in page] == []


def test_every_verb_has_help() -> None:
    for verb in VERBS:
        result = subprocess.run(
            [sys.executable, "-m", "crosstable", verb, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, (verb, result.stderr)


@pytest.mark.skipif(not shutil.which("git"), reason="git lists the files of the tree")
def test_no_machine_paths_in_the_tree() -> None:
    here = str(ROOT.parent) + "/"
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for name in files:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".json", ".yml", ".txt", ""} and path.is_file():
            assert here not in path.read_text(encoding="utf-8", errors="replace"), name


def test_the_version_is_the_changelogs() -> None:
    assert f"## {crosstable.__version__}" in (ROOT / "CHANGELOG.md").read_text()


# Sizes: what grows past a screen is split where the domain splits. Compiled code is apart: formulas (`@formula`) take
# what the documents name, one number each, and kernels keep a loop in one piece.

FOLDERS = ("src", "tests", "bench")
LINES, PARAMETERS = 60, 8


def modules(*folders: str) -> Iterator[tuple[str, str]]:
    """Each module below these folders: its path and its text."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def our_own(*folders: str) -> Iterator[tuple[str, str]]:
    """The same without migrations: Django writes those."""
    return ((module, text) for module, text in modules(*folders) if "/migrations/" not in module)


def functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Each function that is not compiled: its name, lines and parameters (self and cls apart)."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if any(isinstance(mark, ast.Name) and mark.id == "formula" for mark in node.decorator_list):
            continue
        arguments = node.args
        named = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        count = len(named) - (named[:1] in (["self"], ["cls"])) + bool(arguments.vararg) + bool(arguments.kwarg)
        yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1, count


def test_functions_fit_a_screen() -> None:
    long = [
        f"{module} {name}: {lines} lines, {parameters} parameters"
        for module, text in our_own("src")
        for name, lines, parameters in functions(text)
        if lines > LINES or parameters > PARAMETERS
    ]
    assert not long, f"more than {LINES} lines or {PARAMETERS} parameters; split these:\n" + "\n".join(long)


#: Packages whose functions take records and words. Formulas and kernels take what the documents name, one number each.
WITH_KEYWORDS = ("office", "web", "club", "cli", "words", "formats", "browser", "checks", "fixes", "model", "titles")
POSITIONAL = 5
#: Functions that take any number of things of one kind
OF_ONE_KIND = (
    "values_list",
    "format_html",
    "zip",
    "struct.pack",
    "suggest",
    "element",
    "partial",
    "seal",
    "_check_numbers",
    "rating_floor",
)


def positional_calls(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the function of each call with more positional arguments than anyone can tell apart."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and len(node.args) > POSITIONAL:
            name = ast.unparse(node.func)
            if not name.endswith(OF_ONE_KIND) and not any(isinstance(one, ast.Starred) for one in node.args):
                yield node.lineno, name


def test_calls_name_their_arguments() -> None:
    folders = [f"src/crosstable/{name}" for name in WITH_KEYWORDS]
    found = [f"{module}:{line} {name}" for module, text in our_own(*folders) for line, name in positional_calls(text)]
    assert not found, f"more than {POSITIONAL} positional arguments; name them:\n" + "\n".join(found)


def test_a_positional_call_is_found() -> None:
    assert list(positional_calls("Line(1, 2, 3, 4, 5, 6)\nzip(a, b, c, d, e, f)\nLine(1, name=2)")) == [(1, "Line")]


WIDTH = 120


def texts_of_code() -> Iterator[tuple[str, str]]:
    """Each module, template and file of SQL: its path and its text."""
    yield from our_own(*FOLDERS, "docs", "site", "packaging")
    for path in (*ROOT.glob("src/**/*.html"), *ROOT.glob("src/**/*.sql")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_lines_are_within_the_width() -> None:
    """Strings and docstrings too, which the formatter leaves as they are; a template's line can end in a backslash."""
    long = [
        f"{name}:{number}"
        for name, text in texts_of_code()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > WIDTH
    ]
    assert not long, f"more than {WIDTH} characters:\n" + "\n".join(long)


def test_the_formatter_formats_everything() -> None:
    mark = "fmt: " + "skip"
    assert [module for module, text in modules(*FOLDERS) if mark in text] == []


#: What a checker is told to pass over, with the codes
PASSED_OVER = re.compile(r"noqa(: *[A-Z]+[0-9]+(, *[A-Z]+[0-9]+)*)?|type: ignore(\[[a-z, -]+\])?")


def passed_over_without_reason(text: str) -> Iterator[int]:
    """Lines whose comment is a `noqa` or `type: ignore` and nothing else."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        words, codes = PASSED_OVER.subn("", token.string)
        if token.type == tokenize.COMMENT and codes and not re.search(r"\w", words):
            yield token.start[0]


def test_what_checkers_pass_over_has_its_reason_beside_it() -> None:
    bare = [f"{module}:{line}" for module, text in modules(*FOLDERS) for line in passed_over_without_reason(text)]
    assert not bare, "say why behind the code, as in `# noqa: S105  no secret`:\n" + "\n".join(bare)


def test_a_bare_noqa_is_found() -> None:
    code = "noqa: S105"
    lines = [f"a = 1  # {code}", f"b = 1  # {code}  no secret", f"c = 1  # no secret  # {code}", f'd = "# {code}"']
    assert list(passed_over_without_reason("\n".join(lines))) == [1]


# The tests carry what they need. Only tests/conftest.py names the folder beside the checkout; every other test gets it
# from the fixture `shared`, and carries the mark of the same name.

SHARED = re.compile(r"(?:^|/)shared(?:/|$)")


def strings(text: str) -> Iterator[tuple[int, str]]:
    """Yield each string of a module with its line, docstrings apart."""
    nodes = list(ast.walk(ast.parse(text)))
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docstrings:
            yield node.lineno, node.value


def test_only_the_fixture_knows_the_shared_folder() -> None:
    named = [
        f"{module}:{line}"
        for module, text in modules("tests")
        if module not in ("tests/conftest.py", "tests/test_house.py")
        for line, string in strings(text)
        if SHARED.search(string)
    ]
    assert not named, "use the fixture `shared` and the mark @pytest.mark.shared instead:\n" + "\n".join(named)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('"""Files of ../shared/data."""', False),
        ("shared = 'shared memory'", False),
        ("folder = ROOT.parent / 'shared'", True),
        ("folder = Path('../shared/data')", True),
        ("folder = f'{root}/shared/data'", True),
        ("request.getfixturevalue('shared')", True),
    ],
)
def test_a_path_to_the_shared_folder_is_found(code: str, found: bool) -> None:
    assert any(SHARED.search(string) for _, string in strings(code)) is found


@pytest.mark.parametrize(
    ("fixture", "marked", "present", "outcome"),
    [
        ("shared", False, True, pytest.fail.Exception),
        ("shared", False, False, pytest.fail.Exception),
        ("shared", True, False, pytest.skip.Exception),
        ("shared", True, True, None),
        ("tmp_path", False, False, None),
    ],
)
def test_the_fixture_needs_the_mark(
    fixture: str, marked: bool, present: bool, outcome: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "SHARED", tmp_path if present else tmp_path / "absent")
    item: Any = SimpleNamespace(fixturenames=[fixture], get_closest_marker=lambda name: marked and name == "shared")
    if outcome is None:
        conftest.pytest_runtest_setup(item)
    else:
        with pytest.raises(outcome):
            conftest.pytest_runtest_setup(item)
