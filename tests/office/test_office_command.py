"""The office from the shell: the verbs of a working day, JSON where a table is printed, words where something is
wrong.
"""

from __future__ import annotations

import json
import re
from argparse import Namespace
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from simulated import data, document

from crosstable.cli import main
from crosstable.cli.office_common import print_ratings_changed
from crosstable.cli.office_people import _print_counts
from crosstable.office.rating.changes import Change

pytestmark = pytest.mark.both_databases

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
    steps = shell.json("trace", event, "1", FOUR[0], "OTBR")["derivation"]
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


def test_an_adjustment_is_a_proposal_whoever_types_it(shell: Shell, report: Path) -> None:
    shell("accept", shell.json("submit", str(report))["event"])
    for name in ("olive", "oscar"):
        shell("user", "add", name, "--role", "officer", "--no-password")
    wanted = ("adjust", FOUR[0], "OTBR", "--on", "2025-09-01", "--ceiling", "1500", "--reason", "ok")
    with pytest.raises(SystemExit) as usage:
        shell("--as", "olive", *wanted, "--second", "oscar")
    assert usage.value.code == 2
    shell(*wanted, status=1)  # nobody in particular
    assert "say who you are" in shell.errors
    assert shell.json("--as", "olive", *wanted, "--preview")["preview"]
    number = str(shell.json("--as", "olive", *wanted)["proposal"])
    assert shell.json("--as", "olive", "adjustments", FOUR[0]) == []
    shell("--as", "olive", "approve", number, status=1)
    shell("--as", "oscar", "approve", number)
    (made,) = shell.json("--as", "olive", "adjustments", FOUR[0])
    assert (made["set"], made["by"], made["second"]) == ({"ceiling": 1500.0}, "olive", "oscar")
    number = str(shell.json("--as", "oscar", "revoke", str(made["number"]), "--reason", "wrong player")["proposal"])
    shell("--as", "olive", "approve", number)
    assert shell.json("--as", "olive", "adjustments", FOUR[0])[0]["status"] == "withdrawn"
    assert "withdrawn" in shell("--as", "olive", "adjustments", FOUR[0])


def test_floors_do_one_thing_at_a_time_and_say_what(shell: Shell, report: Path) -> None:
    event = shell.json("submit", str(report))["event"]
    shell("accept", event)
    with pytest.raises(SystemExit) as usage:
        shell("floors", "--grant", "1", "--refuse", "1", "--reason", "x")
    assert usage.value.code == 2
    shell("floors", "--prize", FOUR[0], event, "1", "abc", "5000", "--reason", "won", status=1)
    assert "'abc' is not a rating limit" in shell.errors
    shell("floors", "--prize", FOUR[0], event, "first", "1800", "5000", "--reason", "won", status=1)
    assert "'first' is not a whole number" in shell.errors
    said = shell("floors", "--prize", FOUR[0], event, "1", "1800", "5000", "--reason", "won")
    assert said.startswith(f"The OTBR floor of {FOUR[0]} is 1800 from 2025-08-03 on.\n1 player changed")
    shell("floors", "--request", FOUR[0], event, "1", "--reason", "please", status=1)
    assert "fell below a floor" in shell.errors


def test_a_file_that_is_kept_can_be_had_again(shell: Shell, tmp_path: Path) -> None:
    bad, again = tmp_path / "bad.bin", tmp_path / "again.bin"
    bad.write_bytes(b"\x00\x01 no event")
    shell("submit", str(bad), status=1)
    (kept,) = shell.json("submissions")
    assert (kept["file"], kept["outcome"]) == ("bad.bin", "unreadable")
    assert "bad.bin" in shell("submissions")
    shell("original", str(kept["number"]), str(again))
    assert again.read_bytes() == bad.read_bytes()
    shell("original", "99", str(again), status=1)
    assert "no submission 99" in shell.errors


