"""docs/first-office.md is run, command by command, in an empty folder."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.test_readme import ROOT, matches

from conftest import disconnect
from crosstable.cli import main

PAGE = (ROOT / "docs" / "first-office.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, flags=re.S)
MEMBERS = re.search(r"```csv\n(.*?)```", PAGE, flags=re.S)


def steps() -> list[tuple[str, str]]:
    """(command, what it prints)."""
    found = []
    for block in BLOCKS:
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


def test_from_an_empty_folder_to_a_published_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert MEMBERS is not None
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CROSSTABLE_DB", raising=False)
    (tmp_path / "members.csv").write_text(MEMBERS[1], encoding="utf-8")
    shutil.copy(ROOT / "examples" / "riverside-open.json", tmp_path)
    for command, printed in steps():
        name, *words = shlex.split(command)
        assert name == "crosstable"
        status, said = main(words), capsys.readouterr()
        assert status == 0, (command, said.err)
        if printed.strip() != "...":
            assert matches(said.out, printed), (command, said.out)
    disconnect()
