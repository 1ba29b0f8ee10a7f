"""The replay kernel beside the same kernel in C, a bare Elo loop and the peers, on the same games in one run; issue 3.

usage: replay.py [--games N] [--players N] [--times N] [--quick] [--no-peers]

Aims, on an idle core: at least 8 million games a second, 10 times the best peer's plain Elo, half the speed of C; time
in proportion to games from 1 to 50 million; under 100 bytes a game; first use under 1 s from the cache, under 20 s
without. The clock is the thread's own processor time, best of so many runs in turn, so that a busy machine disturbs
less; wall time stands beside it. Prints a table and writes bench/results/replay.json; --quick leaves out 25 and 50
million games.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from crosstable.replay.history import PLAYER, SECTION, History
from crosstable.replay.rules import rules_in_force
from crosstable.replay.runs import Scenario, replay_all
from crosstable.replay.state import MATCH_CHANGE, NO_MATCH, STATE, States, unrated
from crosstable.replay.us_chess import ROW, _Run, _start, replay
from crosstable.rulebook import AS_WRITTEN
from synthetic import FIRST_DAY, as_games, synthetic
from systems import bare_elo
from systems import peers as peers_of

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "replay.json"
SIZES = (1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000)
PEER_GAMES = 100_000
CLOCKS = ("cpu", "wall")
C_TYPES = {"f8": "double", "i8": "int64_t", "i4": "int32_t", "i1": "int8_t", "u1": "uint8_t", "b1": "bool"}


def ready(history: History, states: States | None = None) -> _Run:
    """A replay about to start, with every page of its output touched: what is timed is the kernel alone."""
    run = _start(history, states or unrated(len(history.players)), AS_WRITTEN, None, 0, False)
    for array in (run.carried.rows, run.carried.matches):
        np.asarray(array).view(np.uint8)[:] = 0
    return run


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """(processor, wall) seconds."""
    cpu, wall = time.thread_time(), time.perf_counter()
    work()
    return time.thread_time() - cpu, time.perf_counter() - wall


def best(seconds: Sequence[tuple[float, float]]) -> dict[str, float]:
    return {"cpu": min(cpu for cpu, _ in seconds), "wall": min(wall for _, wall in seconds)}


def kernel_seconds(history: History, times: int, states: States | None = None) -> dict[str, float]:
    seconds = []
    for _ in range(times):
        run = ready(history, states)
        seconds.append(timed(lambda run=run: run.advance(len(history.sections))))
    return best(seconds)


# The same kernel in C


def struct(name: str, dtype: np.dtype[Any]) -> str:
    """A record as C declares it; NumPy's aligned layout is C's."""
    lines = []
    for field in dtype.names or ():
        kind, shape = dtype.fields[field][0].base, dtype.fields[field][0].shape
        size = f"[{int(np.prod(shape))}]" if shape else ""
        lines.append(f"    {C_TYPES[kind.str[1:]]} {field}{size};")
    return f"typedef struct {{\n{chr(10).join(lines)}\n}} {name};\n"


def build(folder: Path) -> ctypes.CDLL:
    records = {
        "Rules": rules_in_force().rows.dtype,
        "Section": SECTION,
        "Player": PLAYER,
        "State": STATE,
        "Match": MATCH_CHANGE,
        "Row": ROW,
    }
    text = "#include <stdint.h>\n#include <stdbool.h>\n" + "".join(struct(*item) for item in records.items())
    (folder / "records.h").write_text(text)
    library = folder / "kernel.so"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", "-I", folder, "-o", library, HERE / "kernel.c", "-lm"],
        check=True,
    )
    return ctypes.CDLL(str(library))


def c_run(library: ctypes.CDLL, run: _Run, history: History) -> Callable[[], None]:
    field = int(np.diff(history.entry_start).max())
    games = int(np.diff(history.game_start[history.entry_start]).max())
    tables, carried = run.tables, run.carried
    scratch = [np.zeros(field * 64, np.uint8) for _ in range(3)] + [np.zeros(games)]
    arrays = [
        tables.sections,
        tables.entry_start,
        tables.entry_player,
        tables.game_start,
        tables.opponent,
        tables.half_points,
        tables.players,
        tables.rules,
        tables.section_rules,
        tables.match_since,
        tables.row_start,
        carried.states,
        carried.matches,
        carried.rows,
        *scratch,
    ]
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in arrays]
    library.replay.restype = ctypes.c_int64

    def work() -> None:
        run.logged = library.replay(ctypes.c_int64(len(history.sections)), *pointers)
        del scratch[:]  # until here it must not be freed: C only has pointers

    return work


def beside_c(history: History, library: ctypes.CDLL, times: int) -> dict[str, Any]:
    """Ours and C in turn, and how far their results lie apart."""
    ours, theirs = [], []
    for _ in range(times):
        mine, other = ready(history), ready(history)
        ours.append(timed(lambda run=mine: run.advance(len(history.sections))))
        theirs.append(timed(c_run(library, other, history)))
    one, two = np.asarray(mine.carried.rows), np.asarray(other.carried.rows)
    return {
        "ours": best(ours),
        "C": best(theirs),
        "largest difference": float(np.abs(one["post"] - two["post"]).max()),
        "published otherwise": int((np.floor(one["post"] + 0.5) != np.floor(two["post"] + 0.5)).sum()),
        "games or flags otherwise": int(
            ((one["post_games"] != two["post_games"]) | (one["flags"] != two["flags"])).sum()
        ),
    }


# Growth, memory, start, threads


def growth(players: int, times: int, sizes: Sequence[int]) -> dict[str, Any]:
    """Seconds by games, twice: in a federation in full swing, where every size has the same mix of players, and from
    its first day, where a short history of 200,000 players is mostly newcomers, whose formula costs more."""
    before = replay(synthetic(10_000_000, players)).states
    before.ratings["day"], before.ratings["last_match"] = FIRST_DAY, NO_MATCH  # as if it had all happened before
    rows = []
    for size in sizes:
        history = synthetic(size, players)
        row = {
            "games": float(history.games),
            "in full swing": kernel_seconds(history, max(2, times // 2), before)["cpu"],
            "from the first day": kernel_seconds(history, max(2, times // 2))["cpu"],
        }
        rows.append(row)
        print("  " + ", ".join(f"{name} {value:,.3f}" for name, value in row.items()), file=sys.stderr, flush=True)
    return {"sizes": rows} | {f"slope {name}": slope(rows, name) for name in ("in full swing", "from the first day")}


def slope(rows: Sequence[dict[str, float]], name: str) -> float:
    games, seconds = (np.log([row[column] for row in rows]) for column in ("games", name))
    return float(np.polyfit(games, seconds, 1)[0])


def memory(history: History) -> dict[str, float]:
    run = ready(history)
    parts = {
        "history": history.nbytes,
        "states": run.carried.states.nbytes + run.carried.matches.nbytes,
        "rows": run.carried.rows.nbytes,
        "rules, offsets": sum(run.tables[place].nbytes for place in range(10, 15)),
    }
    return {name: size / history.games for name, size in parts.items()} | {"all": sum(parts.values()) / history.games}


START = """
import time
wall, cpu = time.perf_counter(), time.process_time()
import sys
sys.path.insert(0, sys.argv[1])
from tests.replay.small import small_history
from crosstable.replay.us_chess import replay
replay(small_history(1, 3, 20))
print(time.perf_counter() - wall, time.process_time() - cpu)
"""


def starts() -> dict[str, dict[str, float]]:
    """A process's first replay: without a cache, then with one."""
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold", "from the cache", "from the cache", "from the cache"):
            environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
            command = [sys.executable, "-c", START, str(HERE.parent)]
            printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            wall, cpu = (float(word) for word in printed.split())
            before = found.get(name, {"wall": wall, "cpu": cpu})
            found[name] = {"wall": min(wall, before["wall"]), "cpu": min(cpu, before["cpu"])}
    return found


