"""Reports that directors bring to their desks, with invented players: the smallest that show each case."""

from __future__ import annotations

from pathlib import Path

FILES = Path(__file__).parent / "events" / "desk"

#: Seven players without ids, five rounds, no dates. In round 5 the rows of numbers 2 and 3 both say that they won
CLASH = FILES / "clash.trf"

#: A crosstable as text: six players, four of them unrated
BOOSTER = FILES / "booster.txt"


def crosstable(name: str) -> str:
    """Return the crosstable of that name as text: `open`, `reserve`, `booster` or `quick`."""
    return (FILES / f"{name}.txt").read_text(encoding="utf-8")
