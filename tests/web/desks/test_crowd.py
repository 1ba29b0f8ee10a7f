"""Eight people at their desks at once: nothing lost, nothing half done. `make sim`: 200 rounds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

RUNNER = Path(__file__).with_name("crowd_runner.py")


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_eight_people_lose_nothing_and_see_no_half_state(
    database: str, program_environment: Callable[[str], dict[str, str]]
) -> None:
    done = subprocess.run(
        [sys.executable, str(RUNNER), database, "5"],
        env=program_environment(database),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["done"] > 5
    assert report["pages"] > 60
