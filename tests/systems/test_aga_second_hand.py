"""The AGA program written a second time, from its description and with scipy's tools, run beside `rate` over a history.

Another spline, another optimiser, another normal distribution: only the numbers of the description are the same.
"""

from __future__ import annotations

import math
from datetime import date, timedelta

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize
from scipy.special import log_ndtr

from crosstable.model import Event, Game, Player, Rating, Section
from crosstable.systems.aga import SYSTEM

SIGMAS = np.array(SYSTEM.latest["newcomer"]["sigmas"])
SPLINE = CubicSpline(np.arange(-49.5, 9.0), SIGMAS, bc_type="natural")
STONES = {2: 1.13672, 3: 1.18795, 4: 1.22841, 5: 1.27457, 6: 1.31978, 7: 1.35881, 8: 1.39782, 9: 1.43614}


def newcomer(seed: float) -> float:
    if seed > 7.5:
        return 1.0
    if seed < -50.5:
        return 6.0
    return float(SPLINE(seed - 1 if seed > 0 else seed + 1))


def seeding(e: float, state: tuple[float, float, int] | None, day: int, won: bool) -> tuple[float, float]:
    if state is None:
        return e, newcomer(e)
    r, s, last = state
    size = e - r if e * r > 0 else e - r - 2
    aged = math.sqrt(s * s + (0.0005 * (day - last)) ** 2)
    if size < 0:
        return r, aged
    if size >= 3 and won:
        return e, newcomer(e)
    if size >= 1 and won:
        return r + 0.024746 + 0.32127 * size, math.sqrt(s * s + 0.256 * size**1.9475)
    return r, aged


def model(h: int, k: int) -> tuple[float, float]:
    if h < 2:
        return 0.58 - 0.0757 * k, 1.0649 - 0.0021976 * k + 0.00014984 * k * k
    return h - 0.0757 * k, STONES[h] - 0.0035169 * k


def fit(
    mu: np.ndarray, sigma: np.ndarray, games: list[tuple[int, int, int, int, bool]]
) -> tuple[np.ndarray, np.ndarray]:
    white, black, sign = (
        np.array(part) for part in zip(*[(w, b, 1 if won else -1) for w, b, _, _, won in games], strict=True)
    )
    d, s = (np.array(part) for part in zip(*[model(h, k) for _, _, h, k, _ in games], strict=True))

    def cost(c: np.ndarray) -> float:
        return float((((c - mu) / sigma) ** 2).sum() / 2 - log_ndtr(sign * (c[white] - c[black] - d) / s).sum())

    def slope(c: np.ndarray) -> np.ndarray:
        v = sign * (c[white] - c[black] - d) / s
        pull = sign * np.exp(-v * v / 2 - math.log(math.sqrt(2 * math.pi)) - log_ndtr(v)) / s
        gradient = (c - mu) / sigma**2
        np.add.at(gradient, white, -pull)
        np.add.at(gradient, black, pull)
        return gradient

    c = minimize(cost, mu, jac=slope, method="BFGS", options={"gtol": 1e-9, "maxiter": 10000}).x
    new = np.empty(len(mu))
    for i in range(len(mu)):
        x = -5.05 * sigma[i] + np.arange(100) * sigma[i] / 10
        logs = -(((c[i] + x - mu[i]) / sigma[i]) ** 2) / 2
        for g in np.flatnonzero((white == i) | (black == i)):
            u = (c[white[g]] - c[black[g]] - d[g] + (x if white[g] == i else -x)) / s[g]
            logs += log_ndtr(sign[g] * u)
        w = np.exp(logs - logs.max())
        new[i] = math.sqrt((x * x * w).sum() / w.sum())
    return c, new


def test_two_hands_one_history() -> None:
    rng = np.random.default_rng(11)
    people, day = 40, date(2000, 1, 30)
    strength = rng.normal(-6, 7, people)
    theirs: dict[int, tuple[float, float, int]] = {}
    ours: dict[int, Rating] = {}
    promoted = 0
    for _ in range(25):
        day += timedelta(days=int(rng.integers(3, 200)))
        strength += rng.exponential(0.3, people)
        field = rng.permutation(people)[: rng.integers(6, 24)]
        rank = {int(p): round(strength[p] + rng.normal(0, 1.5)) for p in field}
        rank = {p: n if n > 0 else n - 1 for p, n in rank.items()}
        games = []
        for _ in range(3):
            order = rng.permutation(field)
            for a, b in zip(order[::2], order[1::2], strict=False):
                w, b2 = (int(a), int(b)) if rank[int(a)] >= rank[int(b)] else (int(b), int(a))
                h = min(9, max(0, rank[w] - rank[b2]))
                komi = float(rng.choice([0.5, -5.5, 7.5, 6.5])) if h < 2 else float(rng.choice([0.5, -3.5, 0.0]))
                games.append((w, b2, h, komi, bool(rng.random() < 0.5 + 0.05 * (strength[w] - strength[b2] - h))))
        present = sorted({p for game in games for p in game[:2]})
        place = {p: i for i, p in enumerate(present)}
        won = {p: any((w == p) == result for w, b, _, _, result in games if p in (w, b)) for p in present}
        seeds = {p: rank[p] + math.copysign(0.5, rank[p]) for p in present}
        mus, spreads = zip(*[seeding(seeds[p], theirs.get(p), day.toordinal(), won[p]) for p in present], strict=True)
        promoted += sum(p in theirs and mu != theirs[p][0] for p, mu in zip(present, mus, strict=True))
        closed = np.array([mu - 1 if mu > 0 else mu + 1 for mu in mus])
        c, new = fit(
            closed, np.array(spreads), [(place[w], place[b], h, int(k), result) for w, b, h, k, result in games]
        )
        for p in present:
            mode = c[place[p]]
            theirs[p] = (mode + 1 if mode > 0 else mode - 1, new[place[p]], day.toordinal())
        players = tuple(
            Player(
                p + 1,
                str(p + 1),
                rank=f"{abs(rank[p])}{'d' if rank[p] > 0 else 'k'}",
                ratings={"AGA": ours[p]} if p in ours else {},
            )
            for p in present
        )
        played = tuple(Game(1, w + 1, b + 1, "1-0" if result else "0-1", h, k) for w, b, h, k, result in games)
        rated = SYSTEM.rate(Event("T", day, day, (Section(1, "T", day, day, players, played),)))
        ours |= {answer.number - 1: answer.state for answer in rated.answers}
    assert promoted > 20  # the history exercises self-promotion
    for p, (rating, sigma, _) in theirs.items():
        assert (ours[p].rating, ours[p].sigma) == pytest.approx((rating, sigma), abs=2e-6)
