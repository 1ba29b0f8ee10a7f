"""A floor that a list states becomes a part of the record only where a rule of section 5 gives it."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable.errors import WrongValue
from crosstable.model import Rating
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.stated_floors import with_floor

RULES = rulebook("us_chess").on(date(2025, 8, 2))
ESTABLISHED = Rating(1705.0, games=40)


def test_a_floor_that_the_record_gives_already_adds_nothing() -> None:
    """2025 §5: a peak of 1941 gives 1700; 20 wins, 10 draws and 5 events give 100 + 4·20 + 2·10 + 5 = 205, at
    most 150.
    """
    peak = Rating(1705.0, games=40, peak=1941.0)
    assert with_floor(RULES, "OTBR", peak, 1700.0) == peak
    counted = Rating(400.0, games=20, wins=8, draws=3, three_game_events=2)
    assert with_floor(RULES, "OTBR", counted, 140.0) == counted  # 100 + 4·8 + 2·3 + 2


def test_without_a_reason_it_is_kept_as_a_prize_floor() -> None:
    """1705 alone earns 1500: the 1600 comes from a peak or a prize, and the list does not say which."""
    assert with_floor(RULES, "OTBR", ESTABLISHED, 1600.0).prize_floor == 1600.0


def test_2200_is_a_life_masters_and_2100_can_only_be_earned() -> None:
    master = Rating(2250.0, games=500)
    assert with_floor(RULES, "OTBR", master, 2200.0).life_master
    assert with_floor(RULES, "OTBR", master, 2100.0).peak == 2300.0  # 2300 − 200


def test_a_reason_decides() -> None:
    assert with_floor(RULES, "OTBR", ESTABLISHED, 1600.0, "earned_floor").peak == 1800.0
    assert with_floor(RULES, "OTBR", ESTABLISHED, 1600.0, "prize_floor").prize_floor == 1600.0
    lowered = with_floor(RULES, "OTBR", Rating(1705.0, games=40, peak=1941.0), 1600.0, "matches")
    assert (lowered.lowered_floor, lowered.lowered_from) == (1600.0, 1700.0)


@pytest.mark.parametrize(
    ("record", "floor", "rule", "words"),
    [
        (ESTABLISHED, 1755.0, "", "no rule gives a floor of 1755"),
        (ESTABLISHED, 1400.0, "", "rating, peak and games give 1500"),
        (Rating(400.0, games=20), 140.0, "", "follows from games won and drawn"),
        (Rating(1705.0, games=12), 1600.0, "earned_floor", "gives no floor of 1600"),  # provisional: none is earned
        (ESTABLISHED, 1600.0, "gift", "'gift' is not a reason"),
        (ESTABLISHED, 2100.0, "prize_floor", "gives no floor of 2100"),  # prizes: up to 2000
    ],
)
def test_what_no_rule_gives_is_refused(record: Rating, floor: float, rule: str, words: str) -> None:
    with pytest.raises(WrongValue, match=words):
        with_floor(RULES, "OTBR", record, floor, rule)
