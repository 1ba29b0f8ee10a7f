"""Robust local regression (loess) for one predictor, as S and R define it, with the exact ("direct") surface.

R's `loess(y ~ x, span, degree, family = "symmetric", surface = "direct", iterations = 4)` is `fit(x, y, span, degree)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crosstable.errors import CrosstableError

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Loess:
    """A fitted curve: the data, the settings and the robustness weights that the last fit used."""

    x: Array
    y: Array
    span: float
    degree: int
    weights: Array
    fitted: Array

    def __call__(self, at: npt.ArrayLike) -> Array:
        """Return the curve at these points. Beyond the data it is not a number, as the report's tables print NA."""
        points = np.atleast_1d(np.asarray(at, dtype=np.float64))
        curve = _evaluate(points, (self.x, self.y, self.weights), self.span, self.degree)
        outside = (points < self.x.min()) | (points > self.x.max())
        return np.where(outside, np.nan, curve)


def fit(
    x: npt.ArrayLike, y: npt.ArrayLike, span: float = 0.75, degree: int = 2, *, robust: bool = True, fits: int = 4
) -> Loess:
    """Fit a curve through pairs. `robust`: outliers lose their weight (family "symmetric"); `fits` as R counts them:
    four are three re-weightings.
    """
    xs, ys = _checked(x, y, span, degree)
    weights = np.ones_like(xs)
    fitted = _evaluate(xs, (xs, ys, weights), span, degree)
    for _ in range(fits - 1 if robust else 0):
        weights = _bisquare(ys - fitted)
        fitted = _evaluate(xs, (xs, ys, weights), span, degree)
    return Loess(xs, ys, span, degree, weights, fitted)


def _checked(x: npt.ArrayLike, y: npt.ArrayLike, span: float, degree: int) -> tuple[Array, Array]:
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if xs.shape != ys.shape or xs.ndim != 1:
        raise CrosstableError(f"loess needs as many y as x, in one row each: got shapes {xs.shape} and {ys.shape}")
    if not (np.isfinite(xs).all() and np.isfinite(ys).all()):
        raise CrosstableError("loess needs numbers: a pair holds something else")
    if degree not in (0, 1, 2):
        raise CrosstableError(f"loess of degree {degree}: choose 0, 1 or 2")
    if span <= 0:
        raise CrosstableError(f"a span of {span:g}: it must be above 0")
    if _neighbours(xs.size, span) <= degree:
        raise CrosstableError(f"{xs.size} pairs are too few for a span of {span:g} and degree {degree}")
    return xs, ys


def _neighbours(size: int, span: float) -> int:
    return min(size, math.floor(size * span + 1e-5))


def _evaluate(points: Array, data: tuple[Array, Array, Array], span: float, degree: int) -> Array:
    """Return the curve at these points, a few hundred at a time,
    so that the weights of all pairs at all points fit in memory.
    """
    many = 256
    parts = [_at(points[i : i + many], data, span, degree) for i in range(0, points.size, many)]
    return np.concatenate(parts) if parts else np.empty(0)


def _at(points: Array, data: tuple[Array, Array, Array], span: float, degree: int) -> Array:
    """Return the intercepts of weighted least-squares polynomials in (x - point) / reach over each point's nearest
    neighbours.
    """
    x, y, robustness = data
    distance = np.abs(x[None, :] - points[:, None])
    count = _neighbours(x.size, span)
    reach = np.partition(distance, count - 1, axis=1)[:, count - 1] * max(1.0, span)
    weights = _tricube(distance, reach[:, None]) * robustness[None, :]
    offset = (x[None, :] - points[:, None]) / np.where(reach > 0, reach, 1.0)[:, None]
    moments = np.stack([(weights * offset**power).sum(axis=1) for power in range(2 * degree + 1)], axis=1)
    sums = np.stack([(weights * offset**power) @ y for power in range(degree + 1)], axis=1)
    order = np.arange(degree + 1)
    normal = moments[:, order[:, None] + order[None, :]]
    # where neighbours share one x the equations are singular: the smallest solution stands
    inverse = np.linalg.pinv(normal, rcond=1e-12, hermitian=True)
    return np.asarray(np.einsum("pk,pk->p", inverse[:, 0, :], sums))


def _tricube(distance: Array, reach: Array) -> Array:
    share = np.divide(distance, reach, out=np.where(distance > 0, np.inf, 0.0), where=reach > 0)
    weight = np.where(share < 1, (1 - np.minimum(share, 1) ** 3) ** 3, 0.0)
    return np.asarray(np.where(share <= 0.001, 1.0, weight))


def _bisquare(residuals: Array) -> Array:
    """Robustness weights: c is six times the median size of a residual."""
    size = np.abs(residuals)
    limit = 6 * float(np.median(size))
    if limit == 0:  # more than half of the points lie on the curve: only those count
        return np.where(size == 0, 1.0, 0.0)
    share = size / limit
    weight = (1 - np.minimum(share, 1) ** 2) ** 2
    return np.asarray(np.where(share <= 0.001, 1.0, np.where(share > 0.999, 0.0, weight)))


def bootstrap(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    at: npt.ArrayLike,
    *,
    refit: Callable[[Array, Array], Loess],
    samples: int = 200,
    seed: int = 1996,
    level: float = 0.95,
) -> tuple[Array, Array]:
    """Return a band around the curve: pairs drawn anew with replacement, a curve through each draw, the middle kept."""
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    random = np.random.default_rng(seed)
    curves = []
    for _ in range(samples):
        drawn = random.integers(0, xs.size, xs.size)
        curves.append(refit(xs[drawn], ys[drawn])(at))
    stacked = np.array(curves)
    tail = (1 - level) / 2 * 100
    with np.errstate(all="ignore"):
        low, high = _percentiles(stacked, tail), _percentiles(stacked, 100 - tail)
    return low, high


def _percentiles(curves: Array, percent: float) -> Array:
    """Column by column over the curves that exist there; not a number where none does."""
    return np.array(
        [np.percentile(column[known], percent) if (known := ~np.isnan(column)).any() else np.nan for column in curves.T]
    )
