"""Writers at once: as if one after the other, nothing lost, nothing but clean refusals.

`make sim`: eight, 500 rounds.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

RUNNER = Path(__file__).with_name("writers_runner.py")


@pytest.mark.both_databases
def test_writers_at_once_equal_some_order(database: str, program_environment: Callable[[str], dict[str, str]]) -> None:
    command = [sys.executable, str(RUNNER), database, "4", "12"]
    done = subprocess.run(command, env=program_environment(database), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert (report["wrong"], report["lost"], report["differs_from_serial"]) == ([], [], [])
    assert report["done"] > 10
