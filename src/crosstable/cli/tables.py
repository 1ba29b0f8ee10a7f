"""One table style for people and pipes: numbers to the right, words to the left.

On a terminal a table fits the width: columns are left out from the right, and the last line says which. A pipe gets
all.
"""

from __future__ import annotations

import math
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

_STYLES = {"bold": "\x1b[1m", "red": "\x1b[31m", "yellow": "\x1b[33m", "cyan": "\x1b[36m"}
_PLAIN = "\x1b[0m"
GAP = 2


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> None:
    cells = [list(row) for row in rows]
    head = [name.replace("_", " ") for name in columns]
    shown = _fitting(column_widths(head, cells), terminal_width())
    if title:
        print(f"{title}\n")
    for line in table_lines(head[:shown], [row[:shown] for row in cells]):
        print(line)
    if shown < len(columns):
        print(f"(left out to fit: {', '.join(head[shown:])}; a wider window or --json shows them)")


def table_lines(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Return the head, a line under it, and the rows."""
    right = [all(isinstance(row[place], int | float | None) for row in rows) for place in range(len(head))]
    widths = column_widths(head, rows)
    lines = [
        (" " * GAP)
        .join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )
        .rstrip()
        for row in (head, *_shown(rows))
    ]
    return [styled(lines[0], "bold", sys.stdout), (" " * GAP).join("─" * width for width in widths), *lines[1:]]


def column_widths(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[int]:
    return [max(map(len, column)) for column in zip(head, *_shown(rows), strict=True)]


def total_width(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def terminal_width() -> int | None:
    """How wide the terminal is; None in a pipe, where nothing has to fit."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def styled(text: str, style: str, stream: TextIO) -> str:
    """Return the text in bold or a colour where a terminal shows it and NO_COLOR is not set."""
    wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"{_STYLES[style]}{text}{_PLAIN}" if wanted else text


def _fitting(widths: Sequence[int], room: int | None) -> int:
    """How many columns fit, the first two in any case."""
    if room is None:
        return len(widths)
    fits = [count for count in range(1, len(widths) + 1) if total_width(widths[:count]) <= room]
    return max(max(fits, default=0), min(2, len(widths)))


def _shown(rows: Sequence[Sequence[Any]]) -> list[Sequence[str]]:
    """Return the cells in words, with the decimal points of a column aligned."""
    return list(zip(*(_shown_column(column) for column in zip(*rows, strict=True)), strict=True))


def _shown_column(cells: Sequence[Any]) -> list[str]:
    form = f".{_decimals([cell for cell in cells if isinstance(cell, float)])}"
    return ["" if cell is None else format(cell, form) if isinstance(cell, float) else str(cell) for cell in cells]


def _decimals(numbers: Sequence[float]) -> str:
    """As many as give the largest five digits, and no more than are needed; each its own where a number would
    vanish.
    """
    finite = [abs(number) for number in numbers if math.isfinite(number) and number != 0.0]
    shown = [f"{number:.5g}" for number in finite]
    most = max(0, 4 - math.floor(math.log10(max(finite, default=1.0))))
    count = min(most, max((len(text.partition(".")[2]) for text in shown), default=0))
    own = any("e" in text for text in shown) or any(float(f"{number:.{count}f}") == 0.0 for number in finite)
    return "5g" if own else f"{count}f"
