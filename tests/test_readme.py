"""The README is run: its console blocks, its Python, and its two make commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, flags=re.S)
PYTHON = re.findall(r"```python\n(.*?)```", README, flags=re.S)
SHELL = re.findall(r"```sh\n(.*?)```", README, flags=re.S)


def run(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def matches(output: str, wanted: str) -> bool:
    """Lines of `...` stand for any lines; spaces at line ends do not count."""
    lines = [re.escape(line.rstrip()) if line != "..." else r"(?:.*\n)*?.*" for line in wanted.strip("\n").split("\n")]
    return (
        re.fullmatch(r"\n".join(lines), "\n".join(line.rstrip() for line in output.strip("\n").split("\n"))) is not None
    )


@pytest.mark.parametrize(("command", "wanted"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_console_blocks(command: str, wanted: str) -> None:
    name, *arguments = shlex.split(command)
    assert name == "crosstable"
    output = run(sys.executable, "-m", "crosstable", *arguments)
    assert matches(output, wanted), output


@pytest.mark.parametrize("code", PYTHON)
def test_python_blocks(code: str) -> None:
    run(sys.executable, "-c", code)


def test_the_first_two_commands_are_demo_and_test() -> None:
    assert [block.strip() for block in SHELL[:2]] == ["make demo", "make test"]


def test_make_demo_rates_the_sample_event() -> None:
    output = run("make", "demo")
    assert "Maya Lindqvist" in output
    assert "1488 → 1666" in output
    assert "crosstable serve --db" in output  # without a terminal it is not served


def test_ci_runs_make_test_and_make_test_runs_everything() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    planned = run("make", "-n", "test")
    for tool in ("ruff check", "ruff format --check", "lint-imports", "mypy", "pytest"):
        assert tool in planned
