"""Jobs: asked for, run, watched; a job that is killed leaves the state before, says so, and can be started again."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from simulated import ADMIN, data, document

from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.office.jobs import heartbeat, running
from crosstable.office.jobs.models import Job
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Event, RatingRow
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.reports import accepting, events, submissions

pytestmark = pytest.mark.both_databases

RUNNER = Path(__file__).with_name("job_runner.py")
PEOPLE = ["30000001", "30000002", "30000003", "30000004"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (2, 1, 4, "1/2-1/2"), (2, 2, 3, "1-0")]


@pytest.fixture
def olive(office: str) -> Actor:
    office_settings.create()
    users.add_user(ADMIN, "olive", Role.OFFICER)
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    return users.acting_as("olive")


def queued(olive: Actor, count: int = 3) -> list[str]:
    numbers = [f"E{place}" for place in range(count)]
    for place, number in enumerate(numbers):
        content = document(f"Open {place}", date(2025, 3, 1) + timedelta(days=7 * place), PEOPLE, GAMES)
        submissions.submit(users.acting_as("dora"), data(content), "open.json", number)
    return numbers


def test_several_events_are_accepted_in_one_job(olive: Actor) -> None:
    numbers = queued(olive)
    job = running.start(olive, "accept", "Three events", {"events": numbers})
    assert running.job(olive, job.id).state == "waiting"
    assert running.run(job.id) == "done"
    shown = running.job(olive, job.id)
    assert (shown.state, shown.result["accepted"], shown.result["players"]) == ("done", numbers, 4)
    assert Event.objects.filter(status=Event.ACCEPTED).count() == 3
    assert running.run(job.id) == "done"  # a second worker finds nothing to do
    with pytest.raises(OfficeError, match="nothing to start again"):
        running.again(olive, job.id)


def test_one_that_cannot_be_rated_does_not_hold_up_the_others(olive: Actor) -> None:
    numbers = queued(olive)
    broken = document("Broken", date(2025, 4, 5), PEOPLE, [*GAMES, (3, 1, 9, "1-0")])
    submissions.submit(users.acting_as("dora"), data(broken), "broken.json", "X")
    job = running.start(olive, "accept", "Four events", {"events": [*numbers, "X"]})
    assert running.run(job.id) == "done"
    result = running.job(olive, job.id).result
    assert result["accepted"] == numbers
    assert "section 1" in result["refused"]["X"]
    assert events.find("X").status == Event.SUBMITTED


def test_a_job_that_fails_says_why_and_changes_nothing(olive: Actor) -> None:
    job = running.start(olive, "correct", "A correction that is not there", {"request": 99})
    assert running.run(job.id) == "failed"
    shown = running.job(olive, job.id)
    assert (shown.error, shown.again) == ("there is no correction request 99 for you", True)
    assert running.again(olive, job.id).state == Job.WAITING


def test_what_only_reads_changes_nothing_and_counts_what_it_reads(olive: Actor) -> None:
    accepting.accept_many(olive, queued(olive))
    before = RatingRow.objects.count()
    look = running.start(olive, "look", "A look", {})
    assert running.run(look.id) == "done"
    assert running.job(olive, look.id).result["preview"]
    proof = running.start(olive, "verify", "A proof", {})
    assert running.run(proof.id) == "done"
    shown = running.last(olive, "verify")
    assert shown is not None
    assert (shown.number, shown.unit, shown.result["ok"]) == (proof.id, "entry", True)
    assert RatingRow.objects.count() == before


def test_jobs_from_the_shell(olive: Actor, office: str, capsys: pytest.CaptureFixture[str]) -> None:
    running.run(running.start(olive, "correct", "A correction that is not there", {"request": 99}).id)
    assert main(["office", "--db", office, "--as", "olive", "jobs"]) == 0
    assert "A correction that is not there" in capsys.readouterr().out
    assert main(["office", "--db", office, "--as", "olive", "jobs", str(Job.objects.get().id)]) == 0
    assert "failed\n  there is no correction request 99 for you" in capsys.readouterr().out


def test_who_may(olive: Actor) -> None:
    dora = users.acting_as("dora")
    for act in (lambda: running.start(dora, "rerate", "Everything", {}), lambda: running.jobs(dora)):
        with pytest.raises(NotAllowedError):
            act()
    with pytest.raises(OfficeError, match="is not a kind of job"):
        running.start(olive, "format", "The disk", {})
    job = running.start(olive, "rerate", "Everything", {})
    users.set_role(ADMIN, "olive", Role.PLAYER, "has left")  # before the worker came to it
    assert running.run(job.id) == "failed"
    assert "may not rating.rerate" in Job.objects.get().error


@pytest.fixture
def stuck(olive: Actor, office: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A job that another process is in the middle of: everything is written, nothing is committed."""
    number = running.start(olive, "accept", "Three events", {"events": queued(olive)}).id
    command = [sys.executable, str(RUNNER), office, str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "in the middle"
        yield number, process
        process.kill()


def test_a_killed_job_leaves_the_state_before_and_can_be_started_again(
    olive: Actor, stuck: tuple[int, subprocess.Popen[str]]
) -> None:
    number, process = stuck
    shown = running.job(olive, number)
    assert (shown.state, shown.done, shown.total) == ("running", 31, 53)
    with pytest.raises(OfficeError, match="running already"):
        running.run(number)
    process.send_signal(signal.SIGKILL)
    process.wait()
    for _ in range(200):  # PostgreSQL notices a moment later that nobody is there any more
        if running.job(olive, number).state == running.STOPPED:
            break
    assert running.job(olive, number).state == running.STOPPED
    assert heartbeat.running([number]) == {}
    assert not Event.objects.filter(status=Event.ACCEPTED).exists()
    assert not RatingRow.objects.exists()
    assert [one.number for one in running.current(olive)] == [number]
    running.again(olive, number)
    assert running.run(number) == "done"
    assert Event.objects.filter(status=Event.ACCEPTED).count() == 3
