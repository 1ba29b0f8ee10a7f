"""The bars of a correction: how many players move by how much. Drawn twice, for wide pages and for phones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDE, HEIGHT, GAP, BASE = 1000.0, 108.0, 6.0, 136.0
NARROW, LEFT = 200.0, 96.0
#: A bar that is there is seen
LEAST = 2.0


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    count: int
    strong: bool  # by a whole point or more
    x: float
    y: float
    width: float
    height: float
    long: float  # on phones, lying
    top: float

    @property
    def label_y(self) -> float:
        return round(self.y - 6, 1)

    @property
    def text_top(self) -> float:
        return self.top + 13

    @property
    def text_x(self) -> float:
        return LEFT + self.long + 8


def bars(counts: Sequence[tuple[str, int]]) -> list[Bar]:
    most = max((count for _, count in counts), default=0) or 1
    step = (WIDE + GAP) / max(1, len(counts))
    found = []
    for place, (label, count) in enumerate(counts):
        height = max(LEAST, HEIGHT * count / most) if count else 0.0
        long = max(LEAST, NARROW * count / most) if count else 0.0
        strong = place >= 3
        top = 5.0 + 30 * place
        found.append(
            Bar(
                label, count, strong, round(place * step, 1), round(BASE - height, 1), round(step - GAP, 1),
                round(height, 1), round(long, 1), top,
            )
        )  # fmt: skip
    return found
