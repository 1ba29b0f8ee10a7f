"""Checkpoints, threads, reforms, office orders and progress of a replay."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from rich.console import Console

from crosstable.errors import CrosstableError, NoRulesOnDate
from crosstable.replay.history import ADJUSTABLE, HALF, Array, History, HistoryError
from crosstable.replay.progress import progress_bar, speed
from crosstable.replay.rules import reformed
from crosstable.replay.runs import Scenario, replay_all
from crosstable.replay.state import States
from crosstable.replay.us_chess import Replayed, nearest, replay
from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN
from crosstable.systems.us_chess.coefficients import Coefficients, coefficients_on
from tests.replay.small import small_history


@pytest.fixture(scope="module")
def history() -> History:
    return small_history()


@pytest.fixture(scope="module")
def whole(history: History) -> Replayed:
    return replay(history, checkpoints=(0, 100, 250, 399, 400), keep_states=True)


def bits(records: Array) -> list[bytes]:
    """Every column's bytes; what stands between the columns is nobody's."""
    return [records[name].tobytes() for name in records.dtype.names or ()]


def same_bits(one: States, other: States) -> bool:
    return bits(one.ratings) == bits(other.ratings) and bits(one.matches) == bits(other.matches)


def test_checkpoints_stand_before_their_sections(whole: Replayed) -> None:
    assert [kept.section for kept in whole.checkpoints] == [0, 100, 250, 399, 400]
    assert np.isnan(whole.checkpoints[0].states.ratings["rating"]).all()
    assert same_bits(whole.checkpoints[-1].states, whole.states)


@pytest.mark.parametrize("place", range(5))
def test_a_replay_from_a_checkpoint_equals_the_replay_from_scratch(
    history: History, whole: Replayed, place: int
) -> None:
    kept = whole.checkpoints[place]
    again = replay(history, kept.states, first=kept.section, keep_states=True)
    first = int(whole.row_start[kept.section])
    assert bits(again.rows) == bits(whole.rows[first:])
    assert same_bits(again.states, whole.states)
    assert again.row_states is not None
    assert whole.row_states is not None
    assert bits(again.row_states) == bits(whole.row_states[first:])
    assert (again.row_start + first == whole.row_start[kept.section :]).all()


def test_a_checkpoint_does_not_move_when_the_replay_goes_on(history: History, whole: Replayed) -> None:
    before = whole.checkpoints[1].states.copy()
    replay(history, whole.checkpoints[1].states, first=100)
    assert same_bits(before, whole.checkpoints[1].states)


def test_a_correction_starts_at_the_nearest_checkpoint(whole: Replayed) -> None:
    found = {section: nearest(whole.checkpoints, section) for section in (0, 99, 100, 398)}
    assert {section: kept.section if kept else None for section, kept in found.items()} == {
        0: 0,
        99: 0,
        100: 100,
        398: 250,
    }
    assert nearest((), 10) is None


def test_any_number_of_threads_gives_the_same_bits(history: History) -> None:
    halved = reformed(AS_WRITTEN, lambda rules: replace(rules, bonus_multiplier=rules.bonus_multiplier / 2))
    scenarios = [
        Scenario(f"{n}", AS_PRACTISED if n % 2 else AS_WRITTEN, halved if n % 3 == 0 else None) for n in range(12)
    ]
    one = replay_all(history, scenarios, threads=1)
    for threads in (2, 5, 12):
        many = replay_all(history, scenarios, threads=threads)
        assert [bits(many[name].rows) for name in one] == [bits(done.rows) for done in one.values()]
    assert bits(one["1"].rows) != bits(one["2"].rows)
    assert bits(one["0"].rows) != bits(one["2"].rows)


def test_a_reform_may_be_a_function_of_the_day(history: History, whole: Replayed) -> None:
    def unchanged(day: date) -> Coefficients:
        return coefficients_on(day)

    assert bits(replay(history, rules=unchanged).rows) == bits(whole.rows)

    def doubled(day: date) -> Coefficients:
        return replace(coefficients_on(day), k_numerator=1600.0)

    assert bits(replay(history, rules=doubled).rows) != bits(whole.rows)


def test_the_rules_in_force_are_those_of_the_day(history: History) -> None:
    table = reformed(AS_WRITTEN, lambda rules: rules)
    days = np.array([date(2008, 6, 5).toordinal(), date(2008, 6, 6).toordinal(), date(2026, 1, 1).toordinal()])
    assert table.rows["bonus_multiplier"][table.in_force(days)].tolist() == [10, 6, 10]  # readings: B by date
    early = replace(history, sections=history.sections.copy())
    early.sections["start_day"][0] = date(2000, 12, 31).toordinal()
    with pytest.raises(NoRulesOnDate, match="2001-01-01"):
        replay(early)


def test_office_orders_apply_from_their_section_on(history: History, whole: Replayed) -> None:
    ratings = whole.checkpoints
    prize = [kept.states.ratings[3, 0]["prize_floor"] for kept in ratings]
    assert np.isnan(prize[0])
    assert prize[1:] == [1600.0] * 4
    assert whole.states.ratings[5, 0]["life_master"]
    assert np.isnan(whole.states.ratings[7, 0]["ceiling"])  # set before section 200, lifted before section 300
    ours = history.entry_player == 7
    held = [
        whole.rows["post"][whole.row_start[section] + entry - history.entry_start[section]]
        for section in range(200, 300)
        for entry in range(history.entry_start[section], history.entry_start[section + 1])
        if ours[entry] and history.sections["first"][section] == 0
    ]
    assert held
    assert max(held) <= 1500.0
    floored = whole.states.ratings[3, 0]["rating"]
    assert floored >= 1600.0


@pytest.mark.parametrize(
    ("field", "value", "column"), [("games", 40, "games"), ("peak", 1900.5, "peak"), ("wins", np.nan, "wins")]
)
def test_every_adjustable_field_reaches_its_column(history: History, field: str, value: float, column: str) -> None:
    orders = np.zeros(2, history.adjustments.dtype)  # a rating first: without one there is nothing to change
    orders["value"], orders["player"], orders["field"] = (1500.0, value), 1, (0, ADJUSTABLE.index(field))
    ordered = replace(history, adjustments=orders)
    before = replay(ordered, checkpoints=(1,)).checkpoints[0].states.ratings[1, 0]
    untouched = 1 not in history.entry_player[: history.entry_start[1]]
    assert not untouched or before[column] == (-1 if np.isnan(value) else value)


def test_half_k_events_end_with_their_rule(history: History) -> None:
    late = replace(history, sections=history.sections.copy())
    late.sections["weight"][300] = HALF
    with pytest.raises(CrosstableError, match=r"section 300 .* half-K"):
        replay(late)


def test_progress_counts_every_game_once(history: History) -> None:
    heard: list[tuple[int, int]] = []
    replay(history, progress=lambda done, total: heard.append((done, total)), checkpoints=(200,))
    assert heard[-1] == (history.games, history.games)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_the_bar_shows_speed_on_a_terminal_and_is_silent_elsewhere(history: History) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=100)
    with progress_bar(console=screen) as report:
        assert report is not None
        replay(history, progress=report)
    assert "Replaying" in screen.file.getvalue()
    with progress_bar() as report:
        assert report is None  # standard error is no terminal under pytest
    assert (speed(None), speed(12_345.0), speed(8_600_000.0)) == ("… games/s", "12,345 games/s", "8.6 M games/s")


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda h: {"entry_start": h.entry_start[:-1]}, "entry_start"),
        (lambda h: {"half_points": h.half_points[:-1]}, "half_points"),
        (lambda h: {"half_points": np.where(np.arange(len(h.half_points)) == 4, 9, h.half_points)}, "half points"),
        (lambda h: {"opponent": h.opponent + 50}, "not in the section"),
        (lambda h: {"entry_player": h.entry_player * 0}, "twice"),
        (lambda h: {"half_points": 2 - h.half_points // 2}, "both sides"),
        (lambda h: {"adjustments": h.adjustments[::-1]}, "sorted"),
        (lambda h: {"foreign": h.foreign[::-1]}, "sorted"),
        (lambda h: {"players": h.players[:10], "ids": h.ids[:10]}, "not there"),
    ],
)
def test_contradictions_are_named(history: History, spoil, complaint: str) -> None:
    with pytest.raises(HistoryError, match=complaint):
        replace(history, **spoil(history)).checked()
