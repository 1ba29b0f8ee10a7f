"""Proves docs/coverage.md: the tests that a row cites run the code that it cites, by the coverage of each test.

python -m tests.rulebook.cited            # every row: long, `make cited`
python -m tests.rulebook.cited FILE…      # the rows that cite these test files
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from coverage import CoverageData

from tests.rulebook.coverage import ROOT, Covered, covered

Place = tuple[Covered, str]  # a row, and one piece of code that it cites


def unproven(files: Collection[str] = ()) -> list[str]:
    """Return the code that no cited test runs, in words; of the rows that cite one of `files`, or of all."""
    rows = [one for one in covered() if one.where and (not files or set(one.tests) & set(files))]
    wanted = [(one, place) for one in rows for place in one.where]
    tests = sorted({test for one in rows for test in one.tests if not files or test in files})
    left = list(_not_run(wanted, tests))
    if not files:  # what an earlier test has cached does not run again: such rows once more by themselves
        left = [each for each in left if list(_not_run([each], each[0].tests))]
    return [f"{one.document} {one.number}: {', '.join(one.tests)} do not run {place}" for one, place in left]


def _not_run(wanted: Sequence[Place], tests: Sequence[str]) -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as folder:
        data = _run(tests, Path(folder) / "data")
        for one, place in wanted:
            file, _, name = place.partition(": ")
            path = ROOT / "src/crosstable" / file
            contexts = data.contexts_by_lineno(str(path))
            ran = {context.partition("::")[0] for line in _body(path, name) for context in contexts.get(line, ())}
            if not ran & set(one.tests):
                yield one, place


def _run(tests: Sequence[str], data: Path) -> CoverageData:
    """Run test files, and return which test ran which line."""
    options = ["--cov=crosstable", "--cov-context=test", "--cov-report=", "-q", "--no-header"]
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests], check=False, cwd=ROOT, env=environment, capture_output=True
    )
    if done.returncode:
        raise SystemExit(done.stdout.decode()[-4000:])
    found = CoverageData(str(data))
    found.read()
    return found


def _body(path: Path, name: str) -> set[int]:
    """Return the lines of a function's or a class's methods that run when it is called, not when it is defined."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (node,) = [one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name]
    functions = [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef)]
    return {line for one in functions for part in one.body for line in range(part.lineno, (part.end_lineno or 0) + 1)}


if __name__ == "__main__":
    problems = unproven(sys.argv[1:])
    print("\n".join(problems) or "Every row is proven.")
    sys.exit(bool(problems))
