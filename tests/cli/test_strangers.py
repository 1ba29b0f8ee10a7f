"""What a stranger's files and terminals do to the command line: never a traceback, never a silent loss."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "riverside-open.json"


def crosstable(*arguments: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import sys; from crosstable.cli import main; sys.exit(main())", *arguments],
        capture_output=True,
        text=True,
        encoding=encoding,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )


def changed(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> str:
    document = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    change(document)
    path = tmp_path / "event.json"
    path.write_text(json.dumps(document))
    return str(path)


def record(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["sections"][0]["players"][0]["ratings"]["OTBR"]
    return found


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda d: record(d).update(rating=123456.5), "impossible-rating"),
        (lambda d: d["sections"][0]["players"][7].update(fide={"rating": 123456}), "impossible-rating"),
        (lambda d: record(d).update(games=10**9), "too-many-games"),
        (lambda d: record(d).update(three_game_events=10**9), "too-many-games"),
        (lambda d: d["sections"][0].update(time_control="forever"), "unreadable-time-control"),
        (lambda d: d.pop("format"), "missing-field"),  # never a SwissSys file without results
    ],
)
def test_an_absurd_event_is_refused_with_a_finding(tmp_path: Path, change: Callable[..., object], code: str) -> None:
    done = crosstable("rate", changed(tmp_path, change))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"[{code}]" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_event_without_games_says_so(tmp_path: Path) -> None:
    done = crosstable("rate", changed(tmp_path, lambda d: d["sections"][0].update(games=[])))
    assert done.returncode == 0
    assert "[nothing-to-rate]" in done.stderr


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.touch()
    assert "it is empty" in crosstable("rate", str(path)).stderr


@pytest.mark.parametrize(
    "options", [(), ("--json",), ("--explain", "5"), ("--explain", "7"), ("--explain", "8", "--json")]
)
def test_a_birth_date_leaves_no_mark_on_the_public_form(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Leo (no. 7) starts from his age. A few months more or less change no published number, so nothing public may
    change.
    """
    said = set()
    for born in ("2015-02-14", "2015-05-14"):
        path = changed(tmp_path, lambda d, born=born: d["sections"][0]["players"][6].update(birth_date=born))
        assert "523" in crosstable("rate", path).stdout or born != "2015-02-14"
        said.add(crosstable("rate", path, "--public", *options).stdout)
    assert len(said) == 1


@pytest.mark.parametrize("options", [(), ("--json",), ("--explain", "30000004")])
def test_a_terminal_that_lacks_a_character_shows_its_code(options: tuple[str, ...]) -> None:
    done = crosstable("rate", str(EXAMPLE), *options, encoding="ascii")
    assert done.returncode == 0, done.stderr


def test_half_a_character_in_a_name_is_replaced_and_said(tmp_path: Path) -> None:
    done = crosstable("rate", changed(tmp_path, lambda d: d["sections"][0]["players"][0].update(name="\ud800 Ada")))
    assert done.returncode == 0, done.stderr
    assert "\ufffd Ada" in done.stdout
    assert "(no. 1), name: the text has a NUL or an incomplete character" in done.stderr


@pytest.mark.parametrize("games", ["-5", "0", "many", "9" * 5000])
def test_a_wrong_number_of_games_is_a_wrong_command_line(games: str) -> None:
    done = crosstable("rate", str(EXAMPLE), f"--assume-games={games}")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("verb", ["check", "rate"])
@pytest.mark.parametrize("options", [(), ("--explain", "1")])
def test_a_name_commands_no_terminal(tmp_path: Path, verb: str, options: tuple[str, ...]) -> None:
    def change(document: dict[str, Any]) -> None:
        document["name"] = "Open\x1b[2J\nerror: none"
        document["sections"][0]["name"] = "\x1b]0;title\x07"
        for player in document["sections"][0]["players"]:
            player["name"] += "\x1b[31m\r\u202e"

    done = crosstable(verb, changed(tmp_path, change), *(options if verb == "rate" else ()))
    assert done.returncode == 0, done.stderr
    assert not {"\x1b", "\r", "\x07", "\u202e"} & set(done.stdout + done.stderr)
    assert not [line for line in done.stdout.splitlines() if line.startswith("error: none")]


def test_an_unreadable_rating_is_not_a_newcomers(tmp_path: Path) -> None:
    path = tmp_path / "event.csv"
    path.write_text(
        "Start,2025-08-02\nEnd,2025-08-02\nTime control,G/90;d5\nNo.,Name,ID,Rating,Rnd"
        " 1\n1,Ada,12345678,16I0,W2\n2,Bo,12345679,1500,L1\n"
    )
    done = crosstable("rate", str(path), "--assume-games", "30")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error: row 5, Ada (no. 1): '16I0'" in done.stderr
