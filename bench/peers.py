"""The peers on the same games: run by the environment of bench/requirements.txt, prints seconds as JSON.

usage: peers.py GAMES.npz
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

Games = list[tuple[int, int, float]]


def elote_elo(games: Games, players: int, _first: list[int]) -> None:
    from elote import EloCompetitor

    _elote(EloCompetitor, games, players)


def elote_glicko(games: Games, players: int, _first: list[int]) -> None:
    from elote import GlickoCompetitor

    _elote(GlickoCompetitor, games, players)


def elote_glicko2(games: Games, players: int, _first: list[int]) -> None:
    from elote import Glicko2Competitor

    _elote(Glicko2Competitor, games, players)


def _elote(kind: Any, games: Games, players: int) -> None:
    field = [kind() for _ in range(players)]
    for white, black, score in games:
        if score == 1.0:
            field[white].beat(field[black])
        elif score == 0.0:
            field[black].beat(field[white])
        else:
            field[white].tied(field[black])


def glicko2_package(games: Games, players: int, first: list[int]) -> None:
    """Period by period, as its authors mean it: lists of opponents, one update per player."""
    from glicko2 import Player

    field = [Player() for _ in range(players)]
    for start, end in pairwise(first):
        met: dict[int, tuple[list[float], list[float], list[float]]] = {}
        for white, black, score in games[start:end]:
            for own, other, result in ((white, black, score), (black, white, 1.0 - score)):
                ratings, deviations, results = met.setdefault(own, ([], [], []))
                ratings.append(field[other].getRating())
                deviations.append(field[other].getRd())
                results.append(result)
        for own, lists in met.items():
            field[own].update_player(*lists)


def openskill_fastest(games: Games, players: int, _first: list[int]) -> None:
    """Not Glicko, but the two-parameter system that this package has: the quickest of its models for two players."""
    from openskill.models import BradleyTerryPart

    model = BradleyTerryPart()
    field = [model.rating() for _ in range(players)]
    for white, black, score in games:
        ranks = [1.0, 1.0] if score == 0.5 else [2.0 - score, 1.0 + score]
        new = model.rate([[field[white]], [field[black]]], ranks=ranks)
        field[white], field[black] = new[0][0], new[1][0]


def skelo_elo(games: Games, players: int, first: list[int]) -> None:
    from skelo.model.elo import EloModel

    _skelo(EloModel(), games, players, first)


def skelo_glicko2(games: Games, players: int, first: list[int]) -> None:
    from skelo.model.glicko2 import Glicko2Model

    _skelo(Glicko2Model(), games, players, first)


def _skelo(model: Any, games: Games, players: int, first: list[int]) -> None:
    """It knows no draws: for the clock they count as White's wins."""
    model.build(range(players))
    for period, (start, end) in enumerate(pairwise(first), start=1):
        for white, black, score in games[start:end]:
            winner, loser = (white, black) if score else (black, white)
            model.update(winner, loser, period)


PEERS: dict[str, dict[str, Callable[[Games, int, list[int]], None]]] = {
    "elo": {"elote": elote_elo, "skelo": skelo_elo},
    "glicko": {"elote": elote_glicko},
    "glicko2": {"elote": elote_glicko2, "glicko2": glicko2_package, "skelo": skelo_glicko2},
    "other": {"openskill": openskill_fastest},
}


def main() -> None:
    data = np.load(sys.argv[1])
    games = list(zip(data["white"].tolist(), data["black"].tolist(), data["score"].tolist(), strict=True))
    first, players = data["first"].tolist(), int(data["players"])
    seconds: dict[str, dict[str, float | str]] = {}
    for system, peers in PEERS.items():
        for name, run in peers.items():
            begun = time.perf_counter()
            try:
                run(games, players, first)
                seconds.setdefault(system, {})[name] = time.perf_counter() - begun
            except Exception as problem:  # a peer's own trouble must not hide the others
                seconds.setdefault(system, {})[name] = f"failed: {problem!r}"
            print(system, name, seconds[system][name], file=sys.stderr, flush=True)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
