"""The kinds of events: opens, quads, scholastics, club nights, matches, blitz and online evenings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event: how it is called, how often it is held, how fast it is, who comes."""

    name: str
    share: int
    days: int
    rounds: int
    controls: Sequence[str]
    sections: Sequence[tuple[str, float, float]]  # name, lowest and highest strength
    entrants: tuple[int, int]  # fewest and most in a section
    mode: str = "otb"
    form: str = "swiss"
    children: bool = False

    def weekend(self, near: date) -> tuple[date, date]:
        """First and last day of the one near a day: it begins on the Saturday before."""
        first = near - timedelta(days=(near.weekday() - 5) % 7)
        return first, first + timedelta(days=self.days - 1)


OPEN = (("Open", 0.0, 3000.0), ("Under 1800", 0.0, 1800.0), ("Under 1400", 0.0, 1400.0))
ALL = (("Open", 0.0, 3000.0),)

KINDS = (
    EventKind("{city} Open", 42, 2, 5, ("G/90;d5", "40/90, SD/30;d5", "G/120;d5"), OPEN, (14, 40)),
    EventKind("{city} Action", 40, 1, 4, ("G/45;d5", "G/60;d5", "G/30;d5"), OPEN[:2], (12, 30)),
    EventKind("{city} Quads", 36, 1, 3, ("G/61;d5", "G/80;d5"), ALL, (4, 4), form="round-robin"),
    EventKind(
        "{city} Scholastic",
        44,
        1,
        5,
        ("G/30;d5", "G/25;d5"),
        (("K-5", 0, 1200), ("K-12", 0, 2400)),
        (18, 60),
        children=True,
    ),
    EventKind("{city} Chess Club Ladder", 50, 28, 4, ("G/75;d5", "G/90;d5"), ALL, (8, 18)),
    EventKind("{city} Quick Night", 26, 1, 5, ("G/15;d3", "G/12;d3"), ALL, (10, 24)),
    EventKind("{city} Blitz", 22, 1, 7, ("G/5;d0", "G/3;+2", "G/5;d2"), ALL, (10, 26)),
    EventKind("{city} Match", 12, 7, 4, ("G/90;d5",), ALL, (2, 2), form="match"),
    EventKind("Online Evening", 12, 1, 5, ("G/10;+5", "G/15;+2"), ALL, (12, 30), mode="online"),
    EventKind("Online Blitz Arena", 10, 1, 7, ("G/3;+2", "G/5;+0"), ALL, (12, 30), mode="online"),
    EventKind("Online Classical", 6, 14, 4, ("G/60;+10", "G/90;+5"), ALL, (8, 20), mode="online"),
)


def by_share(kinds: Sequence[EventKind]) -> list[EventKind]:
    """Return each kind as often as its share says, so that a random choice takes the usual ones more often."""
    return [kind for kind in kinds for _ in range(kind.share)]
