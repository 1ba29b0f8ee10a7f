"""The catalogue of all codes: docs/checks.md is written by `python -m crosstable.checks.catalogue`.

Codes of files and of checks stand in their registries. Everybody else declares a code where it is raised
(`crosstable.findings.declare`); these declarations are read from the source, so that no office has to be set up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from crosstable.checks import CHECKS
from crosstable.findings import Code
from crosstable.formats import codes
from crosstable.model import Level

_TITLES = {
    Level.ERROR: "Errors: must be fixed",
    Level.WARNING: "Warnings: fix it, or confirm that it is right",
    Level.NOTICE: "Notices: good to know",
}
#: Whose declarations stand under which title.
_SPEAKERS = {
    "checks": "`crosstable rate`",
    "cli": "`crosstable rate`",
    "club": "a club",
    "office": "an office",
    "systems": "a rating system",
    "formats": "`crosstable convert`",
    "lab": "the lab",
    "web": "the web office",
}
PACKAGE = Path(__file__).parents[1]
#: Functions whose first text is the code of a finding that they make.
RAISING = ("error", "warning", "notice", "Finding")


def format_codes() -> list[Code]:
    """Return what reading a file can find."""
    return [value for value in vars(codes).values() if isinstance(value, Code)]


def check_codes() -> list[Code]:
    """Return what the checks of an event can find, whatever file it came from."""
    return [code for code, _ in CHECKS.values()]


@cache
def declared_codes() -> tuple[tuple[Code, str], ...]:
    """Every code that a module declares, and the package that it belongs to."""
    found = []
    for path, call in _calls("declare"):
        if len(call.args) == 4:
            name, says, advice = (ast.literal_eval(call.args[place]) for place in (0, 2, 3))
            level = Level[ast.unparse(call.args[1]).rpartition(".")[2]]
            found.append((Code(name, level, says, advice), path.parts[0]))
    return tuple(found)


def raised_codes() -> dict[str, list[str]]:
    """Every code that is raised by its text, with the modules that do; `*` for what a module puts in."""
    found: dict[str, list[str]] = {}
    for path, call in _calls(*RAISING):
        for text in _first_texts(call):
            found.setdefault(text, []).append(str(path))
    return found


def _calls(*names: str) -> Iterator[tuple[Path, ast.Call]]:
    """Yield calls of these functions; a module whose text has none of the names is not parsed."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(f"{name}(" in text for name in names):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and _name(node) in names:
                yield path.relative_to(PACKAGE), node


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _first_texts(call: ast.Call) -> Iterator[str]:
    """Yield the code in `error("no-date", …)`, `Finding(Level.ERROR, "no-date", …)` or `error(f"wrong-{name}", …)`."""
    place = 1 if _name(call) == "Finding" else 0
    argument = call.args[place] if len(call.args) > place else None
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield argument.value
    elif isinstance(argument, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in argument.values)


def page() -> str:
    lines = [
        "# Every finding",
        "",
        (
            "Written by `python -m crosstable.checks.catalogue`; do not edit. A finding names its place, what was found"
            " and what"
        ),
        (
            "to do. `crosstable check` reports those of the file and of the event; each has an example event that"
            " causes it,"
        ),
        "in `tests/events/checks/`.",
    ]
    for level, title in _TITLES.items():
        lines += ["", f"## {title}", "", "| code | from | what it says | what to do |", "|---|---|---|---|"]
        rows = [(code, "file") for code in format_codes()] + [(code, "event") for code in check_codes()]
        for code, source in sorted(rows, key=lambda row: row[0].name):
            if code.level is level:
                lines.append(f"| `{code.name}` | {source} | {code.says} | {code.advice} |")
    lines += ["", "## What rating systems, `rate` and an office say besides", ""]
    lines += ["| code | level | from | what it says | what to do |", "|---|---|---|---|---|"]
    for code, package in sorted(declared_codes(), key=lambda row: (_SPEAKERS.get(row[1], row[1]), row[0].name)):
        speaker = _SPEAKERS.get(package, package)
        lines.append(f"| `{code.name}` | {code.level} | {speaker} | {code.says} | {code.advice} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
