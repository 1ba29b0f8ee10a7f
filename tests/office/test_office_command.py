"""The office from the shell: the verbs of a working day, JSON where a table is printed, words where something is wrong."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from simulated import data, document

from crosstable.cli import main

FOUR = ["30000001", "30000002", "30000003", "30000004"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (2, 1, 4, "1/2-1/2"), (2, 2, 3, "1-0")]


class Shell:
    """Runs verbs on one office."""

    def __init__(self, url: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.url, self.capsys = url, capsys

    def __call__(self, *words: str, status: int = 0) -> str:
        found = main(["office", "--db", self.url, *words])
        output = self.capsys.readouterr()
        assert found == status, output.err
        self.errors = output.err
        return output.out

    def json(self, *words: str, status: int = 0) -> Any:
        return json.loads(self(*words, "--json", status=status))


@pytest.fixture
def shell(office: str, capsys: pytest.CaptureFixture[str]) -> Shell:
    run = Shell(office, capsys)
    run("init", "--name", "Test office")
    return run


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "open.json"
    path.write_bytes(data(document("Riverside Open", date(2025, 8, 2), FOUR, GAMES)))
    return path


def test_a_working_day(shell: Shell, report: Path, tmp_path: Path) -> None:
    event = shell.json("submit", str(report))["event"]
    assert [row["event"] for row in shell.json("review")] == [event]
    assert "Riverside Open" in shell("review")
    preview = shell.json("accept", event, "--preview")
    assert preview["preview"]
    assert len(preview["changes"]) == 8
    assert shell.json("accept", event)["rows_added"] == 8
    assert shell.json("review") == []
    assert "has this event already" in shell("submit", str(report))
    other = tmp_path / "corrected.json"
    other.write_bytes(data(document("Riverside Open", date(2025, 8, 2), FOUR, [*GAMES[1:], (1, 1, 2, "0-1")])))
    assert "would change" in shell("correct", event, str(other), "--reason", "result", "--preview")
    shell("correct", event, str(other), "--reason", "result")
    assert [row["kind"] for row in shell.json("history", event)] == ["submitted", "corrected"]
    shown = shell.json("players", "show", FOUR[0])
    assert set(shown["ratings"]) == {"OTBR", "OTBQ"}
    assert FOUR[0] in shell("players", "show", FOUR[0])
    steps = shell.json("trace", event, "1", FOUR[0], "OTBR")["trace"]
    assert steps
    assert shell("trace", event, "1", FOUR[0], "OTBR")
    assert shell.json("rerate", "--preview")["players"] == 0
    shell("withdraw", event, "--reason", "never played")
    assert shell.json("rerate")["players"] == 0


def test_players_from_the_shell(shell: Shell) -> None:
    assert shell.json("players", "add", FOUR[0], "--name", "Ada", "--born", "2012-05-06", "--adult")["id"] == FOUR[0]
    assert "Ada" in shell("players", "add", FOUR[1], "--name", "Ada Other")
    shell("players", "join", FOUR[0], "regular", "--since", "2025-01-01", "--until", "2025-12-31")
    shell("players", "change", FOUR[0], "--name", "Ada New", "--reason", "married")
    shell("players", "merge", FOUR[1], FOUR[0], "--reason", "same person")
    shown = shell.json("players", "show", FOUR[1])
    assert (shown["id"], shown["also"], shown["former_names"]) == (FOUR[0], [FOUR[1]], ["Ada"])
    assert "2012" not in json.dumps(shown)
    shell("players", "unmerge", FOUR[1], "--reason", "twins")
    assert shell.json("floors") == []


def test_wrong_things_are_said_in_words(shell: Shell, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    assert shell.json("submit", str(bad), status=1)["outcome"] == "unreadable"
    assert "not-json" in shell.errors
    shell("submit", str(tmp_path / "nowhere.json"), status=1)
    assert "No such file" in shell.errors
    for words in (("accept", "E1"), ("withdraw", "E1", "--reason", "x"), ("trace", "E1", "1", "2", "OTBR"), ("init",)):
        shell(*words, status=1)
        assert shell.errors.startswith("crosstable: ")
        assert "Traceback" not in shell.errors
    shell("adjust", FOUR[0], "OTBR", "--on", "2025-01-01", "--ceiling", "1800", "--reason", "x", status=1)
    shell("import", str(tmp_path), status=1)
    assert "sections.parquet" in shell.errors


def test_without_an_office(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["office", "--db", f"sqlite:///{tmp_path}/new.db", "review"]) == 1
    assert "office init" in capsys.readouterr().err
    assert main(["office", "--db", "mysql://x/y", "review"]) == 1
    assert "sqlite:///FILE or postgresql://" in capsys.readouterr().err


def test_an_office_of_another_system(office: str, capsys: pytest.CaptureFixture[str], report: Path) -> None:
    shell = Shell(office, capsys)
    shell("init", "--system", "glicko,elo", "--titles", "none")
    event = shell.json("submit", str(report))["event"]
    shell("accept", event)
    assert set(shell.json("players", "show", FOUR[0])["ratings"]) == {"GLICKO", "ELO"}
    assert shell.json("trace", event, "1", FOUR[0], "GLICKO")["post"] > 1500
