"""Offices that former commits made are upgraded: what they stored is read, shown, and rated as it was.

`tests/office/earlier/` has two, as SQL: made by commit fc0fcc97, whose findings are texts, and by commit 7b287575, with
places and facts. Each was made by `office init`, two users, a report that was submitted and accepted, another with
one error, four warnings and three notices, and a request to correct the first. All names are invented.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client

from crosstable import office as the_office
from crosstable.cli import main
from crosstable.office.people import users
from crosstable.office.people.rights import Actor
from tests.web import accounts

FOLDER = Path(__file__).parents[2] / "office" / "earlier"
EARLIER = sorted(FOLDER.glob("*.sql.gz"))
RATED, WAITING = "202510040011", "202511080012"
COLUMNS = "section_id, pool, number, prior, prior_games, post, state_games, wins, draws, losses"
#: The first of what was found when the file came in, as the database has it
STORED = [
    "error: section 1: no time control that we can read: G/6O;d5. [unreadable-time-control]",
    "warning: event: the affiliate is '6012345'. [affiliate-id]",
    "warning: section 1, round 3, game 3-1: "
    "player 3 beat player 1, who is rated 900 points higher. [improbable-result]",
]


def ratings_hash(file: Path) -> str:
    """Return a hash over every rating, read without our own code."""
    connection = sqlite3.connect(file)
    rows = connection.execute(f"SELECT {COLUMNS} FROM ledger_ratingrow ORDER BY section_id, pool, number").fetchall()
    connection.close()
    assert len(rows) == 8  # four players in two pools
    return hashlib.sha256(repr(rows).encode()).hexdigest()


@pytest.fixture(params=EARLIER, ids=lambda path: path.name.partition(".")[0])
def earlier(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The file of an office as it was made."""
    file = tmp_path / "earlier.db"
    connection = sqlite3.connect(file)
    connection.executescript(gzip.decompress(request.param.read_bytes()).decode())
    connection.close()
    the_office.setup(f"sqlite:///{file}")
    yield file
    connections.close_all()


def answer(capsys: pytest.CaptureFixture[str], file: Path, *words: str) -> str:
    assert main(["office", "--db", f"sqlite:///{file}", *words]) == 0
    return capsys.readouterr().out


def test_an_office_of_a_former_commit_is_upgraded(earlier: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = ratings_hash(earlier)
    answer(capsys, earlier, "upgrade")

    [sent] = json.loads(answer(capsys, earlier, "submissions", WAITING, "--json"))
    assert sent["findings"][:3] == STORED
    assert len(sent["findings"]) == 8
    [waiting] = json.loads(answer(capsys, earlier, "review", WAITING, "--json"))
    found = {one["code"]: one for one in waiting["findings"]}
    assert found["improbable-result"]["message"] == "player 3 beat player 1, who is rated 900 points higher."
    assert found["improbable-result"]["place"] == {"section": 1, "players": [3, 1], "round": 3}
    assert found["unreadable-time-control"]["fixes"][0]["time_control"] == "G/60;d5"
    [asked] = json.loads(answer(capsys, earlier, "corrections", "--json"))
    assert (asked["event"], asked["by"], asked["reason"]) == (RATED, "dora", "Dunn won in round 3")

    answer(capsys, earlier, "rerate", "--reason", "the tables of this version")
    assert "nothing was changed" in answer(capsys, earlier, "audit", "verify")  # every rating is computed anew
    assert ratings_hash(earlier) == before


def test_what_a_former_commit_stored_is_on_the_pages(earlier: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer(capsys, earlier, "upgrade")
    users.set_password(Actor.installation(), "ada", accounts.PASSWORD)
    accounts.give_app("ada")
    client = Client(headers=accounts.HOST)
    accounts.sign_in_as(client, "ada", second=True)
    review = client.get(f"/desk/review/{WAITING}/").content.decode()
    stored = ("no time control that we can read: G/6O;d5", "Cay Cole", "rated 900 points higher", "&#x27;6012345&#x27;")
    for words in stored:
        assert words in review, words
    request = client.get("/desk/corrections/1/").content.decode()
    assert "Dunn won in round 3" in request
    assert "Autumn Quads" in request
