"""Faults below the office: a full disk, a lost connection to the database, and random lives with all kinds of
faults.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import logical
import pytest
from django.db import DatabaseError, connection, connections
from simulated import OFFICER, Federation, data

from crosstable.errors import CrosstableError
from crosstable.office import setup
from crosstable.office.ledger import office_settings
from crosstable.office.rating import rerating
from crosstable.office.reports import accepting, submissions

SPACE = 48 * 1024
LIVES = Path(__file__).with_name("seeded_runner.py")


def season() -> str:
    """An office with a few rated events, and the number of one that waits."""
    office_settings.create()
    federation = Federation(3, size=24)
    federation.fill(6)
    return submissions.submit(OFFICER, data(federation.event()), "event.json").event


@pytest.mark.parametrize("database", ["sqlite"])
def test_a_full_disk_refuses_and_loses_nothing(office: str, database: str) -> None:
    waiting = season()
    before = logical.state()
    connections.close_all()

    def no_more_space() -> None:
        """No file grows beyond this: the log of SQLite's writes does."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (SPACE, SPACE))

    command = [sys.executable, "-m", "crosstable", "office", "--db", office, "accept", waiting]
    full = subprocess.run(command, capture_output=True, text=True, preexec_fn=no_more_space, check=False)
    assert full.returncode not in (0, -25)
    assert "Traceback" not in full.stderr
    assert full.stderr.startswith("crosstable: database: disk")
    setup(office)
    assert logical.state() == before
    assert logical.problems() == []
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize("database", ["postgresql"])
def test_a_lost_connection_refuses_and_loses_nothing(
    office: str, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends our session in the middle of an acceptance, as a restart of the database would."""
    waiting = season()
    before = logical.state()
    record = rerating.record

    def ended(*arguments: object, **named: object) -> object:
        import psycopg

        done = record(*arguments, **named)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (own,) = cursor.fetchone()
        with psycopg.connect(office, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (own,))
        return done

    with monkeypatch.context() as patched:
        patched.setattr(rerating, "record", ended)
        with pytest.raises(DatabaseError):
            accepting.accept(OFFICER, waiting)
    connections.close_all()
    assert logical.state() == before
    accepting.accept(OFFICER, waiting)
    assert logical.problems() == []


LONG = "x" * 5000
#: Every text of a report; PostgreSQL has limits that SQLite does not enforce
TEXTS = [
    *(("event", name) for name in ("name", "city", "state", "country", "affiliate", "chief_td", "id")),
    *(("section", name) for name in ("name", "time_control", "mode", "kind", "weight")),
    *(("player", name) for name in ("name", "id", "state", "country", "fide_id", "cfc_id", "sex", "title")),
]


@pytest.mark.parametrize("database", ["postgresql"])
@pytest.mark.parametrize(("where", "field"), TEXTS)
def test_a_very_long_text_is_accepted_or_refused_with_a_reason(
    office: str, database: str, where: str, field: str
) -> None:
    office_settings.create()
    content = Federation(3, size=24).event()
    place = {"event": content, "section": content["sections"][0], "player": content["sections"][0]["players"][0]}[where]
    place[field] = LONG
    with suppress(CrosstableError):
        done = submissions.submit(OFFICER, data(content), "event.json")
        if done.event:
            accepting.accept(OFFICER, done.event)
    assert logical.problems() == []


@pytest.mark.both_databases
def test_random_lives_of_an_office(database: str, program_environment: Callable[[str], dict[str, str]]) -> None:
    """`make sim` lives 2,000 of them."""
    command = [sys.executable, str(LIVES), database, "1", "20", "4"]
    done = subprocess.run(command, env=program_environment(database), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    acts = json.loads(done.stdout)["acts"]
    assert acts["kill during an act"] >= 3
    assert acts["fail during an act"] >= 2
    assert acts["backup and restore"] >= 5
