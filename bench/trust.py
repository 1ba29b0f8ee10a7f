"""`make trust`: everything that backs the five promises of docs/trust.md, which it writes.

`python bench/trust.py [--lives N] [--rounds N] [--every N] [--events N] [--files N] [--mutants N]
[--clients N] [--seconds N] [--only PART ...] [--no-page]`. Each part is a program or a set of tests. The page has the
figures of each part's last run with its size; a part that was never run says so. Where a part fails, the exit status
is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "trust.md"
#: The outcome of each part's last run
LAST = ROOT / "docs" / "trust.json"
OFFICE = ROOT / "tests" / "office"
BOTH = ("sqlite", "postgresql")
COUNTS = re.compile(r"(\d+) (passed|failed|skipped|errors?)")


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is run: a command, and what it shows."""

    name: str
    shows: str
    commands: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Promise:
    """What Crosstable promises, and the parts and tests that show it."""

    sentence: str
    parts: Sequence[str]
    tests: Sequence[str]


PROMISES = (
    Promise(
        sentence="An acknowledged result is never lost.",
        parts=("lives", "crashes", "writers", "faults"),
        tests=("tests/office/test_crashes.py", "tests/office/test_faults.py", "tests/office/test_backup.py"),
    ),
    Promise(
        sentence="Nothing half done is visible.",
        parts=("lives", "crashes", "writers", "people", "load"),
        tests=("tests/office/test_one_moment.py", "tests/office/test_writers.py", "tests/office/test_jobs.py"),
    ),
    Promise(
        sentence="Ratings are a pure function of results, rules and order.",
        parts=("equality", "determinism", "mutants"),
        tests=("tests/office/test_replay_equality.py", "tests/replay/test_equals_rate.py"),
    ),
    Promise(
        sentence="Every change can be traced to a person, and its removal is noticed.",
        parts=("audit", "attacks"),
        tests=("tests/office/test_tampering.py", "tests/office/test_audit.py", "tests/office/test_log_of_acts.py"),
    ),
    Promise(
        sentence="No page, file, message or error reveals a private value.",
        parts=("privacy", "attacks", "fuzz"),
        tests=(
            "tests/office/test_free_text.py",
            "tests/office/test_preview_ages.py",
            "tests/office/test_private_facts.py",
        ),
    ),
)


#: The attacks of issue 28, each as a test
ATTACKS = (
    "tests/test_patterns.py",
    "tests/test_security_docs.py",
    "tests/formats/test_guarded_tables.py",
    "tests/formats/test_safety.py",
    "tests/office/test_first_ratings.py",
    "tests/office/test_four_eyes.py",
    "tests/office/test_second_person.py",
    "tests/office/test_sign_up.py",
    "tests/office/test_signing_in.py",
    "tests/office/test_visitors.py",
    "tests/web/test_api_limits.py",
    "tests/web/test_server_limits.py",
    "tests/web/test_serving.py",
    "tests/web/test_visitors.py",
    "tests/web/desks/test_account_safety.py",
    "tests/web/desks/test_accounts.py",
    "tests/web/desks/test_giving_rights.py",
    "tests/web/desks/test_hostile_files.py",
    "tests/web/desks/test_second_factor.py",
    "tests/web/desks/test_security.py",
)
#: What the mutants change
MUTATED = ("systems", "rulebook", "titles", "checks", "privacy", "rating")


def parts(args: argparse.Namespace) -> list[Part]:
    """Return everything that can be run, in the sizes that were asked for."""
    return [*_office_parts(args), *_more_parts(args)]


