"""Every verb of `crosstable club`, by its printed answer; and `serve --lan`, which says who can reach it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from crosstable.cli import main
from crosstable.cli.lan import address
from tests.club.browser import _free_port, _wait


class Shell:
    def __init__(self, db: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.db, self.capsys = db, capsys

    def __call__(self, *words: str) -> str:
        assert main(["club", words[0], "--db", self.db, *words[1:]]) == 0, self.capsys.readouterr().err
        return self.capsys.readouterr().out

    def json(self, *words: str) -> Any:
        return json.loads(self(*words, "--json"))

    def refused(self, *words: str) -> str:
        assert main(["club", words[0], "--db", self.db, *words[1:]]) == 1
        return self.capsys.readouterr().err


@pytest.fixture
def shell(database: str, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(database, capsys)


def test_a_night_from_the_shell(shell: Shell, tmp_path: Path) -> None:
    assert "run `crosstable club new" in shell.refused("ladder")
    said = shell("new", "St. Charles", "--pin", "4321")
    assert "Its PIN is 4321" in said
    assert "█" in said  # the QR code
    assert "already holds an office" in shell.refused("new", "Another")
    assert shell("join", "Leo", "Nora", "Sam Kowalski").startswith("Leo is number 1; Nora is number 2; Sam K")
    assert "3 here" in shell("here", "all")
    paired = shell.json("pair", "--together", "Leo", "Nora")
    assert [{board["white"], board["black"]} for board in paired["boards"]] == [{"Leo", "Nora"}]
    assert paired["out"] == ["Sam K"]
    winner = paired["boards"][0]["white"]
    given = shell.json("result", "1", "white")
    assert given["sentence"] == f"{winner} beat {paired['boards'][0]['black']}, who had the same rating: 21."
    assert (given["white"], given["black"]) == (421, 379)
    assert shell.json("undo") == {"undone": "the result of board 1, round 1"}
    shell("result", "1", "draw")
    assert [row["rating"] for row in shell.json("ladder")] == [400, 400, 400]
    assert shell("ladder", "--csv").splitlines()[0] == "place,name,rating,games,mark,change"
    shell("poster", str(tmp_path / "poster.html"))
    poster = (tmp_path / "poster.html").read_text()
    assert "St. Charles ladder" in poster
    assert "Kowalski" not in poster
    assert "there is no board 7" in shell.refused("result", "7", "white")
    assert "no one here is called 'Zoe'" in shell.refused("here", "Zoe")


def test_what_is_needed_less_often(shell: Shell, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.toml"
    numbers.write_text("at_risk = 10\n")
    shell("new", "Riverside", "--pin", "4321", "--numbers", str(numbers))
    games = tmp_path / "games.csv"
    games.write_text("date,white,black,result\n2026-09-07,Leo,Nora,1-0\n2026-09-07,Sam,Leo,1-0\n")
    assert shell.json("import", str(games)) == {"children": 3, "games": 2}
    assert shell.json("card", "Leo")["wins"] == 1
    assert shell.json("settings", "--set", "start=500", "--mode", "free")["numbers"]["start"] == 500
    assert "A win between equals moves 10 points." in shell("settings")
    assert shell.json("settings", "--numbers", str(numbers))["numbers"]["at_risk"] == 10
    assert "NAME=NUMBER" in shell.refused("settings", "--set", "start")
    shell("export", str(tmp_path / "out.csv"))
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 3
    ids = tmp_path / "ids.csv"
    ids.write_text("child,id,name\nLeo,30000001,Leo Example\nNora,30000002,Nora Example\n")
    sent = shell.json("send", str(tmp_path / "event.json"), "--ids", str(ids))
    assert (sent["games"], sent["left_out"], sent["without_id"]) == (1, 1, ["Sam"])
    assert main(["check", str(tmp_path / "event.json")]) == 0
    shell.capsys.readouterr()
    before = shell.json("ladder")
    shell("result", "1", "draw", "--round", "1", "--night", "2026-09-07", "--record-only")
    assert shell.json("ladder") == before
    later = ("--round", "1", "--night", "2026-09-07", "--rerate", "--preview")
    # Leo goes into the second game with 390 instead of 410: both within 12 of Sam's 400, so Sam gains 10 either way
    assert shell.json("result", "1", "black", *later)["players"] == 2
    assert shell.json("forget", "Sam")["forgotten"] is True
    assert [row["name"] for row in shell.json("ladder")] == ["Leo", "Nora"]
    assert {row["title"] for row in shell.json("records")} >= {"Highest rating", "Most games"}
    assert shell.json("season", "autumn", "--clean")["clean"] is True


def test_serve_lan_says_who_can_reach_it(shell: Shell) -> None:
    shell("new", "Riverside", "--pin", "4321")
    port = _free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "crosstable", "serve", "--lan", "--db", shell.db, "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        _wait(f"http://127.0.0.1:{port}/healthz", server)
        with urllib.request.urlopen(f"http://{address()}:{port}/club/", timeout=60) as page:
            assert "Enter results: PIN required" in page.read().decode()
    finally:
        server.terminate()
        said = server.communicate(timeout=60)[0]
    assert f"Anyone on the same network as this machine can open http://{address()}:{port}/club/" in said
    assert "need its PIN" in said
