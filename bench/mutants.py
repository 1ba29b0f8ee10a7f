"""Change the sources in small ways and count the changes that the tests notice.

    python bench/mutants.py map                 record which tests run which lines, and how long each test takes
    python bench/mutants.py run --each 50       test a fixed sample: so many mutants of each group of modules

Each mutant is one changed expression in a copy of the project. The tests that run its line are tried, the quickest
first, until one fails. A mutant that all of them pass has survived: no test says what that expression should be, or the
change makes no difference. A run begins with a process that has loaded the libraries, and forks for each mutant.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
MAP = RESULTS / "mutants-map.json"
#: group → its modules
GROUPS: dict[str, tuple[str, ...]] = {
    "systems": ("systems/*.py", "systems/us_chess/*.py"),
    "rulebook": ("rulebook/*.py",),
    "titles": ("titles/*.py",),
    "checks": ("checks/*.py",),
    "rating": ("office/rating/*.py",),
    "reports": ("office/reports/*.py",),
    "privacy": ("systems/privacy.py",),
}
COMPARISONS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
#: Parts of the tree that do nothing when the program runs, or whose places Python 3.11 does not give
SKIPPED_FIELDS = frozenset({"annotation", "returns", "decorator_list"})
SKIPPED_NODES = (ast.JoinedStr, ast.Import, ast.ImportFrom)
#: What pytest's exit code says of a mutant. 2 and 4: the tests cannot even be collected; without a mutant they can
OUTCOMES = {None: "timed out", 1: "killed", 2: "killed", 4: "killed"}
#: The first batch of tests for a mutant takes about so many seconds: most mutants die in it
FIRST_BATCH = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One replaced piece of a file: bytes `start` to `end` become `new`."""

    group: str
    file: str
    line: int
    statement: int  # the line on which its statement begins
    start: int
    end: int
    old: str
    new: str


# Making mutants