def threads(history: History) -> dict[str, float]:
    """Four runs of the whole replay, one after the other and two at a time."""
    scenarios = [Scenario(str(n)) for n in range(4)]
    found = {}
    for count in (1, 2):
        begun = time.perf_counter()
        replay_all(history, scenarios, threads=count)
        found[f"{count} threads"] = time.perf_counter() - begun
    return found


# Elo: a bare loop and the peers


def bare_elo_seconds(history: History, times: int) -> dict[str, float]:
    games = as_games(history)
    rating = np.full(games.players, 1500.0)
    bare_elo(games.white[:10], games.black[:10], games.score[:10], rating)
    return best([timed(lambda: bare_elo(games.white, games.black, games.score, rating)) for _ in range(times)])


def peer_speeds(history: History) -> dict[str, Any]:
    """Games per second of every peer's systems, on the first games of the same history."""
    games = as_games(history, PEER_GAMES)
    return {
        f"{name} ({system})": len(games.score) / seconds if isinstance(seconds, float) else seconds
        for system, peers in peers_of(games).items()
        for name, seconds in peers.items()
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=10_000_000)
    options.add_argument("--players", type=int, default=200_000)
    options.add_argument("--times", type=int, default=7)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--no-peers", action="store_true")
    chosen = options.parse_args()
    history = synthetic(chosen.games, chosen.players)
    replay(synthetic(1_000, 1_000))  # load or compile
    with tempfile.TemporaryDirectory() as folder:
        results: dict[str, Any] = {
            "games": history.games,
            "players": chosen.players,
            "processors": os.cpu_count(),
            "load": os.getloadavg(),
            "kernel": beside_c(history, build(Path(folder)), chosen.times),
        }
    results["bare numba Elo loop"] = bare_elo_seconds(history, 3)
    results["whole replay call"] = best([timed(partial(replay, history)) for _ in range(3)])
    results["bytes per game"] = memory(history)
    results["four runs"] = threads(history)
    results["peers, games per second"] = {} if chosen.no_peers else peer_speeds(history)
    results["first use"] = starts()
    del history
    results["growth"] = growth(chosen.players, chosen.times, SIZES[:4] if chosen.quick else SIZES)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    show(results)


