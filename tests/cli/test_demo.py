"""The demo ends as quietly as it began; that it is made and served has its tests in test_readme.py and web/."""

from __future__ import annotations

import subprocess
import sys

STOPPED = """
import threading, time
from crosstable.cli import demo
threading.Thread(target=demo._end_with_parent, daemon=True).start()
time.sleep(0.3)  # the thread waits for its parent's end; now Ctrl+C ends this process
"""


def test_the_club_beside_it_is_stopped_without_a_word() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STOPPED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b""
        assert process.wait() == 0