def replacements(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield (expression, its new text) for each mutation that begins at this node."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            yield node, _text(ast.Compare(node.left, [COMPARISONS[type(operator)]()], node.comparators))
        case ast.BinOp(op=operator) if type(operator) in ARITHMETIC and not _has_text(node):
            yield node, _text(ast.BinOp(node.left, ARITHMETIC[type(operator)](), node.right))
        case ast.BoolOp(op=operator):
            yield node, _text(ast.BoolOp(ast.And() if isinstance(operator, ast.Or) else ast.Or(), node.values))
        case ast.UnaryOp(op=ast.Not()):
            yield node, _text(node.operand)
        case ast.Constant(value=bool(value)):
            yield node, repr(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield node, repr(value + 1)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not isinstance(test, ast.Compare | ast.UnaryOp | ast.BoolOp):
                yield test, f"(not ({ast.unparse(test)}))"
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield value, "None"


def _text(node: ast.AST) -> str:
    return f"({ast.unparse(node)})"


def _has_text(node: ast.AST) -> bool:
    return any(
        isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in ast.walk(node)
    )


def walk(node: ast.AST, statement: int) -> Iterator[tuple[ast.AST, int]]:
    """Yield every node that runs, with the line on which its statement begins."""
    for field, value in ast.iter_fields(node):
        if field in SKIPPED_FIELDS:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, SKIPPED_NODES):
                line = child.lineno if isinstance(child, ast.stmt) else statement
                yield child, line
                yield from walk(child, line)


def mutants_of(group: str, path: Path) -> Iterator[Mutant]:
    """Yield the mutants of a file that still compile."""
    data = path.read_bytes()
    starts = [0]
    for row in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    file = path.relative_to(ROOT).as_posix()
    for node, statement in walk(ast.parse(data), 1):
        for place, new in replacements(node):
            start = starts[place.lineno - 1] + place.col_offset
            end = starts[(place.end_lineno or place.lineno) - 1] + (place.end_col_offset or 0)
            one = Mutant(
                group=group,
                file=file,
                line=place.lineno,
                statement=statement,
                start=start,
                end=end,
                old=data[start:end].decode(),
                new=new,
            )
            if compiles(changed(data, one)):
                yield one


def changed(data: bytes, mutant: Mutant) -> bytes:
    return data[: mutant.start] + mutant.new.encode() + data[mutant.end :]


def compiles(data: bytes) -> bool:
    try:
        compile(data, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def sample(each: int, seed: int) -> list[Mutant]:
    """Return the same mutants for the same sources: `each` of every group, in random order within it."""
    chosen: list[Mutant] = []
    taken: set[Path] = set()
    for group in sorted(GROUPS, key=lambda name: len(GROUPS[name])):  # a module belongs to its narrowest group
        paths = sorted({path for pattern in GROUPS[group] for path in (ROOT / "src/crosstable").glob(pattern)} - taken)
        taken.update(paths)
        found = [mutant for path in paths for mutant in mutants_of(group, path)]
        chosen += random.Random(f"{seed} {group}").sample(found, min(each, len(found)))
    return chosen


# Which tests run which lines


class Recorder:
    """Note for every test the lines that it runs, its processor time and its fixtures."""

    def __init__(self, coverage: Any) -> None:
        self.coverage = coverage
        self.tests: dict[str, dict[str, Any]] = {}
        self.fixtures: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        began, others = seconds(), sum(self.fixtures.values())
        done = yield
        own = seconds() - began - (sum(self.fixtures.values()) - others)
        self.tests[item.nodeid] = {"seconds": round(own, 3), "fixtures": item.fixturenames}
        return done

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        began, others = seconds(), sum(self.fixtures.values())
        done = yield
        if fixturedef.scope != "function":
            own = seconds() - began - (sum(self.fixtures.values()) - others)
            self.fixtures[fixturedef.argname] = max(self.fixtures.get(fixturedef.argname, 0.0), own)
        return done


def seconds() -> float:
    """Return the processor time of this process and of its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def record(arguments: Sequence[str], target: Path) -> int:
    """Run the tests under coverage and write the map."""
    from coverage import Coverage

    include = [str(ROOT / "src/crosstable" / pattern) for patterns in GROUPS.values() for pattern in patterns]
    coverage = Coverage(data_file=None, include=include, config_file=False)
    recorder = Recorder(coverage)
    coverage.start()
    status = pytest.main(["-q", *arguments], plugins=[recorder])
    coverage.stop()
    data = coverage.get_data()
    lines = {
        Path(file).relative_to(ROOT).as_posix(): {
            line: sorted(set(contexts) - {""}) for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({"tests": recorder.tests, "fixtures": recorder.fixtures, "lines": lines}))
    print(f"{len(recorder.tests)} tests, {len(lines)} files: {target}")
    return int(status)


def covering(known: Mapping[str, Any], mutant: Mutant) -> list[str]:
    """Return the tests that run the mutant's line (for a module's own line: any of its lines), the quickest first."""
    lines: Mapping[str, list[str]] = known["lines"].get(mutant.file, {})
    found = (
        lines.get(str(mutant.line))
        or lines.get(str(mutant.statement))
        or {name for one in lines.values() for name in one}
    )
    return sorted((name for name in found if name in known["tests"]), key=lambda name: (cost(known, name), name))


def cost(known: Mapping[str, Any], name: str) -> float:
    test = known["tests"][name]
    shared = {*test["fixtures"], *(("postgres_server", "postgres_template") if "[postgresql" in name else ())}
    return float(test["seconds"] + sum(known["fixtures"].get(one, 0.0) for one in shared))


def batches(known: Mapping[str, Any], names: Sequence[str], limit: float) -> Iterator[list[str]]:
    """Split the tests into a first batch and the rest, together within `limit` seconds of processor time."""
    total, first, rest = 0.0, list[str](), list[str]()
    for name in names:
        total += known["tests"][name]["seconds"]
        if total > limit and (first or rest):
            break
        (first if total <= FIRST_BATCH else rest).append(name)
    yield from (batch for batch in (first, rest) if batch)


# Running


def copied(folder: Path) -> Path:
    """Copy the project, with bytecode, so that a mutant's process compiles the changed module only."""
    project = folder / "project"
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, project / name)
    if (ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(ROOT.parent / "shared")
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(project / "src")], check=True)
    return project


def attempt(project: Path, tests: Sequence[str], log: Path, timeout: float) -> int | None:
    """Return pytest's exit code for these tests in a forked process, or None if they took too long."""
    child = os.fork()
    if not child:
        os.setsid()
        os.chdir(project)
        out = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.path[:] = [
            str(project),
            str(project / "src"),
            *(one for one in sys.path if not one.startswith(str(ROOT / "src"))),
        ]
        os.environ.update(PYTHONPATH=str(project / "src"), PYTHONDONTWRITEBYTECODE="1")
        os._exit(pytest.main(["-x", "-q", "--no-header", *tests]))
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    for number in (signal.SIGINT, signal.SIGKILL):  # first let the fixtures stop what they have started
        os.killpg(child, number)
        for _ in range(200):
            if os.waitpid(child, os.WNOHANG)[0]:
                return None
            time.sleep(0.1)
    return None