def _more_parts(args: argparse.Namespace) -> list[Part]:
    python, pytest = sys.executable, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    crowd, mutants = str(ROOT / "tests/web/desks/crowd_runner.py"), str(ROOT / "bench" / "mutants.py")
    each = str(-(-args.mutants // len(MUTATED)))
    return [
        Part(
            name="attacks",
            shows="what broke the office once, or could: tried again as it was, and refused",
            commands=[[*pytest, *ATTACKS]],
        ),
        Part(
            name="people",
            shows=f"eight people at their desks for {args.rounds} rounds: nothing lost, nothing half done",
            commands=[[python, crowd, kind, str(args.rounds)] for kind in BOTH],
        ),
        Part(
            name="fuzz",
            shows=f"{args.files} changed files in each format: findings, never a traceback",
            commands=[[python, "-m", "tests.fuzz.run", "--each", str(args.files)]],
        ),
        Part(
            name="load",
            shows=(
                f"{args.clients} clients against gunicorn on PostgreSQL for {args.seconds} s, reading and writing,"
                " while everything is rated again: no error, nothing lost, p99 under 500 ms"
            ),
            commands=[
                [
                    python,
                    str(ROOT / "bench" / "mixed_load.py"),
                    *["--clients", str(args.clients), "--seconds", str(args.seconds)],
                ]
            ],
        ),
        Part(
            name="mutants",
            shows=f"{args.mutants} small changes to {', '.join(MUTATED)}: how many some test notices",
            commands=[
                [python, mutants, "map"],
                [python, mutants, "run", "--each", each, "--groups", *MUTATED],
            ],
        ),
    ]


def _office_parts(args: argparse.Namespace) -> list[Part]:
    """Return the parts about the ledger."""
    python, pytest = sys.executable, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    lives = str(OFFICE / "seeded_runner.py")
    return [
        Part(
            name="lives",
            shows=(
                f"{args.lives} random lives of an office on each database: acts, kills, failed writes, backups, a wrong"
                " clock"
            ),
            commands=[[python, lives, kind, "1", str(args.lives)] for kind in BOTH],
        ),
        Part(
            name="crashes",
            shows="kill -9 at the writes of six operations: before or after, never between",
            commands=[
                *([python, str(OFFICE / "crash_runner.py"), kind, str(args.every)] for kind in BOTH),
                [*pytest, "tests/office/test_crashes.py", "tests/office/test_backup.py"],
            ],
        ),
        Part(
            name="writers",
            shows=(
                f"eight processes that write for {args.rounds} rounds give the state of one that does the same in order"
            ),
            commands=[[python, str(OFFICE / "writers_runner.py"), kind, "8", str(args.rounds)] for kind in BOTH],
        ),
        Part(
            name="faults",
            shows="a full disk, a lost connection, texts of any length, a worker killed in the middle of a job",
            commands=[
                [*pytest, "tests/office/test_faults.py", "tests/office/test_jobs.py", "tests/office/test_upgrade.py"]
            ],
        ),
        Part(
            name="equality",
            shows=(
                f"{args.events} events and random acts: incremental, from scratch and in a new office, one hash on both"
                " databases"
            ),
            commands=[[python, str(ROOT / "bench" / "office_equality.py"), "--events", str(args.events)]],
        ),
        Part(
            name="determinism",
            shows="compiled replay and `rate` agree bit by bit; one hash with one and two threads",
            commands=[[*pytest, "tests/replay"]],
        ),
        Part(
            name="audit",
            shows="a rating, a role, a game or the end of the log changed behind the office's back is found",
            commands=[[*pytest, *PROMISES[3].tests]],
        ),
        Part(
            name="privacy",
            shows="every role over every page and answer; two offices that differ in one private value answer alike",
            commands=[[*pytest, *dict.fromkeys([*PROMISES[4].tests, *_privacy_tests()])]],
        ),
    ]


def _privacy_tests() -> list[str]:
    """Return the modules about what may be seen by whom."""
    words = ("canar", "oracle", "privacy", "withheld", "inversion")
    found = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if any(word in path.name for word in words)]
    return [str(path.relative_to(ROOT)) for path in found]


@dataclass(frozen=True, slots=True)
class Outcome:
    ok: bool
    seconds: float
    figures: str


def run(part: Part) -> Outcome:
    """Run a part; its figures come from its JSON lines or from pytest's last line."""
    started, ok, figures = time.monotonic(), True, []
    for command in part.commands:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=dict(os.environ))
        ok = ok and done.returncode == 0
        figures += _figures(done.stdout)
        if done.returncode:
            sys.stderr.write(done.stdout[-4000:] + done.stderr[-4000:])
    return Outcome(ok, time.monotonic() - started, "; ".join(figures))


