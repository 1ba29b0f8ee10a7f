"""The lab's speed: backtests, a reform, tuning on one and two cores and on a local Dask cluster, and memory.

usage: lab.py [SOURCE] [--games N] [--trials N] [--only backtests|reform|tuning]

Aims, on two idle cores and the published record: US Chess, Elo, Glicko, Glicko-2 and Stephenson backtested together
under 30 s; a reform replayed and reported under 60 s; 32 trials on two threads at least 1.8 times, on two Dask workers
at least 1.6 times as fast as on one thread; under 3 GB. Without SOURCE a simulated federation of about --games games is
made. Processor seconds stand beside the wall's, because a busy machine stretches those. Writes bench/results/lab.json.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from crosstable.lab.backtest import Entry, backtest
from crosstable.lab.games import LabGames
from crosstable.lab.history_tables import write_tables
from crosstable.lab.predictors import predictor
from crosstable.lab.reform import compare, find_reform
from crosstable.lab.report.reform import write_reform_report
from crosstable.lab.setting import SimulationSetting
from crosstable.lab.simulation import simulate
from crosstable.lab.source import read_source
from crosstable.lab.tune import Search, TuningTask, tune

RESULTS = Path(__file__).resolve().parent / "results" / "lab.json"
SYSTEMS = ("us_chess", "elo", "glicko", "glicko2", "stephenson")
GAMES_A_PLAYER_YEAR = 17.5


def timed(work: Callable[[], Any]) -> dict[str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return {"wall": round(time.perf_counter() - wall, 2), "cpu": round(time.process_time() - cpu, 2)}


def made(games: int, folder: Path) -> str:
    """A simulated federation of about so many games, as history tables."""
    years = 8
    players = max(200, int(games / GAMES_A_PLAYER_YEAR / years))
    write_tables(simulate(SimulationSetting(players=players, years=years, events_per_week=players / 300)).games, folder)
    return str(folder)


def last_year(games: LabGames) -> tuple[date, date]:
    last = date.fromordinal(int(games.day.max()))
    return date(last.year, 1, 1), last


def backtests(where: str) -> None:
    source = read_source(where)
    backtest(source, [Entry(predictor(name)) for name in SYSTEMS], *last_year(source.games))


def reform(where: str, folder: Path) -> None:
    found = compare(read_source(where), [find_reform("no-bonus")])
    write_reform_report(found, folder / "reform.html", ["lab", "reform", where, "no-bonus"])


def tuning(where: str, trials: int) -> dict[str, Any]:
    """Run the same study on one thread, two threads and two Dask workers, all with the games in memory."""
    from distributed import Client, LocalCluster

    since, until = last_year(read_source(where).games)
    task = TuningTask(where, "OTBR", "glicko", since, until)
    hashes = []

    def study(**where_it_runs: Any) -> dict[str, float]:
        return timed(lambda: hashes.append(tune(task, Search(trials=trials), **where_it_runs).hash))

    warm_up(task)
    found: dict[str, Any] = {f"{threads} threads": study(threads=threads) for threads in (1, 2)}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.run(warm_up, task)
        found["2 Dask workers"] = study(cluster=cluster.scheduler_address)
    one = found["1 threads"]["wall"]
    found["two threads are faster by"] = round(one / found["2 threads"]["wall"], 2)
    found["two workers are faster by"] = round(one / found["2 Dask workers"]["wall"], 2)
    found["one hash"] = len(set(hashes)) == 1
    return found


def warm_up(task: TuningTask) -> None:
    """Read and compile: what a process does once, whatever it is asked later."""
    task.digest()
    for opening in (0.0, 1.0):
        task.loss({"opening": opening, "slope": 0.9})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", help="a folder of history tables")
    parser.add_argument("--games", type=int, default=300_000)
    parser.add_argument("--trials", type=int, default=32)
    parser.add_argument("--only", choices=("backtests", "reform", "tuning"), help="one part, its figures printed only")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        where = args.source or made(args.games, Path(scratch) / "made")
        found: dict[str, Any] = {"games": len(read_source(where).games), "load before": os.getloadavg()[0]}
        if args.only in (None, "backtests"):
            found["five systems, first run"] = timed(lambda: backtests(where))
            found["five systems"] = timed(lambda: backtests(where))
        if args.only in (None, "reform"):
            found["a reform with its report"] = timed(lambda: reform(where, Path(scratch)))
        found["peak memory, GB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 2)
        if args.only in (None, "tuning"):
            found["tuning"] = tuning(where, args.trials)
    for name, value in found.items():
        print(f"{name}: {value}")
    if args.only is None:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