def outcome(project: Path, known: Mapping[str, Any], mutant: Mutant, options: argparse.Namespace) -> dict[str, Any]:
    """Apply the mutant, try its tests, and undo it."""
    path, log = project / mutant.file, project.parent / "log.txt"
    original, times = path.read_bytes(), path.stat()
    cached = [*(path.parent / "__pycache__").glob(f"{path.stem}.*.pyc")]
    hidden = [one.rename(one.with_suffix(".kept")) for one in cached]
    result: dict[str, Any] = {**asdict(mutant), "outcome": "survived", "tests": 0, "by": ""}
    path.write_bytes(changed(original, mutant))
    try:
        for batch in batches(known, covering(known, mutant), options.seconds):
            code = attempt(project, batch, log, options.timeout)
            result["tests"] += len(batch)
            if code != 0:
                result["outcome"] = OUTCOMES.get(code, f"pytest said {code}")
                said = [
                    line
                    for line in log.read_text(errors="replace").splitlines()
                    if line.startswith(("FAILED", "ERROR"))
                ]
                result["by"] = said[-1].split(" - ")[0] if said else ""
                break
        else:
            result["outcome"] = "survived" if result["tests"] else "no test runs it"
    finally:
        path.write_bytes(original)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        for one in hidden:
            one.rename(one.with_suffix(".pyc"))
    return result


def run(options: argparse.Namespace) -> int:
    """Try every mutant of the sample, or those that survived in an earlier result."""
    for name in ("django.test", "numba", "polars", "scipy.optimize", "lxml.html", "openpyxl", "hypothesis", "xdist"):
        importlib.import_module(name)
    known = json.loads(options.map.read_text())
    mutants = [mutant for mutant in sample(options.each, options.seed) if mutant.group in options.groups]
    if options.only:
        earlier = {_key(one) for one in json.loads(options.only.read_text()) if one["outcome"] != "killed"}
        mutants = [mutant for mutant in mutants if _key(asdict(mutant)) in earlier]
    results: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="crosstable-mutants-") as folder:
        project = copied(Path(folder))
        if attempt(project, ["--collect-only", *known["tests"]], Path(folder) / "log.txt", options.timeout) != 0:
            print(f"{options.map} names tests that are not there: record it again", file=sys.stderr)
            return 1
        for number, mutant in enumerate(mutants, start=1):
            results.append(outcome(project, known, mutant, options))
            one = results[-1]
            print(
                f"{number}/{len(mutants)} {one['outcome']}: {mutant.file}:{mutant.line} {mutant.old!r} → {mutant.new!r}"
            )
            print(f"    {one['tests']} tests {one['by']}", flush=True)
            options.out.parent.mkdir(parents=True, exist_ok=True)
            options.out.write_text(json.dumps(results, indent=1))
    summarize(results)
    return 0


def _key(mutant: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(mutant[name] for name in ("file", "start", "end", "new"))


def summarize(results: Sequence[Mapping[str, Any]]) -> None:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in results:
        counts[one["group"]][one["outcome"]] += 1
    counts["all"] = sum(counts.values(), Counter())
    for group, found in counts.items():
        print(f"{group:10}", ", ".join(f"{count} {what}" for what, count in found.most_common()))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--map", type=Path, default=MAP, help="the map of tests and lines")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("map", help="record the map").add_argument(
        "tests", nargs=argparse.REMAINDER, help="as pytest takes them"
    )
    one = verbs.add_parser("run", help="test the sample")
    one.add_argument("--each", type=int, default=50, help="mutants of each group")
    one.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    one.add_argument("--seed", type=int, default=23)
    one.add_argument("--seconds", type=float, default=60.0, help="processor time of the tests tried for each mutant")
    one.add_argument("--timeout", type=float, default=600.0, help="wall time of a batch of tests")
    one.add_argument("--only", type=Path, help="a result: only what was not killed in it")
    one.add_argument("--out", type=Path, default=RESULTS / "mutants.json")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    return record(options.tests, options.map) if options.verb == "map" else run(options)


if __name__ == "__main__":
    sys.exit(main())
