"""`informed`: each correction by hand, and without them `tempered` to the last bit."""

from __future__ import annotations

import math
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from crosstable.lab.predictors import predictor
from crosstable.lab.source import read_source
from crosstable.lab.table_source import frame_source
from tests.lab.small import tables, written

NONE = {"lowest": 0.78, "young": 0.0, "surprise": 0.0, "pull": 0.0, "recent": 0.0}
#: Every point counts, and the deviations are as small as they may be
PLAIN = {
    **NONE,
    "below": 1.0,
    "lowest": 1.0,
    "slope": 1.0,
    "established": 10.0,
    "provisional": 60.0,
    "floor": 0.0,
    "white": 0.0,
}
DAY = date(2012, 1, 1)


def points(rows: list[tuple[int, str, str, float, float, float, float | None]], **settings: float) -> float:
    """The difference in strength behind the last prediction. Rows: day, players, score, both ratings, White's games."""
    names = ["day", "white", "black", "score", "white_rating", "black_rating", "white_games"]
    frame = pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)
    frame = frame.with_columns(date=pl.col("day").map_elements(lambda n: DAY + timedelta(days=n), pl.Date))
    frame = frame.with_columns(event=pl.col("day"), white_games=pl.col("white_games").cast(pl.Float64)).drop("day")
    chance = float(predictor("informed")(frame_source(frame), {**PLAIN, **settings})[-1])
    games = rows[-1][6]
    wide = 10.0 if games is None else 60.0 + (10.0 - 60.0) * games / 25
    spread = 3 * (math.log(10) / 400) ** 2 * (wide**2 + 10.0**2) / math.pi**2  # Glicko's g of both deviations
    return 400 * math.log10(chance / (1 - chance)) * math.sqrt(1 + spread)


def test_without_corrections_it_is_tempered(tmp_path: Path) -> None:
    source = read_source(str(written(tmp_path, tables())))
    shared = {one.name: one.default for one in predictor("tempered").parameters}
    assert np.array_equal(predictor("informed")(source, {**shared, **NONE}), predictor("tempered")(source))


def test_a_change_is_taken_back_and_fades() -> None:
    """100 points more after 60 days, of which half of 1/e are taken back."""
    rows = [(0, "a", "b", 0.5, 1500, 1500, None), (60, "a", "c", 1.0, 1600, 1500, None)]
    assert points(rows, recent=0.5, settled=60.0) == pytest.approx(100 - 0.5 * 100 / math.e)


def test_a_provisional_rating_may_change_as_it_will() -> None:
    rows = [(0, "a", "b", 0.5, 1500, 1500, 8), (60, "a", "c", 1.0, 1600, 1500, 9)]
    assert points(rows, recent=0.5) == pytest.approx(100)


def test_surprises_are_averaged_and_fade() -> None:
    """A win among equals is half a point more than expected; after 1000 days it and its game count 1/e."""
    rows = [(0, "a", "b", 1.0, 1500, 1500, None), (1000, "a", "c", 1.0, 1500, 1500, None)]
    left = 1 / math.e
    assert points(rows, surprise=300.0, doubt=2.0, memory=1000.0) == pytest.approx(300 * 0.5 * left / (left + 2))


def test_the_games_of_a_day_are_predicted_before_any_is_remembered() -> None:
    rows = [(0, "a", "b", 1.0, 1500, 1500, None), (0, "a", "c", 1.0, 1500, 1500, None)]
    assert points(rows, surprise=300.0) == pytest.approx(0)


def test_a_rating_with_few_games_is_taken_lower() -> None:
    """4 of 25 games: √0.16 = 0.4, so 0.6 of the points."""
    assert points([(0, "a", "b", 1.0, 1500, 1500, 4)], young=100.0) == pytest.approx(-60)


@pytest.mark.parametrize(("rating", "share"), [(600, 1.0), (1000, 0.5), (1400, 0.0)])
def test_low_ratings_are_pulled_towards_their_opponents(rating: int, share: float) -> None:
    """From 1400 down the pull grows over 800 points. The last opponent is new to the record."""
    rows = [(0, "a", "b", 0.5, rating, 1100, None), (9, "a", "c", 1.0, rating, rating, None)]
    assert points(rows, pull=0.2, fade=1400.0) == pytest.approx(0.2 * share * (1100 - rating), abs=1e-6)


def test_differences_count_for_more_at_the_very_bottom() -> None:
    """Below 500 a point counts 1.5: 200 points of 300 against 500 are 300."""
    assert points([(0, "a", "b", 1.0, 300, 500, None)], low_knot=500.0, lowest=1.5) == pytest.approx(-300)
