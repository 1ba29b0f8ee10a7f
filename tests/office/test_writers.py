"""Writers at once: as if one after the other, nothing lost, nothing but clean refusals. `make sim`: eight, 500 rounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import office_postgres
from tests import needs

RUNNER = Path(__file__).with_name("writers_runner.py")


def test_writers_at_once_equal_some_order(database: str) -> None:
    if database == "postgresql" and not os.environ.get("TEST_DATABASE_URL") and office_postgres.binaries() is None:
        needs.missing(needs.POSTGRESQL)
    command = [sys.executable, str(RUNNER), database, "4", "12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert (report["wrong"], report["lost"], report["differs_from_serial"]) == ([], [], [])
    assert report["done"] > 10
