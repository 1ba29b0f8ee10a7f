"""A made-up federation for the benchmarks: scholastic newcomers, quads, opens, dual events, matches, a few very active players.

Sizes are those of the published crosstables: about 15 entries and 31 games a section, four games an entry. Every number
comes from a hash of its place, so that the same arguments always give the same history.
"""

from __future__ import annotations

from datetime import date

import numba
import numpy as np

from crosstable.replay.history import FULL, SECTION, Array, History, new_players, no_adjustments, no_foreign

FIRST_DAY, LAST_DAY = date(2001, 1, 3).toordinal(), date(2026, 6, 30).toordinal()
BLITZ_FROM, ONLINE_FROM = date(2013, 3, 1).toordinal(), date(2020, 6, 1).toordinal()
GAMES_PER_SECTION = 29.0


@numba.njit(cache=True)
def draw(seed: int, a: int, b: int) -> float:
    """A number from 0 to 1 that depends on its place only (splitmix64)."""
    x = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(a) * np.uint64(0xBF58476D1CE4E5B9)
    x += np.uint64(b) * np.uint64(0x94D049BB133111EB)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return float((x ^ (x >> np.uint64(31))) >> np.uint64(11)) / 9007199254740992.0


@numba.njit(cache=True)
def plan(sections: int, rows: np.ndarray, sizes: np.ndarray, rounds: np.ndarray, pools: np.ndarray) -> int:
    """Every section's days, systems, size and rounds; returns how many games that makes."""
    games = 0
    for s in range(sections):
        day = FIRST_DAY + int((LAST_DAY - FIRST_DAY) * s / sections)
        kind, system, u = draw(1, s, 0), draw(1, s, 1), draw(1, s, 2)
        pools[s] = 0
        if kind < 0.02:  # a match
            sizes[s], rounds[s] = 2, 4 + int(4 * u)
            rows[s].kind = 2
        elif kind < 0.30:  # a quad
            sizes[s], rounds[s] = 4, 3
        elif kind < 0.62:  # a scholastic section
            sizes[s], rounds[s] = 8 + int(40 * u * u), 4 + int(2 * draw(1, s, 3))
            pools[s] = 1
        else:  # an open tournament
            sizes[s], rounds[s] = 6 + int(30 * u * u), 4 + int(2 * draw(1, s, 3))
        rounds[s] = min(rounds[s], sizes[s] - 1 + sizes[s] % 2) if sizes[s] > 2 else rounds[s]
        rows[s].start_day = day - int(2 * draw(1, s, 4))
        rows[s].end_day = day
        rows[s].event_end_day = day
        rows[s].weight = FULL
        rows[s].first, rows[s].second = 0, -1
        if system < 0.28:  # dual-rated
            rows[s].second = 1
        elif system < 0.40:
            rows[s].first = 1
        elif system < 0.46 and day >= BLITZ_FROM:
            rows[s].first = 2
        elif system < 0.60 and day >= ONLINE_FROM:
            rows[s].first = 3 + int(3 * draw(1, s, 5))
        games += sizes[s] // 2 * rounds[s]
    return games


@numba.njit(cache=True)
def fill(players, sizes, rounds, pools, skill, entry_start, entry_player, game_start, opponent, half_points, seen):
    """Who plays, whom, and with what result; rounds are paired like a round robin, so that nobody meets twice."""
    entries = 0
    games = 0
    for s in range(len(sizes)):
        n, base = sizes[s], entries
        known = max(200, int(players * (0.15 + 0.85 * (s + 1) / len(sizes))))
        tries = 0
        while entries - base < n:
            u = draw(2, s, tries)
            tries += 1
            if pools[s] == 1:  # newcomers: the latest to arrive
                player = known - 1 - int(max(0.06 * known, 100.0) * u * u)
            else:  # regulars: the lower the number, the more active
                x = 0.005 + 0.995 * u
                player = int(known * (x * x - 0.000025))
            if seen[player] != s + 1:
                seen[player] = s + 1
                entry_player[entries] = player
                entries += 1
        circle = n + n % 2 - 1
        for i in range(n):
            for r in range(rounds[s]):
                j = 1 - i if n == 2 else (r - i) % circle
                if n > 2 and i == circle:
                    j = (r * ((circle + 1) // 2)) % circle
                elif n > 2 and j == i:
                    j = circle
                if j >= n:
                    continue  # a bye
                low, high = min(i, j), max(i, j)
                edge = skill[entry_player[base + low]] - skill[entry_player[base + high]]
                win = 1.0 / (1.0 + 10.0 ** (-edge / 400.0))
                u = draw(3, s * 64 + r, low)
                points = 2 if u < win - 0.06 else (1 if u < win + 0.06 else 0)
                opponent[games] = j
                half_points[games] = points if i == low else 2 - points
                games += 1
            game_start[base + i + 1] = games
        entry_start[s + 1] = entries


def synthetic(games: int, players: int = 200_000) -> History:
    """A history of about so many games."""
    count = max(1, round(games / GAMES_PER_SECTION))
    rows = np.zeros(count, SECTION)
    sizes, rounds, pools = (np.zeros(count, np.int64) for _ in range(3))
    plan(count, rows.view(np.recarray), sizes, rounds, pools)
    entries = int(sizes.sum())
    sides = int((np.where(sizes % 2 == 0, sizes, sizes - 1) * rounds).sum())
    entry_start, game_start = np.zeros(count + 1, np.int64), np.zeros(entries + 1, np.int64)
    entry_player = np.zeros(entries, np.int32)
    opponent, half_points = np.zeros(sides + entries, np.int32), np.zeros(sides + entries, np.int8)
    fill(
        players, sizes, rounds, pools, skills(players), entry_start, entry_player, game_start,
        opponent, half_points, np.zeros(players + 1, np.int64),
    )  # fmt: skip
    total = int(game_start[-1])
    return History(
        sections=rows,
        entry_start=entry_start,
        entry_player=entry_player,
        entry_counts=np.zeros(entries, np.bool_),
        game_start=game_start,
        opponent=opponent[:total].copy(),
        half_points=half_points[:total].copy(),
        players=people(players),
        ids=range(players),
        foreign=no_foreign(),
        adjustments=no_adjustments(),
    )


def skills(players: int) -> Array:
    """Those who play most are stronger, as in life."""
    noise = np.random.default_rng(7).normal(0.0, 280.0, players)
    return np.asarray(1750.0 - 900.0 * (np.arange(players) / players) ** 0.5 + noise)


def people(players: int) -> Array:
    """Seven in ten are children when they come; one in seven has no birth date."""
    random = np.random.default_rng(8)
    table = new_players(players)
    debut = FIRST_DAY + (LAST_DAY - FIRST_DAY) * np.arange(players) / players
    age = np.where(random.random(players) < 0.7, random.uniform(6, 16, players), random.uniform(18, 60, players))
    table["birth_day"] = np.where(random.random(players) < 1 / 7, 0, debut - 365.25 * age)
    table["adult"] = age > 18
    return table