def show(results: dict[str, Any]) -> None:
    """A line a measure: by processor time, by wall time where it was taken, and the aim."""
    kernel, games, first, growth = results["kernel"], results["games"], results["first use"], results["growth"]
    ours, bare, threads = kernel["ours"], results["bare numba Elo loop"], results["four runs"]
    peers = {name: speed for name, speed in results["peers, games per second"].items() if isinstance(speed, float)}
    elo = max((speed for name, speed in peers.items() if name.endswith("(elo)")), default=float("nan"))
    lines = [
        ("kernel, games per second", ",.0f", [games / ours[clock] for clock in CLOCKS], "8,000,000"),
        ("speed beside C (cc -O2)", ".2f", [kernel["C"][clock] / ours[clock] for clock in CLOCKS], "0.50"),
        ("largest difference from C, points", ".1e", [kernel["largest difference"]], "1e-9"),
        ("published otherwise than C", "", [kernel["published otherwise"]], "0"),
        ("speed beside the best peer's Elo", ",.1f", [games / ours["cpu"] / elo], "10"),
        ("speed beside a bare numba Elo loop", ".2f", [bare[clock] / ours[clock] for clock in CLOCKS], "ceiling"),
        ("slope of log time over log games", ".3f", [growth["slope in full swing"]], "1.00 ± 0.10"),
        ("the same, everybody a newcomer at first", ".3f", [growth["slope from the first day"]], ""),
        ("bytes per game", ".1f", [results["bytes per game"]["all"]], "100"),
        ("first use from the cache, s", ".2f", [first["from the cache"][clock] for clock in CLOCKS], "1 (wall)"),
        ("cold compile, s", ".1f", [first["cold"][clock] for clock in CLOCKS], "20 (wall)"),
        ("four runs: two threads beside one", ".2f", [threads["1 threads"] / threads["2 threads"]], ""),
        *((f"  {name}, games per second", ",.0f", [speed], "") for name, speed in peers.items()),
    ]
    load, processors = results["load"][0], results["processors"]
    print(f"{games:,} games, {results['players']:,} players, load {load:.1f} on {processors} processors")
    for name, shape, values, aim in lines:
        print(f"{name:40}", *(f"{value:>14{shape}}" for value in values), *[" " * 14] * (2 - len(values)), " ", aim)


if __name__ == "__main__":
    main()
