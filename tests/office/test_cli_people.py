"""The verbs for people, lists, the log and backups, as typed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crosstable.cli import main
from crosstable.office.example.load import load
from crosstable.office.lists import read

Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def run(office: str, capsys: pytest.CaptureFixture[str]) -> Run:
    """`run("lists", …)` → exit status and the JSON that it printed."""

    def call(*words: str, db: str = office) -> tuple[int, Any]:
        status = main(["office", "--db", db, *words, "--json"])
        out = capsys.readouterr().out
        return status, json.loads(out) if out else None

    return call


def test_users_tokens_and_roles(run: Run, monkeypatch: pytest.MonkeyPatch, office: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("four knights on the rim\n"))
    assert run("user", "add", "chief", "--role", "admin", "--password-stdin")[0] == 0
    chief = ("--as", "chief")
    assert run(*chief, "user", "add", "dora", "--role", "director", "--no-password")[0] == 0
    assert run(*chief, "user", "role", "dora", "officer", "--reason", "elected")[0] == 0
    assert [row["role"] for row in run(*chief, "user", "list")[1]] == ["admin", "officer"]
    scope = ("--label", "program", "--scope", "event.submit", "--days", "5")
    secret = run("--as", "dora", "user", "token", "dora", *scope)[1]["token"]
    listed = run("--as", "dora", "user", "tokens")[1]
    assert [row["start"] for row in listed] == [secret[:12]]
    assert secret not in json.dumps(listed)
    assert run("--as", "dora", "user", "revoke", secret[:12])[0] == 0
    assert run("--as", "dora", "user", "add", "friend", "--no-password")[0] == 1
    with pytest.raises(SystemExit):  # the command line says which roles there are
        run(*chief, "user", "role", "dora", "king")
    assert run(*chief, "user", "deactivate", "dora", "--reason", "moved")[0] == 0
    assert run("--as", "dora", "user", "tokens")[0] == 1


@pytest.mark.both_databases
def test_from_a_proposal_to_a_restored_office(
    run: Run, other: Callable[[], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(count=60, tournaments=6, lists=1)
    status, proposed = run("--as", "olive", "publish", "2026-02-01")
    assert status == 0
    assert run("--as", "olive", "approve", str(proposed["proposal"]))[0] == 1
    assert [row["number"] for row in run("--as", "oscar", "proposals")[1]] == [proposed["proposal"]]
    status, done = run("--as", "oscar", "approve", str(proposed["proposal"]))
    assert (status, done["date"]) == (0, "2026-02-01")
    assert [row["date"] for row in run("lists")[1]] == ["2026-02-01", "2025-12-01"]
    assert run("lists", "2026-02-01")[1]["audit_head"] == done["audit_head"]
    assert run("lists", "2026-02-01", "--top", "no such group")[0] == 1
    status, printed = run("lists", "2025-12-01", "--pool", "regular")
    ratings = [row["rating"] for row in printed if row["rating"] is not None]
    assert (status, ratings) == (0, sorted(ratings, reverse=True))
    assert len(run("lists", "2025-12-01", "--pool", "regular", "--size", "3")[1]) == 3
    assert run("lists", "2025-12-01", "--live")[0] == 0
    assert run("lists", "2025-12-01", "--export", str(tmp_path / "nowhere" / "x.csv"))[0] == 1
    assert run("lists", "--export", str(tmp_path / "list.csv"))[0] == 0
    assert run("lists", "--export", str(tmp_path / "list.csv"))[0] == 1  # a file that is there stays as it is
    assert done["audit_head"] in (tmp_path / "list.csv").read_text()
    status, verified = run("audit", "verify", "--head", done["audit_head"])
    assert (status, verified["ok"], verified["anchors"]) == (0, True, 3)
    assert run("audit", "verify", "--head", f"3:{'0' * 64}")[0] == 1
    assert run("audit", "head")[1]["head"] == verified["head"]
    assert len(run("--as", "olive", "audit", "log", "--last", "3")[1]) == 3
    assert run("--as", "chief", "backup", str(tmp_path / "office.zip"))[0] == 0
    assert run("restore", str(tmp_path / "office.zip"), db=other())[0] == 0
    capsys.readouterr()


@pytest.mark.parametrize("typed", ["Class A", "class a", "CLASS A"])
def test_a_top_list_is_found_whatever_its_capitals(run: Run, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    """Groups are published from 20 members on, more than a test wants to make."""
    load(count=30, tournaments=2, lists=1)
    monkeypatch.setattr(read, "groups", lambda _: [("OTBR", "Class A"), ("OTBR", "women")])
    monkeypatch.setattr(read, "top", lambda _, system, group, size: [{"list": f"{system} {group} {size}"}])
    assert run("lists", "2025-12-01", "--top", typed, "--size", "5") == (0, [{"list": "OTBR Class A 5"}])


def test_what_is_printed_for_people(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    load(count=60, tournaments=6, lists=1)
    for words in (["lists"], ["lists", "2025-12-01"], ["audit", "verify"], ["--as", "chief", "user", "list"]):
        assert main(["office", "--db", office, *words]) == 0
    out = capsys.readouterr().out
    for part in ("officers", "nothing was changed", "oscar", "OTBR"):
        assert part in out
    assert main(["office", "--db", office, "--as", "oscar", "refuse", "99", "--reason", "no"]) == 1
    assert "no proposal 99" in capsys.readouterr().err


def test_lists_and_events_are_told_in_words(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    load(count=60, tournaments=6, lists=1)
    capsys.readouterr()
    assert main(["office", "--db", office, "lists"]) == 0
    said = capsys.readouterr().out
    assert "olive and oscar" in said or "oscar and olive" in said
    assert "[" not in said
