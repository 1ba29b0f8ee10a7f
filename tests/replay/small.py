"""A small random history: everybody plays, all pools, matches, some FIDE and CFC ratings, an office's orders."""

from __future__ import annotations

from datetime import date
from random import Random

import numpy as np

from crosstable.model import KINDS
from crosstable.replay.history import ADJUSTABLE, ADJUSTMENT, FOREIGN, FULL, NO_POOL, SECTION, History, new_players

FIRST_DAY, LAST_DAY = date(2001, 1, 3).toordinal(), date(2026, 6, 30).toordinal()
BLITZ, ONLINE = date(2013, 3, 1).toordinal(), date(2020, 6, 1).toordinal()


def small_history(seed: int = 1, sections: int = 400, players: int = 60) -> History:
    random = Random(seed)
    rows, entry_start, entry_player, game_start, opponent, half_points = [], [0], [], [0], [], []
    for place in range(sections):
        end = FIRST_DAY + (LAST_DAY - FIRST_DAY) * place // sections
        kind = random.choice(["swiss", "swiss", "swiss", "round-robin", "match"])
        first, second = random.choice([(0, 1), (0, NO_POOL), (1, NO_POOL), (2, NO_POOL), (4, NO_POOL)])
        if (first == 2 and end < BLITZ) or (first == 4 and end < ONLINE):
            first = 0
        rows.append((end - random.randint(0, 1), end, end, first, second, KINDS.index(kind), FULL, False, second >= 0))
        field = random.sample(range(players), 2 if kind == "match" else random.randint(3, 12))
        games: list[list[tuple[int, int]]] = [[] for _ in field]
        for _ in range(random.randint(2, 6)):
            order = random.sample(range(len(field)), len(field))
            for one, other in zip(order[::2], order[1::2], strict=False):
                points = random.choice([0, 0, 1, 2, 2])
                games[one].append((other, points))
                games[other].append((one, 2 - points))
        playing = [position for position, own in enumerate(games) if own]
        position = {old: new for new, old in enumerate(playing)}
        for old in playing:
            entry_player.append(field[old])
            opponent += [position[other] for other, _ in games[old]]
            half_points += [points for _, points in games[old]]
            game_start.append(len(opponent))
        entry_start.append(len(entry_player))
    return History(
        sections=np.array(rows, SECTION),
        entry_start=np.array(entry_start, np.int64),
        entry_player=np.array(entry_player, np.int32),
        entry_counts=np.zeros(len(entry_player), np.bool_),
        game_start=np.array(game_start, np.int64),
        opponent=np.array(opponent, np.int32),
        half_points=np.array(half_points, np.int8),
        players=new_players(players),
        ids=[f"P{number}" for number in range(players)],
        foreign=np.array(
            [(2100.0 + 7 * n, n, FIRST_DAY + 900 * k, 6) for n in range(0, 9, 2) for k in (0, 4)], FOREIGN
        ),
        adjustments=np.array(
            [
                (1600.0, 50, 3, 0, ADJUSTABLE.index("prize_floor")),
                (1.0, 120, 5, 0, ADJUSTABLE.index("life_master")),
                (1500.0, 200, 7, 0, ADJUSTABLE.index("ceiling")),
                (np.nan, 300, 7, 0, ADJUSTABLE.index("ceiling")),
            ],
            ADJUSTMENT,
        ),
    ).checked()
