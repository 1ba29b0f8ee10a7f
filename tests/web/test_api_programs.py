"""Programs that use the API over HTTP: the client of docs/api.md, as a pairing program would use it."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test import override_settings

from crosstable import office as the_office
from crosstable.office.ledger.models import Player
from crosstable.office.people import users

ROOT = Path(__file__).parents[2]


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def served(example: str, secret: str, tmp_path: Path) -> Iterator[str]:
    """A copy of the example behind a real server; the value is its address."""
    connections.close_all()
    copy = tmp_path / "copy.db"
    with sqlite3.connect(example.removeprefix("sqlite:///")) as one, sqlite3.connect(copy) as other:
        one.backup(other)
    the_office.setup(f"sqlite:///{copy}")
    with (
        override_settings(API_LIMITS={}),
        make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server,
    ):
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
    connections.close_all()


@pytest.fixture(scope="module")
def documented() -> dict[str, Any]:
    """The client as docs/api.md prints it."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec("\n".join(code), names)  # noqa: S102  our own documentation
    return names


def test_the_client_is_a_page_long() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    assert 40 < len(code.splitlines()) < 75


def event_of(ids: list[str]) -> bytes:
    """Four players, three rounds: everybody meets everybody."""
    pairs = [(1, 1, 2), (1, 3, 4), (2, 1, 3), (2, 4, 2), (3, 1, 4), (3, 2, 3)]
    return json.dumps(
        {
            "format": "crosstable-event/1",
            "name": "Pairing program's quad",
            "start": "2026-01-10",
            "end": "2026-01-10",
            "sections": [
                {
                    "number": 1,
                    "name": "Quad",
                    "time_control": "G/60;d5",
                    "players": [
                        {"number": place, "id": number, "birth_date": "1987-03-29"}
                        for place, number in enumerate(ids, start=1)
                    ],
                    "games": [
                        {"round": turn, "white": white, "black": black, "result": "1-0"} for turn, white, black in pairs
                    ],
                }
            ],
        }
    ).encode()


def test_a_pairing_program_looks_up_500_ids_and_submits_an_event(
    served: str, secret: str, documented: dict[str, Any]
) -> None:
    program = documented["Office"](served, secret)
    known = list(Player.objects.filter(merged_into=None).order_by("number").values_list("number", flat=True)[:380])
    unknown = [str(90000000 + one) for one in range(500 - len(known))]
    found = program.look_up([*known, *unknown])
    assert [one["id"] for one in found["players"]] == known
    assert [one["asked"] for one in found["missing"]] == unknown

    file = event_of(known[:4])
    assert program.check(file, "quad.json")["ok"]
    done = program.submit(file, "quad.json")
    assert (done["outcome"], done["status"]) == ("queued", "submitted")
    status = program.submission(done["submission"])
    assert (status["event"], status["status"]) == (done["event"], "submitted")
    assert "waits for review" in status["message"] or "cannot be rated" in status["message"]
    again = program.submit(file, "quad.json")
    assert (again["outcome"], again["event"]) == ("same", done["event"])
    assert "1987" not in json.dumps([done, status, again])

    changed = program.submit(file.replace(b'"1-0"', b'"0-1"', 1), "quad.json")
    alike = [one["message"] for one in changed["findings"] if one["code"] == "possible-duplicate"]
    assert [done["event"] in message for message in alike] == [True]
    the_office.withdraw(users.acting_as("olive"), changed["event"], "sent twice")

    the_office.accept(users.acting_as("olive"), done["event"], "in order")
    assert program.submission(done["submission"])["status"] == "accepted"
    assert program.submission(done["submission"])["message"] == "It is rated."
    assert program.ask(f"events/{done['event']}")["games"] == 6
    scores = {row["number"]: row["score"] for row in program.ask(f"events/{done['event']}/sections/1")["rows"]}
    assert scores == {1: 3.0, 2: 1.0, 3: 1.0, 4: 1.0}  # white always wins: 1 has white three times, everybody else once


def test_a_file_that_is_no_event_is_kept_and_refused_with_findings(
    served: str, secret: str, documented: dict[str, Any]
) -> None:
    program = documented["Office"](served, secret)
    with pytest.raises(documented["Problem"]) as refused:
        program.submit(b"no tournament at all", "letter.txt")
    assert refused.value.code == "event-with-errors"
    assert [one["code"] for one in refused.value.findings] == ["unknown-format"]
    assert not program.check(b"no tournament at all", "letter.txt")["ok"]


def test_the_client_remembers_and_walks_through_pieces(served: str, documented: dict[str, Any]) -> None:
    program = documented["Office"](served)
    first = program.ask("lists")
    assert program.ask("lists") is first  # a 304: the very answer from before
    events = list(program.pieces("events", "events", limit=30))
    assert len({one["id"] for one in events}) == len(events) > 60
    with pytest.raises(documented["Problem"], match="no player"):
        program.ask("players/1")
