"""What the kernel and the records around it must agree on, and what a heavy module must not do to a light command."""

from __future__ import annotations

import subprocess
import sys
from datetime import date

import numpy as np
import pytest

from crosstable.model import KINDS, MatchChange, Rating
from crosstable.replay import history, kernel, state
from crosstable.replay.state import states_of
from crosstable.systems.us_chess.coefficients import coefficients_on

RULES = coefficients_on(date(2025, 8, 1))


def test_the_kernel_knows_the_records_numbers() -> None:
    assert KINDS[kernel.MATCH] == "match"
    assert KINDS[kernel.FIDE_EVENT] == "fide"
    assert (kernel.ADULT, kernel.CANADIAN) == (history.ADULT, history.CANADIAN)
    assert (kernel.NO_POOL, kernel.HALF) == (history.NO_POOL, history.HALF)
    assert [history.ADJUSTABLE[place] for place in (kernel.MATCH_DAY, kernel.MATCH_CHANGE)] == [
        "match_day",
        "match_change",
    ]
    assert (kernel.UNKNOWN, kernel.NO_MATCH) == (state.UNKNOWN, state.NO_MATCH)


def test_every_adjustable_field_sets_its_own_column() -> None:
    columns = {"date": "day"}
    for place, name in enumerate(history.ADJUSTABLE):
        row = np.full((1, 1), state.UNRATED, state.STATE).view(np.recarray)
        row[0, 0]["rating"] = 1500.0
        before = row[0, 0].copy()
        value = 1600.0 if name == "ceiling" else 1.0  # a ceiling below the rating lowers that too
        kernel.adjust(RULES, row[0, 0], place, value)
        changed = [field for field in state.STATE.names or () if not _same(row[0, 0][field], before[field])]
        nothing = name in (
            "at_least",
            "match_day",
            "match_change",
            "floor_request",
        )  # matches have a log; there is no floor
        assert changed == ([] if nothing else [columns.get(name, name)])


def test_a_floor_lifts_a_lower_rating_and_no_higher_one() -> None:
    place = history.ADJUSTABLE.index("at_least")
    for rating, ceiling, after in ((1500.0, np.nan, 1800.0), (1900.0, np.nan, 1900.0), (1500.0, 1700.0, 1700.0)):
        row = np.full((1, 1), state.UNRATED, state.STATE).view(np.recarray)
        row[0, 0]["rating"], row[0, 0]["ceiling"] = rating, ceiling
        kernel.adjust(RULES, row[0, 0], place, 1800.0)
        assert row[0, 0]["rating"] == after


@pytest.mark.clause("adjustments.ceiling-lowers")
def test_a_ceiling_lowers_a_higher_rating_and_no_lower_one() -> None:
    """Readings 43; a ceiling that is lifted moves nothing."""
    place = history.ADJUSTABLE.index("ceiling")
    for rating, ceiling, after in ((1900.0, 1800.0, 1800.0), (1700.0, 1800.0, 1700.0), (1900.0, np.nan, 1900.0)):
        row = np.full((1, 1), state.UNRATED, state.STATE).view(np.recarray)
        row[0, 0]["rating"] = rating
        kernel.adjust(RULES, row[0, 0], place, ceiling)
        assert row[0, 0]["rating"] == after


def test_a_floor_lowered_twice_and_floors_set_after_it() -> None:
    """Readings 23: 1800 lowered to 1700 and 1600; then prize floors of 1700 (below what was lowered) and of 1900."""
    row = np.full((1, 1), state.UNRATED, state.STATE).view(np.recarray)
    row[0, 0]["rating"] = 1950.0
    for name, value, floors in (
        ("lowered_floor", 1700.0, (1700.0, np.nan)),  # from 1800, 100 above it
        ("lowered_floor", 1600.0, (1600.0, 1800.0)),
        ("lowered_from", 1700.0, (1600.0, 1800.0)),  # the highest stays
        ("prize_floor", 1500.0, (1600.0, 1800.0)),
        ("prize_floor", 1900.0, (1600.0, 1800.0)),  # holds by itself
        ("prize_floor", 1700.0, (1700.0, 1800.0)),
        ("lowered_floor", np.nan, (np.nan, np.nan)),
    ):
        kernel.adjust(RULES, row[0, 0], history.ADJUSTABLE.index(name), value)
        assert repr((float(row[0, 0].lowered_floor), float(row[0, 0].lowered_from))) == repr(floors), (name, value)


def test_of_a_player_without_a_rating_only_the_rating_can_be_set() -> None:
    for place, name in enumerate(history.ADJUSTABLE):
        row = np.full((1, 1), state.UNRATED, state.STATE).view(np.recarray)
        before = row[0, 0].copy()
        kernel.adjust(RULES, row[0, 0], place, 1.0)
        assert _same(row[0, 0], before) == (name != "rating")


def _same(one: object, other: object) -> bool:
    return repr(one) == repr(other)


def test_a_record_survives_the_array() -> None:
    full = Rating(
        rating=2201.25,
        games=300,
        date=date(2020, 2, 29),
        wins=100,
        draws=None,
        losses=7,
        assigned_games=4,
        three_game_events=60,
        peak=2250.5,
        prize_floor=1900.0,
        life_master=True,
        ceiling=2300.5,
        games_above_2200=120,
        match_changes=(MatchChange(date(2019, 1, 1), 12.5), MatchChange(date(2018, 1, 1), -3.0)),
        lowered_floor=2000.0,
        lowered_from=2200.0,
    )
    bare = Rating(rating=700.0, games=3)
    states = states_of(2, [(0, 3, full), (1, 0, bare)])
    assert states.rating(0, 3) == full
    assert states.rating(1, 0) == bare
    assert states.rating(1, 1) is None


def test_rating_an_event_loads_nothing_heavy() -> None:
    program = (
        "import sys, crosstable, crosstable.systems.us_chess\n"
        "print([name for name in ('numba', 'polars', 'numpy', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
