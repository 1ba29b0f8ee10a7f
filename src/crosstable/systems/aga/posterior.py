"""The joint fit of one tournament: the mode of the posterior by damped Newton, and each player's new sigma.

-L is strictly convex (normal priors, log-concave games), so the mode is unique and Newton finds it from any start.
The numbers come from `formulas`, plain or compiled; only the linear algebra is numpy's or, for a big field, scipy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from crosstable.errors import CrosstableError
from crosstable.systems.aga import formulas as plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

GRADIENT = 1e-10  # stop when no player is pulled harder than this
MOST_STEPS = 200
SMALLEST_STEP = 2.0**-40
DENSE = 48  # up to this many players a full matrix is faster than a sparse one
CLOSE = 1e-12  # how well a Newton step is solved for in a big field, relative to the gradient


class NoMode(CrosstableError):
    """The fit did not close: the numbers are out of any sensible range."""


@dataclass(frozen=True)
class Tournament:
    """Priors per player and games between them, on the closed scale, as arrays. `score` is White's."""

    mu: Numbers
    sigma: Numbers
    white: NDArray[np.int64]
    black: NDArray[np.int64]
    d: Numbers
    s: Numbers
    score: Numbers


@dataclass(frozen=True)
class Grid:
    """The points of the sigma grid: `start` and `step` in prior sigmas."""

    points: int
    start: float
    step: float


def mode(tournament: Tournament, formulas: ModuleType = plain) -> Numbers:
    """Return the most probable closed ratings, all players together."""
    import numpy as np

    t = tournament
    data = _plain_lists(t) if formulas is plain else (t.mu, t.sigma, t.white, t.black, t.d, t.s, t.score)
    c = t.mu.copy()
    value = formulas.unlikelihood(_like(c, formulas), *data)
    for _ in range(MOST_STEPS):
        gradient, diagonal, coupling = _derivatives(c, data, formulas)
        if np.max(np.abs(gradient)) < GRADIENT:
            return c
        step = _newton_step(t, gradient, diagonal, coupling)
        size = 1.0
        slack = 1e-12 * (1.0 + abs(value))  # rounding noise of the sum
        while (trial := formulas.unlikelihood(_like(c - size * step, formulas), *data)) > value + slack:
            size /= 2.0
            if size < SMALLEST_STEP:
                return c  # nothing left to gain in floating point
        c, value = c - size * step, trial
    raise NoMode(f"no posterior mode after {MOST_STEPS} Newton steps")


def hessian(tournament: Tournament, c: Numbers, formulas: ModuleType = plain) -> tuple[Numbers, Numbers]:
    """Its diagonal, and each game's (negative) entry beside it."""
    t = tournament
    data = _plain_lists(t) if formulas is plain else (t.mu, t.sigma, t.white, t.black, t.d, t.s, t.score)
    return _derivatives(c, data, formulas)[1:]


def grid_sigmas(tournament: Tournament, c: Numbers, grid: Grid, formulas: ModuleType = plain) -> Numbers:
    """Return the deployed program's new sigmas: one player at a time on a grid, the others at their new modes."""
    import numpy as np

    t, games = tournament, len(tournament.score)
    owner = np.concatenate([t.white, t.black])
    order = np.argsort(owner, kind="stable")
    first = np.searchsorted(owner[order], np.arange(len(t.mu) + 1))
    game = order % games if games else order
    others = np.concatenate([c[t.black], c[t.white]])[order]
    sides = np.concatenate([np.ones(games), -np.ones(games)])[order]
    parts: tuple[Any, ...] = (others, sides, t.d[game], t.s[game], t.score[game])
    logs: Any = np.empty(grid.points)
    if formulas is plain and len(t.mu) > DENSE and np.all(np.diff(first) > 0):
        return _grid_at_once(t, c, grid, owner[order], first[:-1], parts)
    if formulas is plain:
        parts, logs = tuple(part.tolist() for part in parts), [0.0] * grid.points
    return np.array(
        [
            formulas.grid_sigma(
                c[i],
                t.mu[i],
                t.sigma[i],
                *parts,
                int(first[i]),
                int(first[i + 1]),
                grid.points,
                grid.start,
                grid.step,
                logs,
            )
            for i in range(len(t.mu))
        ]
    )


