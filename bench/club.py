"""How long it takes to pair a club (200 children under 0.1 s, 1,000 under 3 s), and to take a result late in a season.

`python bench/club.py`
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from datetime import date, timedelta

from crosstable.club.pairing import FreeChild, pair

LIMITS = {30: 0.1, 200: 0.1, 1000: 3.0}


def club(count: int) -> list[FreeChild]:
    """Children with ratings, opponents and colours as after some weeks."""
    rng = random.Random(count)
    ids = [str(number) for number in range(count)]
    return [
        FreeChild(
            id,
            rng.randint(300, 1200),
            tuple(rng.choices(ids, k=5)),
            "".join(rng.choices("wb", k=5)),
            rng.randint(0, 2),
        )
        for id in ids
    ]


def season(nights: int = 20, count: int = 30) -> list[float]:
    """Seconds for each result of a round, after so many nights of three rounds."""
    from crosstable import office

    with tempfile.TemporaryDirectory() as folder:
        office.setup(f"sqlite:///{folder}/club.db")
        office.migrate()
        from crosstable.club import attendance, boards, children, clubs, evening, exchange, results

        clubs.create("Bench", pin="1234", day=date(2026, 1, 1))
        who, rng, names = clubs.volunteer(), random.Random(1), [f"Child{number}" for number in range(count)]
        lines = ["date,white,black,result"]
        for night in range(nights):
            for _ in range(3):
                rng.shuffle(names)
                pairs = zip(names[::2], names[1::2], strict=True)
                day = date(2026, 1, 1) + timedelta(days=7 * night)
                lines += [f"{day},{a},{b},{rng.choice(['1-0', '0-1', '1/2-1/2'])}" for a, b in pairs]
        exchange.import_csv(who, "\n".join(lines).encode())
        tonight = evening.tonight()
        attendance.here(who, tonight, children.members())
        times = []
        for board in boards.pair_free(who, tonight):
            started = time.perf_counter()
            results.enter(who, board.id, rng.choice(["1-0", "0-1", "1/2-1/2"]))
            times.append(time.perf_counter() - started)
        return times


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
    times = sorted(season())
    print(f"a result after 20 nights of 30 children: {times[len(times) // 2]:.3f} s, at most {times[-1]:.3f} s")
    return int(late > 0)


if __name__ == "__main__":
    sys.exit(main())
