"""The catalogue of all codes: docs/checks.md is written by `python -m crosstable.checks.catalogue`."""

from __future__ import annotations

from crosstable.checks import CHECKS
from crosstable.formats import codes
from crosstable.formats.codes import Code
from crosstable.model import Level

_TITLES = {
    Level.ERROR: "Errors: must be fixed",
    Level.WARNING: "Warnings: fix it, or say that it is meant",
    Level.NOTICE: "Notices: good to know",
}


def format_codes() -> list[Code]:
    """What reading a file can find."""
    return [value for value in vars(codes).values() if isinstance(value, Code)]


def check_codes() -> list[Code]:
    """What the checks of an event can find, whatever file it came from."""
    return [code for code, _ in CHECKS.values()]


def page() -> str:
    lines = [
        "# Every finding of `crosstable check`",
        "",
        "Written by `python -m crosstable.checks.catalogue`; do not edit. A finding names its place, what was found and what",
        "to do. Each code has an example that brings it about, in `tests/events/checks/`.",
    ]
    for level, title in _TITLES.items():
        lines += ["", f"## {title}", "", "| code | from | what it says | what to do |", "|---|---|---|---|"]
        rows = [(code, "file") for code in format_codes()] + [(code, "event") for code in check_codes()]
        for code, source in sorted(rows, key=lambda row: row[0].name):
            if code.level is level:
                lines.append(f"| `{code.name}` | {source} | {code.says} | {code.advice} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
