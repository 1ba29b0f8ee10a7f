"""Every command as a person runs it: in a process of its own, in which no office is open yet.

The first command of each verb starts a new interpreter. The others are forked from a process that has loaded only
other people's modules (`forked_commands.py`).

The commands run one after another in one folder, each on what the ones before it left: a small office, a club and the
lab's tables. What they print has its tests elsewhere; here they must start, end as expected, and never show a
traceback.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crosstable.cli import VERBS, _parser

ROOT = Path(__file__).resolve().parents[2]
LIST_DAY = "2025-09-01"  # EVENT, SECOND, ADJUSTMENT: numbers that the office gives

#: These run until they are stopped, or make a whole federation; their tests start them as processes too
ELSEWHERE = {"serve": "web/test_serving.py", "worker": "office/test_jobs.py", "demo": "test_readme.py"}

EXAMPLE = ("office", "example")  # makes the same federation; tests/office/test_example.py calls what it calls

#: A command line, and its exit status where that is not 0: a small office has no birth dates, norms or opt-ins to work
#: on
COMMANDS = """
rate event.json
check event.json
convert event.json event.csv
estimate --rating 1500 --opponents 1400,1600 --score 1
rules
rules diff 2024-01-01 2025-01-01
rules source bonus
systems
completion bash
convert-rating --from fide --rating 2100 --on 2025-08-02
titles norms event.json
titles chance --p 0.1
titles table
club score 500 600 win
office --db sqlite:///office.db init --name Test
office submit event.json
office review
office accept EVENT
titles player 12345671
office submit second.json
office refuse-event SECOND --reason twice
office submissions
office original 1 original.json
office events
office event EVENT
office history EVENT
office trace EVENT 1 12345671
office federation
office rerate --preview
office correct EVENT --result 1 12345671 0-1 12345672 --preview
office correct EVENT --supernorm yes --preview
office withdraw EVENT --preview
office ask-correction EVENT event.json --reason wrong → 1
office corrections
office players template
office players add 12345674 --name Dee,Dan
office players change 12345674 --name Dee,Don --reason spelling
office players join 12345671 adult --since 2025-01-01 --until 2026-01-01
office players import list.csv --date 2025-08-01
office players list
office players search Ames
office players duplicates
office players show 12345671
office players facts 12345671
office players merge 12345674 12345673 --reason same
office players merges
office players unmerge 12345674 --reason two
office players forget-name 12345674 --reason asked
office user add olga --role officer --no-password
office user add boris --role officer --no-password
office user list
office user role boris director
office user role boris officer
office user email boris b@example.org
office user password boris --password-stdin
office user deactivate boris --reason left
office user activate boris --reason back
office user invite --role director --reason new
office user links
office user cancel nosuchlink → 1
office user reset boris
office user second-factor boris --reason lost → 1
office user token olga --label program --scope rating.read
office user tokens
office user revoke nosuchtoken → 1
office --as olga adjust 12345671 OTBR --on 2025-08-10 --ceiling 1900 --reason why
office proposals
office --as boris approve 1
office adjustments 12345671
office --as olga revoke ADJUSTMENT --reason over
office --as boris refuse 2 --reason no
office --as olga players opt-out 12345671 --from 2025-09-01 --reason asked → 1
office --as olga publish LIST_DAY --reason monthly
office lists
office floors
office fide abroad.json --list LIST_DAY
office fide-desk
office cfc-desk
office pairs fide
office jobs
office requests
office notices
office reports
office settings
office audit verify
office audit head
office audit log
office export tables
office backup office.backup
office upgrade
office --db sqlite:///restored.db restore office.backup
office --db sqlite:///history.db import tables → 1
lab floors tables
lab floor-effect tables
lab distribution tables
lab drift tables
lab drift-by-age sqlite:///office.db → 1
lab norms tables → 1
lab verify tables
lab title-chance --trials 20
lab cluster
lab simulate --players 60 --years 1 --systems elo --sandbaggers 0 --isolated 0
lab backtest sqlite:///office.db --systems elo
lab reform sqlite:///office.db no-bonus
lab leaderboard sqlite:///office.db --report board.html --threads 1 --samples 10
lab games sqlite:///office.db --out games-seen.csv
lab tune sqlite:///office.db --system elo --from 2025-01-01 --to 2025-12-31 --trials 1
club new Knights --db sqlite:///club.db
club join Ann Bo Cy Dee --db sqlite:///club.db
club here all --db sqlite:///club.db
club pair --db sqlite:///club.db
club result 1 1-0 --db sqlite:///club.db
club ladder --db sqlite:///club.db
club poster poster.html --db sqlite:///club.db
club card Ann --db sqlite:///club.db
club records --db sqlite:///club.db
club settings --db sqlite:///club.db
club import children.csv --db sqlite:///club.db
club export games.csv --db sqlite:///club.db
club send season.json --ids ids.csv --db sqlite:///club.db
club undo --db sqlite:///club.db
club forget Dee --db sqlite:///club.db
club season Spring --from 2099-01-01 --db sqlite:///club.db
"""


@dataclass(frozen=True, slots=True)
class Ran:
    words: str
    expected: int
    status: int
    said: str


def parsers() -> Iterator[tuple[str, ...]]:
    """Every verb with its own verbs, by the parsers themselves."""
    for verb in VERBS:
        (top,) = [action for action in _parser(verb)._actions if isinstance(action, argparse._SubParsersAction)]
        yield from _leaves(top.choices[verb], (verb,))


def _leaves(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    deeper = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not deeper:
        yield path
    for name, one in ((name, one) for action in deeper for name, one in action.choices.items()):
        yield from _leaves(one, (*path, name))


def command_lines() -> Iterator[tuple[str, int]]:
    for line in COMMANDS.strip().splitlines():
        words, _, status = line.partition(" → ")
        yield words, int(status or 0)


def _files(folder: Path) -> None:
    """A report, the same players once more, an event abroad, a member list, and what a club reads."""
    names = ("Ames, Ann", "Bird, Bo", "Cole, Cy")
    players = [
        {"number": n, "id": f"1234567{n}", "name": name, "ratings": {"OTBR": {"rating": 1500 + n, "games": 40}}}
        for n, name in enumerate(names, 1)
    ]
    games = [
        {"round": 1, "white": 1, "black": 2, "result": "1-0"},
        {"round": 2, "white": 3, "black": 1, "result": "0-1"},
    ]
    section = {"number": 1, "name": "Open", "time_control": "G/60;d5", "players": players, "games": games}
    head = {"format": "crosstable-event/1", "city": "Dayton", "state": "OH", "country": "USA", "affiliate": "A6012345"}
    for name, day, more in (
        ("event", "2025-08-02", {}),
        ("second", "2025-08-09", {}),
        ("abroad", "2025-08-16", {"kind": "fide"}),
    ):
        report = {
            **head,
            "name": name,
            "start": day,
            "end": day,
            "chief_td": "12345678",
            "sections": [{**section, **more}],
        }
        (folder / f"{name}.json").write_text(json.dumps(report))
    (folder / "list.csv").write_text('id,name,OTBR,OTBR_GAMES\n12345675,"Eve, Eva",1400,30\n')
    (folder / "children.csv").write_text("name,rating\nEli,500\n")
    (folder / "ids.csv").write_text("child,id,name\nAnn,12345671,A\nBo,12345672,B\nCy,12345673,C\nDee,12345674,D\n")


INPUT = "correct horse battery staple\n"


class Runner:
    """Runs commands in a folder: `run(argv)` is the exit status and all that was printed."""

    def __init__(self, folder: Path) -> None:
        database = {"CROSSTABLE_DB": "sqlite:///office.db"}
        self.place: Any = {
            "cwd": folder,
            "env": {**os.environ, "PYTHONPATH": str(ROOT / "src"), **database},
            "text": True,
        }
        self.seen: set[str] = set()
        program = Path(__file__).parent / "forked_commands.py"
        self.forking = subprocess.Popen(
            [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **self.place
        )

    def run(self, argv: list[str]) -> tuple[int, str]:
        if argv[0] not in self.seen:
            self.seen.add(argv[0])
            command = [sys.executable, "-m", "crosstable", *argv]
            out = subprocess.STDOUT
            done = subprocess.run(command, check=False, input=INPUT, stdout=subprocess.PIPE, stderr=out, **self.place)
            return done.returncode, done.stdout
        assert self.forking.stdin is not None
        assert self.forking.stdout is not None
        self.forking.stdin.write(json.dumps({"argv": argv, "input": INPUT}) + "\n")
        self.forking.stdin.flush()
        answer = json.loads(self.forking.stdout.readline())
        return answer["status"], answer["said"]

    def close(self) -> None:
        self.forking.communicate()


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Run all of them once, in order."""
    folder = tmp_path_factory.mktemp("commands")
    _files(folder)
    known = {"LIST_DAY": LIST_DAY}
    found = {}
    with closing(Runner(folder)) as runner:
        for words, expected in command_lines():
            argv = [known.get(word, word) for word in words.split()]
            status, said = runner.run(argv)
            found[words] = Ran(words, expected, status, said)
            if argv[:2] == ["office", "adjustments"]:  # a table: the number stands first in its first row
                known["ADJUSTMENT"] = said.splitlines()[2].split()[0]
            if argv[:2] == ["office", "submit"]:  # "event.json: 20250803-6064937d: waits for review"
                known["SECOND" if "EVENT" in known else "EVENT"] = said.split(": ")[1]
    return found


@pytest.mark.parametrize("words", [words for words, _ in command_lines()])
def test_a_command_runs_in_its_own_process(ran: dict[str, Ran], words: str) -> None:
    one = ran[words]
    assert "Traceback" not in one.said, one.said
    assert "needs a database" not in one.said, one.said
    assert one.status == one.expected, one.said


def test_no_command_is_left_out() -> None:
    """Of every parser of the command line one runs above, or has its test elsewhere."""
    plain = [[word for word in words.split() if not word.startswith(("--", "sqlite:"))] for words, _ in command_lines()]
    missing = [
        " ".join(path)
        for path in parsers()
        if path[0] not in ELSEWHERE
        and path != EXAMPLE
        and not any(all(word in words for word in path) for words in plain)
    ]
    assert missing == []
    for verb, place in ELSEWHERE.items():
        assert verb in (ROOT / "tests" / place).read_text(encoding="utf-8")
