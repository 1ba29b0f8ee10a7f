"""A plain table for people and pipes: numbers to the right, words to the left, as wide as it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> None:
    kept = [list(row) for row in rows]
    right = [all(isinstance(row[place], int | float | None) for row in kept) for place in range(len(columns))]
    head = [name.replace("_", " ") for name in columns]
    lines = [head, *([_shown(cell) for cell in row] for row in kept)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    if title:
        print(f"{title}\n")
    for number, line in enumerate(lines):
        cells = [_placed(cell, width, to_right) for cell, width, to_right in zip(line, widths, right, strict=True)]
        print("  ".join(cells).rstrip())
        if number == 0:
            print("  ".join("─" * width for width in widths))


def _placed(cell: str, width: int, to_right: bool) -> str:
    return cell.rjust(width) if to_right else cell.ljust(width)


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.5g}" if isinstance(cell, float) else str(cell)