def _grid_at_once(t: Tournament, c: Numbers, grid: Grid, owner: Any, first: Any, parts: tuple[Numbers, ...]) -> Numbers:
    """Compute `formulas.grid_sigma` for all players with arrays: plain Python would take seconds for a big field."""
    import numpy as np
    from scipy.special import log_ndtr

    others, sides, d, s, score = (part[:, None] for part in parts)
    x = t.sigma[:, None] * (grid.start + grid.step * np.arange(grid.points))
    u = (sides * (c[owner, None] + x[owner] - others) - d) / s
    games = np.zeros_like(u)
    for won, sign in ((score, 1.0), (1.0 - score, -1.0)):
        counts = won[:, 0] > 0
        games[counts] += won[counts] * log_ndtr(sign * u[counts])
    logs = np.add.reduceat(games, first, axis=0) - 0.5 * ((c[:, None] + x - t.mu[:, None]) / t.sigma[:, None]) ** 2
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(np.sqrt((weights * x * x).sum(axis=1) / weights.sum(axis=1)), dtype=np.float64)


def laplace_sigmas(tournament: Tournament, c: Numbers, formulas: ModuleType = plain) -> Numbers:
    """Return the paper's new sigmas: the square roots of the inverse Hessian's diagonal."""
    import numpy as np

    diagonal, coupling = hessian(tournament, c, formulas)
    if len(c) <= DENSE:
        return np.sqrt(np.diagonal(np.linalg.inv(_dense(tournament, diagonal, coupling))))
    from scipy.sparse.linalg import splu

    inverse: Numbers = splu(_sparse(tournament, diagonal, coupling)).solve(np.eye(len(c)))
    return np.sqrt(np.diagonal(inverse))


def _plain_lists(t: Tournament) -> tuple[Sequence[float] | Sequence[int], ...]:
    """Plain formulas run over lists several times faster than over arrays."""
    return tuple(part.tolist() for part in (t.mu, t.sigma, t.white, t.black, t.d, t.s, t.score))


def _like(c: Numbers, formulas: ModuleType) -> Any:
    return c.tolist() if formulas is plain else c


def _derivatives(c: Numbers, data: tuple[Any, ...], formulas: ModuleType) -> tuple[Numbers, Numbers, Numbers]:
    import numpy as np

    results = [np.empty(len(data[0])), np.empty(len(data[0])), np.empty(len(data[-1]))]
    if formulas is not plain:
        formulas.derivatives(c, *data, *results)
        return results[0], results[1], results[2]
    lists = [result.tolist() for result in results]
    formulas.derivatives(c.tolist(), *data, *lists)
    return np.array(lists[0]), np.array(lists[1]), np.array(lists[2])


def _newton_step(t: Tournament, gradient: Numbers, diagonal: Numbers, coupling: Numbers) -> Numbers:
    import numpy as np

    if len(gradient) <= DENSE:
        return np.asarray(np.linalg.solve(_dense(t, diagonal, coupling), gradient), dtype=np.float64)
    return _conjugate_gradients(_sparse(t, diagonal, coupling), gradient, diagonal)


def _conjugate_gradients(matrix: Any, gradient: Numbers, diagonal: Numbers) -> Numbers:
    """Solve by conjugate gradients: a big field's matrix is sparse and its diagonal heavy,
    so a factorisation would be slower.
    """
    import numpy as np
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import cg, splu

    step, unsolved = cg(matrix, gradient, rtol=CLOSE, atol=0.0, M=diags_array(1.0 / diagonal), maxiter=len(gradient))
    if unsolved:
        step = splu(matrix).solve(gradient)
    return np.asarray(step, dtype=np.float64)


def _dense(t: Tournament, diagonal: Numbers, coupling: Numbers) -> Numbers:
    import numpy as np

    matrix = np.diag(diagonal)
    np.add.at(matrix, (t.white, t.black), -coupling)
    np.add.at(matrix, (t.black, t.white), -coupling)
    return matrix


def _sparse(t: Tournament, diagonal: Numbers, coupling: Numbers) -> Any:
    import numpy as np
    from scipy.sparse import csc_matrix

    n = len(diagonal)
    places = np.arange(n)
    rows, columns = np.concatenate([places, t.white, t.black]), np.concatenate([places, t.black, t.white])
    return csc_matrix((np.concatenate([diagonal, -coupling, -coupling]), (rows, columns)), shape=(n, n))
