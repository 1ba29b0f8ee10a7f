"""The library: five systems compared on a frame of games, beside the peer that does the same; and how long the import
takes.

usage: library.py [--games N] [--peer-games N] [--no-peers]

Aims: 1,000,000 games with five systems under 10 s after a warm-up; at least 20 times as fast per game as elote's own
comparison of five systems (MIT; the only permissively licensed peer that compares systems); `import crosstable` under
60 ms. Processor time counts, wall time stands beside it: other work on the machine slows both. Writes
bench/results/library.json and exits with 1 if an aim is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import crosstable as ct
from peer_environment import run_with_peers
from synthetic import by_day

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "library.json"
PLAYERS = 50_000
FIRST = np.datetime64("2001-01-06")
TRAIN = 0.73  # of the games are learned from; the others are predicted


def made_up(games: int) -> dict[str, Any]:
    """A made-up federation. Players meet about as often whatever the number of games."""
    past = by_day(games, max(1_000, PLAYERS * games // 1_000_000))
    day = np.repeat(past.day - past.day[0], np.diff(past.first))
    return {"white": past.white, "black": past.black, "score": past.score, "day": day}


def frame(games: dict[str, Any]) -> pl.DataFrame:
    names = {side: [f"p{number}" for number in games[side]] for side in ("white", "black")}
    return pl.DataFrame({"date": FIRST + games["day"].astype("timedelta64[D]"), **names, "score": games["score"]})


def ours(table: pl.DataFrame) -> dict[str, Any]:
    systems = [ct.Elo(k=24), ct.Glicko(), ct.Glicko2(), ct.UsChess(), ct.StCharles()]
    test_from = table["date"][int(TRAIN * table.height)]
    ct.compare(systems, table.head(20_000))  # compiles, or loads what was compiled
    begun, used = time.perf_counter(), time.process_time()
    found = ct.compare(systems, table, test_from=test_from)
    seconds = {"wall": time.perf_counter() - begun, "cpu": time.process_time() - used}
    print(found)
    return seconds | {"each": dict(found.select("system", "seconds").rows())}


def peer(games: dict[str, Any]) -> dict[str, Any]:
    """In an environment of its own."""
    printed = run_with_peers("peer_comparison.py", **games, train=TRAIN)
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


def import_milliseconds(times: int = 15) -> float:
    """The quickest of some imports, each in a new interpreter."""
    code = "import time; used = time.process_time(); import crosstable; print(time.process_time() - used)"
    seconds = [
        float(subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout)
        for _ in range(times)
    ]
    return 1000 * min(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--peer-games", type=int, default=50_000, help="the peer's time grows with its games")
    parser.add_argument("--no-peers", action="store_true", help="only our own figures")
    args = parser.parse_args()
    load, imported = os.getloadavg()[0], import_milliseconds()
    past = made_up(args.games)
    games, mine = len(past["score"]), ours(frame(past))
    aims = [
        ("import crosstable, ms of processor time (under 60)", imported, imported < 60),
        (f"five systems, {games:,} games, s of processor time (under 10)", mine["cpu"], mine["cpu"] < 10),
    ]
    report: dict[str, Any] = {"games": games, "load": load, "import_ms": imported, "ours": mine}
    if not args.no_peers:
        few = made_up(args.peer_games)
        theirs = report["peer"] = peer(few)
        ratio = (theirs["cpu"] / len(few["score"])) / (mine["cpu"] / games)
        aims.append(
            (
                f"times as fast per game as elote ({theirs['cpu']:.1f} s for {len(few['score']):,} games; at least 20)",
                ratio,
                ratio >= 20,
            )
        )
    report["aims"] = [{"aim": aim, "value": value, "met": met} for aim, value, met in aims]
    print(f"load {load:.1f} on {os.cpu_count()} cores; wall time {mine['wall']:.2f} s")
    for aim, value, met in aims:
        print(f"{'met   ' if met else 'MISSED'} {aim}: {value:.3g}")
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if all(met for _, _, met in aims) else 1


if __name__ == "__main__":
    sys.exit(main())
