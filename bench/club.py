"""How long it takes to pair a club: 200 children in under 0.1 s, 1,000 in under 3 s. `python bench/club.py`"""

from __future__ import annotations

import random
import sys
import time

from crosstable.club.pairing import Child, pair

LIMITS = {30: 0.1, 200: 0.1, 1000: 3.0}


def club(count: int) -> list[Child]:
    """Children with ratings, opponents and colours as after some weeks."""
    dice = random.Random(count)
    ids = [str(number) for number in range(count)]
    return [
        Child(
            id, dice.randint(300, 1200), tuple(dice.choices(ids, k=5)), "".join(dice.choices("wb", k=5)),
            dice.randint(0, 2),
        )
        for id in ids
    ]  # fmt: skip


def main() -> int:
    late = 0
    for count, limit in LIMITS.items():
        children = club(count)
        times = []
        for _ in range(5):
            started = time.perf_counter()
            pair(children)
            times.append(time.perf_counter() - started)
        best = min(times)
        late += best > limit
        print(f"{count:5} children  {best:6.3f} s (limit {limit} s){'  TOO SLOW' if best > limit else ''}")
    return int(late > 0)


if __name__ == "__main__":
    sys.exit(main())
