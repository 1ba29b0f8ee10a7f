"""The rating systems at array speed beside their peers, on the same games in one run; the aims of issue 5.

usage: systems.py [--games N] [--players N] [--no-peers]

Glicko at least 5 times and Glicko-2 at least 10 times the best peer, Elo within 2 times of a bare numba loop; AGA:
10,000 games in 130 tournaments under 5 s, one tournament of 2,000 players under 1 s. Prints a table, writes
bench/results/systems.json, and exits with 1 if an aim is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

from crosstable.replay import aga, club, elo, fide, glicko
from crosstable.replay.periods import Periods, history
from crosstable.systems.glicko2 import SYSTEM as GLICKO2
from peer_environment import run_with_peers
from synthetic import by_day

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "systems.json"
FIRST_DAY = 738_365  # 2022-07-29: FIDE's rulebook begins in 2022


def best_of(run: Callable[[], Any], times: int = 5) -> float:
    """Seconds of the quickest run; one before it compiles and warms up."""
    run()
    seconds = []
    for _ in range(times):
        begun = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def in_turn(one: Callable[[], Any], other: Callable[[], Any], times: int = 15) -> tuple[float, float]:
    """The quickest of each, run in turn, so that a busy machine slows both."""
    seconds = [[best_of(run, 1) for run in (one, other)] for _ in range(times)]
    return min(first for first, _ in seconds), min(second for _, second in seconds)


@numba.njit
def bare_elo(white: Any, black: Any, score: Any, rating: Any) -> None:
    """What one would write by hand: one game after the other, nothing else."""
    for game in range(len(score)):
        w, b = white[game], black[game]
        change = 32.0 * (score[game] - 1.0 / (1.0 + 10.0 ** ((rating[b] - rating[w]) / 400.0)))
        rating[w] += change
        rating[b] -= change


def ours(past: Periods) -> dict[str, float]:
    begin = np.random.default_rng(1).integers(1400, 2700, past.players)
    later = past._replace(day=past.day - past.day[0] + FIRST_DAY)
    by_hand, with_us = in_turn(
        lambda: bare_elo(past.white, past.black, past.score, np.full(past.players, 1500.0)), lambda: elo.replay(past)
    )
    return {
        "elo": with_us,
        "bare elo": by_hand,
        "club": best_of(lambda: club.replay(past)),
        "glicko": best_of(lambda: glicko.replay(past)),
        "glicko2": best_of(lambda: glicko.replay(past, GLICKO2)),
        "fide": best_of(lambda: fide.replay(later, rating=begin)),
    }


def go_history(games: int, players: int, tournaments: int) -> tuple[Periods, aga.GoGames]:
    """Go has no draws, handicaps by rank, and tournaments that everybody may enter: not the chess federation's
    games.
    """
    rng = np.random.default_rng(2)
    strength = rng.normal(0.0, 1.0, players)
    white = rng.permutation(players)[(players * rng.random(games) ** 1.5).astype(int)]
    black = (white + rng.integers(1, players, games)) % players
    score = (rng.random(games) < 1.0 / (1.0 + np.exp(strength[black] - strength[white]))).astype(float)
    period = np.sort(rng.integers(0, tournaments, games))
    past = history(white, black, score, period, FIRST_DAY + np.unique(period))
    rank = rng.integers(-25, 7, players)
    seed = np.where(rank >= 0, rank + 1.5, rank - 0.5)
    apart = np.abs(rank[past.white] - rank[past.black])
    handicap = np.where(apart > 1, np.minimum(apart, 9), 0)
    komi = np.where(handicap > 0, 0.5, 7.5)
    return past, aga.go_games(handicap, komi, seed[past.white], seed[past.black])


def go() -> dict[str, float]:
    many, one = go_history(10_000, 1_500, 130), go_history(6_000, 2_000, 1)
    return {
        "aga: 10,000 games, 130 tournaments": best_of(lambda: aga.replay(*many)),
        "aga: one tournament of 2,000 players": best_of(lambda: aga.replay(*one)),
        "aga: the same, plain Python": best_of(lambda: aga.replay(*one, fast=False), 1),
    }


def peers(past: Periods) -> dict[str, dict[str, float | str]]:
    """In an environment of their own, so that their dependencies do not meet ours."""
    games = {name: getattr(past, name) for name in ("white", "black", "score", "first", "players")}
    printed = run_with_peers("peers.py", **games)
    found: dict[str, dict[str, float | str]] = json.loads(printed)
    return found


def best_peer(found: dict[str, dict[str, float | str]], *systems: str) -> tuple[str, float]:
    seconds = {
        f"{name} ({system})": value
        for system in systems
        for name, value in found.get(system, {}).items()
        if isinstance(value, float)
    }
    name = min(seconds, key=lambda key: seconds[key])
    return name, seconds[name]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--players", type=int, default=50_000)
    parser.add_argument("--no-peers", action="store_true", help="only our own figures")
    args = parser.parse_args()
    past = by_day(args.games, args.players)
    load = os.getloadavg()[0]
    mine, stones = ours(past), go()
    report: dict[str, Any] = {
        "games": len(past.score),
        "players": past.players,
        "load": load,
        "seconds": {**mine, **stones},
    }
    aims = [
        (
            "elo: times a bare numba loop (at most 2)",
            mine["elo"] / mine["bare elo"],
            mine["elo"] <= 2 * mine["bare elo"],
        ),
        ("aga: 10,000 games (under 5 s)", (many := stones["aga: 10,000 games, 130 tournaments"]), many < 5),
        ("aga: 2,000 players (under 1 s)", (one := stones["aga: one tournament of 2,000 players"]), one < 1),
    ]
    if not args.no_peers:
        found = report["peers"] = peers(past)
        for system, least, others in (("glicko", 5, ("glicko", "other")), ("glicko2", 10, ("glicko2", "other"))):
            name, seconds = best_peer(found, *others)
            ratio = seconds / mine[system]
            aims.append((f"{system}: times {name}, the best peer (at least {least})", ratio, ratio >= least))
        name, seconds = best_peer(found, "elo")
        print(f"elo: {seconds / mine['elo']:.0f} times {name}")
    report["aims"] = [{"aim": aim, "value": value, "met": met} for aim, value, met in aims]
    show(report, aims)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if all(met for _, _, met in aims) else 1


def show(report: dict[str, Any], aims: list[tuple[str, float, bool]]) -> None:
    print(
        f"{report['games']:,} games, {report['players']:,} players, load {report['load']:.1f} on {os.cpu_count()} cores"
    )
    for name, seconds in report["seconds"].items():
        rate = "" if name.startswith("aga") else f"{report['games'] / seconds / 1e6:8.1f} M games/s"
        print(f"  {name:40} {seconds:8.3f} s {rate}")
    for system, found in report.get("peers", {}).items():
        for name, seconds in found.items():
            text = (
                seconds
                if isinstance(seconds, str)
                else f"{seconds:8.3f} s {report['games'] / seconds / 1e3:8.0f} k games/s"
            )
            print(f"  {name + ' (' + system + ')':40} {text}")
    for aim, value, met in aims:
        print(f"{'met   ' if met else 'MISSED'} {aim}: {value:.3g}")


if __name__ == "__main__":
    sys.exit(main())
