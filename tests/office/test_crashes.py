"""Killed at a write, the office is as before or as after, never between, and the next run just works.

Here some points of every operation, on both databases; `make sim` tries all of them (bench/office_crashes.py).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

RUNNER = Path(__file__).with_name("crash_runner.py")
#: Every so-many-th point; the last two, around the last COMMIT, are always among them
EVERY = 25
OPERATIONS = ["import", "submit", "accept", "correct", "rerate", "publish"]


@pytest.mark.both_databases
def test_killed_at_a_write_nothing_is_half_done(
    database: str, program_environment: Callable[[str], dict[str, str]]
) -> None:
    command = [sys.executable, str(RUNNER), database, str(EVERY), *OPERATIONS]
    done = subprocess.run(command, env=program_environment(database), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["op"] for report in reports] == OPERATIONS
    for report in reports:
        assert report["failures"] == []
        assert report["before"] >= 1
        assert report["after"] >= 1
