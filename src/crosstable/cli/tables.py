"""One table style for people and pipes: numbers to the right, words to the left.

On a terminal a table fits the width: columns are left out from the right, and the last line says which. A pipe gets all.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
GAP = 2


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> None:
    cells = [list(row) for row in rows]
    right = [all(isinstance(row[place], int | float | None) for row in cells) for place in range(len(columns))]
    head = [name.replace("_", " ") for name in columns]
    lines = [head, *([_shown(cell) for cell in row] for row in cells)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    shown = _fitting(widths, terminal_width())
    if title:
        print(f"{title}\n")
    for number, line in enumerate(lines):
        placed = [_placed(line[place], widths[place], right[place]) for place in range(shown)]
        text = (" " * GAP).join(placed).rstrip()
        print(_bold(text) if number == 0 else text)
        if number == 0:
            print((" " * GAP).join("─" * width for width in widths[:shown]))
    if shown < len(columns):
        print(f"(left out to fit: {', '.join(head[shown:])}; a wider window or --json shows them)")


def terminal_width() -> int | None:
    """How wide the terminal is; None in a pipe, where nothing has to fit."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _fitting(widths: Sequence[int], room: int | None) -> int:
    """How many columns fit, the first two in any case."""
    if room is None:
        return len(widths)
    fits = [count for count in range(1, len(widths) + 1) if sum(widths[:count]) + GAP * (count - 1) <= room]
    return max(max(fits, default=0), min(2, len(widths)))


def _bold(text: str) -> str:
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return f"{BOLD}{text}{PLAIN}" if coloured else text


def _placed(cell: str, width: int, to_right: bool) -> str:
    return cell.rjust(width) if to_right else cell.ljust(width)


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.5g}" if isinstance(cell, float) else str(cell)
