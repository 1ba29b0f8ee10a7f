"""Eight people at their desks at once: nothing lost, nothing half done. `make sim`: 200 rounds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import needs

RUNNER = Path(__file__).with_name("crowd_runner.py")


def _has_postgresql() -> bool:
    installed = any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return bool(os.environ.get("TEST_DATABASE_URL") or shutil.which("initdb") or installed)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_eight_people_lose_nothing_and_see_no_half_state(database: str) -> None:
    if database == "postgresql" and not _has_postgresql():
        needs.missing(needs.POSTGRESQL)
    done = subprocess.run([sys.executable, str(RUNNER), database, "5"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["done"] > 5
    assert report["pages"] > 60
