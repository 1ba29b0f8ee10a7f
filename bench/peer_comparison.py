"""elote's own comparison of five systems (train, then test), the peer that does what `ct.compare` does; prints seconds
as JSON.

usage: peer_comparison.py GAMES.npz   (run by the environment of bench/requirements.txt)
"""

from __future__ import annotations

import datetime as dt
import json
import sys
import time
from typing import Any

import numpy as np


def main() -> None:
    from elote import DWZCompetitor, ECFCompetitor, EloCompetitor, Glicko2Competitor, GlickoCompetitor
    from elote.benchmark import benchmark_competitors
    from elote.datasets.base import DataSplit

    data = np.load(sys.argv[1])
    first = dt.datetime(1970, 1, 1)
    rows: list[Any] = [
        (f"p{white}", f"p{black}", float(score), first + dt.timedelta(days=int(day)), None)
        for white, black, score, day in zip(data["white"], data["black"], data["score"], data["day"], strict=True)
    ]
    split = int(len(rows) * float(data["train"]))
    systems = (EloCompetitor, GlickoCompetitor, Glicko2Competitor, DWZCompetitor, ECFCompetitor)
    begun, used = time.perf_counter(), time.process_time()
    found = benchmark_competitors(
        [{"class": system, "name": system.__name__} for system in systems],
        DataSplit(rows[:split], rows[split:]),
        lambda a, b: True,  # noqa: ARG005  every peer is called alike
        optimize_thresholds=False,
    )
    each = {result["name"]: result["train_time"] + result["eval_time"] for result in found}
    print(json.dumps({"wall": time.perf_counter() - begun, "cpu": time.process_time() - used, "each": each}))


if __name__ == "__main__":
    main()
