"""Swiss pairing by score groups: in each group the upper half meets the lower half, nobody meets twice if it can be helped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from crosstable.replay.periods import Floats


def pairings(points: Floats, seeds: Floats, met: Sequence[set[int]]) -> list[tuple[int, int]]:
    """The next round's pairs by place in the field. `met` is kept up to date; an odd one out has a bye."""
    order = np.lexsort((-seeds, -points)).tolist()
    found = []
    while len(order) > 1:
        first = order.pop(0)
        group = sum(1 for other in order if points[other] == points[first])
        lower = max((group + 1) // 2 - 1, 0)  # where the lower half of the group begins
        candidates = [*order[lower:group], *reversed(order[:lower]), *order[group:]]
        rival = next((other for other in candidates if other not in met[first]), candidates[0])
        order.remove(rival)
        met[first].add(rival)
        met[rival].add(first)
        found.append((first, rival))
    return found