@pytest.mark.parametrize(
    "words",
    [
        ("backup", "{missing}/b.zip"),
        ("restore", "{missing}/b.zip"),
        ("players", "import", "{missing}/list.csv"),
        ("import", "{missing}"),
        ("submit", "{missing}/event.json"),
        ("correct", "E1", "{missing}/event.json", "--reason", "why"),
        ("fide", "{missing}/event.json", "--list", "2025-08-01"),
        ("original", "1", "{missing}/event.json"),
    ],
)
def test_a_file_that_cannot_be_had_is_said_in_one_line(
    shell: Shell, report: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    shell("submit", str(report), "--id", "E1")
    shell(*(word.format(missing=tmp_path / "nowhere") for word in words), status=1)
    assert "Traceback" not in shell.errors
    assert shell.errors.strip()


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "log", "--last", "-3"),
        ("audit", "log", "--last", "99999999999999999999"),
        ("lists", "--top", "overall", "--size", "-1"),
        ("floors", "--grant", "99999999999999999999", "--reason", "x"),
        ("approve", "0"),
        ("trace", "E", "99999999999999999999", "1", "OTBR"),
        ("original", "x", "out"),
        ("user", "token", "dora", "--label", "x", "--scope", "event.submit", "--days", "0"),
        ("publish", "2025-01-01", "--top", "-1"),
    ],
)
def test_a_number_that_counts_nothing_is_a_wrong_command_line(shell: Shell, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as usage:
        shell(*words)
    assert usage.value.code == 2
    assert "not a whole number" in shell.capsys.readouterr().err


def test_a_password_without_a_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("getpass.getpass", nobody)
    shell("user", "add", "q", status=1)
    assert "--password-stdin" in shell.errors


def test_answers_for_programs_are_objects_and_truths(shell: Shell) -> None:
    shell("user", "add", "chief", "--role", "admin", "--no-password")
    shell("--as", "chief", "user", "add", "olive", "--role", "officer", "--no-password")
    shell("--as", "chief", "user", "deactivate", "olive", "--reason", "left")
    assert [row["active"] for row in shell.json("--as", "chief", "user", "list")] == [True, False]
    assert "yes" in shell("--as", "chief", "user", "list")
    log = {row["action"]: row["details"] for row in shell.json("--as", "chief", "audit", "log")}
    assert log["user.add"]["role"] == "admin"
    assert log["office.init"]["systems"] == {"default": ["us_chess"]}


def test_an_unknown_kind_of_section_has_no_system(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    Shell(office, capsys)("init", "--system", "kind=elo", status=1)


def test_submit_says_what_review_will_refuse_and_what_to_do(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "club.csv"
    path.write_text("Name,Rating,R1,R2\nAnn Lee,1500,W2,D4\nBob Ray,1400,L1,W3\nCy Dow,1300,,L2\nDi Fox,1200,,D1\n")
    given = ["--date", "2025-08-02", "--time-control", "G/60;d5"]
    shown = shell("submit", str(path), "--id", "Club", *given, status=1)
    assert "Club: waits for review with 4 errors to correct" in shown
    assert "error: 4 times: the player has no id. Ann Lee (no. 1)" in shell.errors
    assert "missing-id" not in shell.errors  # once is enough
    assert "it cannot be accepted as it is: fix the file, then `office correct Club FILE --reason WHY`" in shell.errors
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([f"ID,{head}", *(f"{number},{row}" for number, row in zip(FOUR, rows, strict=True))]))
    shell("correct", "Club", str(path), "--reason", "the ids", *given)
    shell("accept", "Club")


def test_all_that_is_missing_is_said_at_once(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "club.csv"
    path.write_text("Name,Rating,R1\nAnn Lee,1500,W2\nBob Ray,1400,L1\n")
    shell("submit", str(path), status=1)
    wrong = [line for line in shell.errors.splitlines() if line.strip().startswith("error")]
    assert [line.rsplit("[")[-1].rstrip("]") for line in wrong] == [
        "missing-date",
        "no-id",
        "no-id",
        "missing-time-control",
    ]
    assert shell.errors.count("time-control]") == 1  # the check and the system say it together


def test_a_player_without_events_has_no_empty_table(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("ID,Name,Rating,Games\n30000001,Ann Lee,1500,30\n30000002,Anne Lee,1500,30\n")
    shell("players", "import", str(path), "--date", "2025-07-01")
    shell("players", "merge", "30000002", "30000001", "--reason", "one person")
    shown = shell("players", "show", "30000002")
    assert shown.startswith(
        "30000002 was merged into 30000001: this is the record that was kept.\nAnn Lee (30000001); also 30000002\n"
    )
    assert shown.endswith("  no rated event yet\n")
    assert "──" not in shown


def test_counts_of_a_list_say_what_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("provisional", "active", "new", "gone", "changed", "risen", "fallen", "mean_change")
    pools = {
        pool: {**dict.fromkeys(names, 0), "players": players, "shown": shown, "not_shown": players - shown}
        for pool, players, shown in (("OTBQ", 8, 8), ("OTBR", 9, 7))
    }
    assert _print_counts({"rows": 17, "pools": pools}) == 0
    said = "17 ratings, 15 of them shown: a first rating that would reveal an age is counted and not printed"
    assert said in capsys.readouterr().out


def test_the_column_of_lists_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    change = Change(
        player="1",
        name="Ann",
        pool="OTBR",
        before=1500.0,
        after=1510.0,
        lists=("2025-08-01",),
        since="E",
        reason="a result",
        rows=1,
    )
    done = SimpleNamespace(
        refused=(),
        changes=(change,),
        norms=(),
        sections=1,
        players=1,
        later=0,
        preview=False,
        rows_added=1,
        rows_removed=1,
        note="",
    )
    print_ratings_changed(Namespace(json=False), cast(Any, done), "Corrected")
    told = capsys.readouterr().out
    assert re.search(r"difference +on lists +since", told)
    assert "on lists: published lists since then that show the player; none of them changes" in told
    done.changes = (replace(change, lists=("2025-08-01", "2025-09-01", "2025-10-01", "2025-11-01")),)
    print_ratings_changed(Namespace(json=False), cast(Any, done), "Corrected")
    assert "+10.00      4 lists   E" in capsys.readouterr().out
