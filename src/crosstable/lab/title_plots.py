"""Figures on titles: the chance of one against the number of events."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crosstable.lab.plots import COLOURS, figure
from crosstable.titles.chance import title_chance


def draw_chances(path: str | Path, chances: Sequence[float], events: int = 30) -> None:
    """P_T(N) for some p, N up to `events` (appendix A of the 1996 report)."""
    with figure(path, "Chance of a title by five norms", "events played", "probability of the title") as axes:
        for colour, p in zip(COLOURS, chances, strict=False):
            curve = [title_chance(p, count) for count in range(events + 1)]
            axes.plot(range(events + 1), curve, color=colour, marker=".", label=f"p = {p:g} for a norm")
        axes.axhline(0.5, color=COLOURS[6], linewidth=0.8, linestyle="--")
        axes.axvline(10, color=COLOURS[6], linewidth=0.8, linestyle="--")
        axes.set_ylim(0, 1)
