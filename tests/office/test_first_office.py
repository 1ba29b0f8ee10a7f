"""docs/first-office.md is run, command by command, in an empty folder."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.test_readme import ROOT, matches

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


def test_from_an_empty_folder_to_a_published_list(tmp_path: Path) -> None:
    assert MEMBERS is not None
    (tmp_path / "members.csv").write_text(MEMBERS[1], encoding="utf-8")
    shutil.copy(ROOT / "examples" / "riverside-open.json", tmp_path)
    for command, printed in steps():
        name, *words = shlex.split(command)
        assert name == "crosstable"
        done = subprocess.run(
            [sys.executable, "-m", "crosstable", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stderr)
        if printed.strip() != "...":
            assert matches(done.stdout, printed), (command, done.stdout)
