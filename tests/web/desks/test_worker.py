"""The worker that `crosstable serve` starts: it does what pages ask for, and another takes its place when it is
killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from crosstable.cli import worker
from crosstable.office.jobs import running
from crosstable.office.people.users import acting_as
from crosstable.office.storage import database
from crosstable.web import jobs

LONGEST = 120


def finished(number: int) -> running.Shown:
    """How the job ended."""
    until = time.monotonic() + LONGEST
    while (shown := running.job(acting_as("olive"), number)).open and time.monotonic() < until:
        time.sleep(0.1)
    return shown


def test_jobs_are_done_beside_the_pages_and_a_killed_worker_is_replaced(desk_office: str) -> None:
    olive = acting_as("olive")
    with worker.beside(desk_office) as child:
        first = jobs.begin(olive, "rerate", "Every rating anew", {"reason": "to be sure"}).id
        done = finished(first)
        assert (done.state, done.result["players"]) == ("done", 0)  # nothing has changed since
        (killed,) = child
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        second = jobs.begin(olive, "correct", "A correction that is not there", {"request": 99}).id
        assert finished(second).error == "there is no correction request 99 for you"
        (another,) = child
        assert another.pid != killed.pid
    assert another.wait(LONGEST) == 0  # it goes with the pages


def test_a_worker_that_is_told_to_end_ends_in_silence(desk_office: str) -> None:
    """As a service manager ends it, with its parent's end of the pipe still open."""
    command = [sys.executable, "-m", "crosstable", "worker", "--with-parent"]
    environment = {**os.environ, database.VARIABLE: desk_office}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as child:
        finished(jobs.begin(acting_as("olive"), "correct", "A correction that is not there", {"request": 99}).id)
        child.terminate()
        assert child.wait(LONGEST) == 0
        assert b"Fatal Python error" not in (child.stderr.read() if child.stderr else b"")