def _figures(output: str) -> list[str]:
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    if lines:
        keep = (
            "kind",
            "database",
            "op",
            "lives",
            "steps",
            "points",
            "tried",
            "rounds",
            "acts",
            "events",
            "changes",
            "hash",
            "requests",
            "rerates",
            "errors",
            "lost",
            "p50",
            "p99",
            "slow",
        )
        return [" ".join(f"{key} {_short(line[key])}" for key in keep if key in line) for line in lines]
    counts = COUNTS.findall(output.splitlines()[-1] if output.strip() else "")
    return [" ".join(f"{count} {what}" for count, what in counts)] if counts else []


def _short(value: object) -> object:
    """Return a table of counts as their sum: the page is for readers."""
    return sum(value.values()) if isinstance(value, dict) else value


def keep(part: Part, outcome: Outcome) -> None:
    """Write down how a part came out, in place of its last outcome."""
    known = json.loads(LAST.read_text()) if LAST.exists() else {}
    known[part.name] = {
        "shows": part.shows,
        "on": f"{datetime.now(UTC):%Y-%m-%d}",
        "with": f"Python {platform.python_version()}, {os.cpu_count()} cores",
        **asdict(outcome),
    }
    LAST.write_text(json.dumps(known, indent=1) + "\n")


def write_page(everything: Sequence[Part]) -> None:
    """Write docs/trust.md: the promises with their tests, and what each part gave when it was last run."""
    known = json.loads(LAST.read_text()) if LAST.exists() else {}
    lines = ["# Trust", "", INTRODUCTION, ""]
    for number, promise in enumerate(PROMISES, 1):
        tests = ", ".join(f"`{test}`" for test in promise.tests)
        lines += [
            f"{number}. **{promise.sentence}** Shown by {', '.join(promise.parts)} below; in `make test`: {tests}."
        ]
    lines += ["", "## The last run of each part", ""]
    lines += ["| part | what it shows, in the size of that run | result | figures | seconds | when |"]
    lines += ["|---|---|---|---|---|---|"]
    for part in everything:
        if one := known.get(part.name):
            result = "passed" if one["ok"] else "**failed**"
            cells = (one["shows"], result, one["figures"], f"{one['seconds']:.0f}", f"{one['on']}, {one['with']}")
        else:
            cells = (part.shows, "**not run yet**", "", "", "")
        lines.append(f"| {' | '.join((part.name, *cells))} |")
    PAGE.write_text("\n".join([*lines, "", REST]))


INTRODUCTION = """Five promises, and what shows that they hold. `make trust` runs it all and writes this page; smaller
versions of every part but the load and the mutants are in `make test`."""

REST = """## What is not promised

Exact ratings of newcomers are published as the rules prescribe, and a first rating depends on an age:
[privacy](security/threat-model.md) says what follows from that, and how an office can hold such ratings back.
Security requirements one by one: [ASVS](security/asvs.md).
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lives", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--files", type=int, default=200_000)
    parser.add_argument("--mutants", type=int, default=500)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--no-page", action="store_true")
    args = parser.parse_args()
    everything, failed = parts(args), []
    for part in everything:
        if not args.only or part.name in args.only:
            outcome = run(part)
            failed += [] if outcome.ok else [part.name]
            if not args.no_page:
                keep(part, outcome)
                write_page(everything)
            said = "passed" if outcome.ok else "FAILED"
            print(f"{part.name}: {said} in {outcome.seconds:.0f} s: {outcome.figures}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
