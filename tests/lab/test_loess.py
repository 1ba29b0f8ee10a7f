"""Robust loess against R's vectors on `cars` and against scikit-misc, the Fortran original."""

from __future__ import annotations

import numpy as np
import pytest

from crosstable.errors import CrosstableError
from crosstable.lab.loess import bootstrap, fit

#: R's data set `cars`: speed, stopping distance
SPEED = [
    4,
    4,
    7,
    7,
    8,
    9,
    10,
    10,
    10,
    11,
    11,
    12,
    12,
    12,
    12,
    13,
    13,
    13,
    13,
    14,
    14,
    14,
    14,
    15,
    15,
    15,
    16,
    16,
    17,
    17,
    17,
]
SPEED += [18, 18, 18, 18, 19, 19, 19, 20, 20, 20, 20, 20, 22, 23, 24, 24, 24, 24, 25]
DISTANCE = [
    2,
    10,
    4,
    22,
    16,
    10,
    18,
    26,
    34,
    17,
    28,
    14,
    20,
    24,
    28,
    26,
    34,
    34,
    46,
    26,
    36,
    60,
    80,
    20,
    26,
    54,
    32,
    40,
    32,
]
DISTANCE += [40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85]


def test_the_robust_vector_of_r() -> None:
    """loess(dist ~ speed, cars, family = "symmetric", surface = "direct"): at speeds 5 to 10."""
    curve = fit(SPEED, DISTANCE)(range(5, 11))
    expected = [8.087036, 10.468559, 12.964388, 15.568673, 18.274186, 21.081707]
    np.testing.assert_allclose(curve, expected, atol=1e-5)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("span", [0.5, 0.75, 1.0])
@pytest.mark.parametrize("robust", [True, False])
def test_scikit_misc_agrees(degree: int, span: float, robust: bool) -> None:
    """Its `iterations=k` re-weights k times, R's fits k times: 3 there is R's 4."""
    other = pytest.importorskip("skmisc.loess", reason="scikit-misc is a development dependency")
    random = np.random.default_rng(7)
    x = np.sort(random.uniform(2000, 2700, 90))
    y = x + 40 + 20 * np.sin(x / 90) + random.normal(0, 40, 90)
    y[::17] -= 400  # outliers, as in the report's figure B.1
    theirs = other.loess(
        x, y, span=span, degree=degree, family="symmetric" if robust else "gaussian", surface="direct", iterations=3
    )
    theirs.fit()
    ours = fit(x, y, span, degree, robust=robust)
    np.testing.assert_allclose(ours.fitted, theirs.outputs.fitted_values, rtol=1e-9)
    at = np.linspace(x[0], x[-1], 25)
    np.testing.assert_allclose(ours(at), theirs.predict(at).values, rtol=1e-9)


def test_a_straight_line_stays_one_whatever_the_outlier() -> None:
    x = np.arange(40.0)
    y = 3 * x + 7
    y[20] = 1000
    curve = fit(x, y, degree=1)
    np.testing.assert_allclose(curve([5.0, 20.0, 35.0]), [22, 67, 112], atol=1e-6)
    assert curve.weights[20] == 0


def test_there_is_no_curve_beyond_the_data() -> None:
    curve = fit(SPEED, DISTANCE)([3.9, 4, 25, 25.1])
    assert list(np.isnan(curve)) == [True, False, False, True]


def test_the_band_holds_the_curve_and_is_the_same_for_the_same_seed() -> None:
    def band(seed: int) -> tuple[np.ndarray, np.ndarray]:
        return bootstrap(SPEED, DISTANCE, [8, 15, 22], refit=lambda x, y: fit(x, y, degree=1), samples=60, seed=seed)

    low, high = band(1)
    curve = fit(SPEED, DISTANCE, degree=1)([8, 15, 22])
    assert (low <= curve).all()
    assert (curve <= high).all()
    np.testing.assert_array_equal(low, band(1)[0])


@pytest.mark.parametrize(
    ("x", "y", "settings", "message"),
    [
        ([1, 2], [1], {}, "as many y as x"),
        ([1, 2, float("nan"), 4], [1, 2, 3, 4], {}, "needs numbers"),
        ([1, 2, 3], [1, 2, 3], {}, "too few"),
        (SPEED, DISTANCE, {"degree": 3}, "choose 0, 1 or 2"),
        (SPEED, DISTANCE, {"span": 0}, "above 0"),
    ],
)
def test_clear_errors(x: list[float], y: list[float], settings: dict[str, float], message: str) -> None:
    with pytest.raises(CrosstableError, match=message):
        fit(x, y, **settings)
