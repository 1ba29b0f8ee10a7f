"""The pages on titles and on the 1996 report are run: their Python, and what their console blocks print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from crosstable.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [(DOCS / name).read_text(encoding="utf-8") for name in ("titles.md", "report-1996.md")]
CODE = [block for page in PAGES for block in re.findall(r"```python\n(.*?)```", page, flags=re.S)]
CONSOLE = [
    command
    for page in PAGES
    for block in re.findall(r"```console\n(.*?)```", page, flags=re.S)
    for command in re.findall(r"^\$ crosstable (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M)
]


@pytest.mark.parametrize("code", CODE)
def test_the_python_runs(code: str) -> None:
    exec(code, {})  # noqa: S102  our own documentation


@pytest.mark.parametrize(("command", "printed"), CONSOLE)
def test_the_commands_print_what_the_page_shows(command: str, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == printed


def test_every_picture_is_there() -> None:
    pictures = [name for page in PAGES for name in re.findall(r"!\[.*?\]\((.*?)\)", page)]
    assert len(pictures) == 7
    assert all((DOCS / name).is_file() for name in pictures)
