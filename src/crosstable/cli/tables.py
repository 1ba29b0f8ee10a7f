"""A plain table for people: numbers to the right, words to the left, as wide as it needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    kept = [list(row) for row in rows]
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE)
    for place, name in enumerate(columns):
        numeric = all(isinstance(row[place], int | float) or row[place] in ("", None) for row in kept)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in kept:
        table.add_row(*(_shown(cell) for cell in row))
    Console(highlight=False, soft_wrap=False).print(table)


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
