"""`crosstable office user …` from the shell: inviting, a way back in, a lost second factor; and the demo's accounts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crosstable.cli import demo, main


@pytest.fixture
def url(migrated: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    shutil.copyfile(migrated, tmp_path / "office.db")
    made = f"sqlite:///{tmp_path / 'office.db'}"
    assert main(["office", "--db", made, "init", "--name", "Ohio"]) == 0
    capsys.readouterr()
    return made


def test_links_from_the_shell(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    def user(*words: str) -> str:
        assert main(["office", "--db", url, "user", *words]) == 0
        return capsys.readouterr().out

    user("add", "olive", "--role", "officer", "--no-password")
    link = json.loads(user("invite", "--role", "director", "--json"))["link"]
    assert link.startswith("/desk/join/")
    assert "/desk/sign-in/reset/" in user("reset", "olive")
    listed = user("links")
    assert "olive" in listed
    assert link.split("/")[-2] not in listed
    user("cancel", link.split("/")[-2][:12])
    assert "director" not in user("links")
    assert "no longer act" in user("deactivate", "olive", "--reason", "left")
    assert "can act again" in user("activate", "olive", "--reason", "back")
    assert "goes to olive@example.org" in user("email", "olive", "olive@example.org")


def test_a_lost_second_factor_from_a_shell_that_knows_nothing_of_the_web_yet(url: str) -> None:
    main(["office", "--db", url, "user", "add", "olive", "--role", "officer", "--no-password"])
    words = ["user", "second-factor", "olive", "--reason", "came with a passport"]
    command = [sys.executable, "-m", "crosstable", "office", "--db", url, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "olive had no second factor\n"), done.stderr


def test_settings_say_what_they_do(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["office", "--db", url, "settings", "--name", "Ohio Rating Office", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[0]["value"] == "Ohio Rating Office"
    assert all(row["words"] for row in rows)


@pytest.mark.parametrize(
    ("moment", "code"),
    [(59, "94287082"), (1111111109, "07081804"), (1234567890, "89005924"), (20000000000, "65353130")],
)
def test_the_demo_shows_the_code_that_an_app_would(monkeypatch: pytest.MonkeyPatch, moment: int, code: str) -> None:
    """RFC 6238, appendix B: the key is 12345678901234567890; of its eight digits an app shows the last six."""
    monkeypatch.setattr(demo, "APP_KEY", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    assert demo.code_at(moment) == code[2:]
