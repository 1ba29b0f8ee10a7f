"""Time controls as they stand in directors' own files."""

from __future__ import annotations

import pytest

from crosstable.errors import UnknownTimeControl
from crosstable.systems.us_chess.time_controls import parse


@pytest.mark.parametrize(
    ("text", "minutes", "seconds"),
    [
        ("1:30 + 10 from move 1", 90, 10),
        ("All moves in 90 minutes, plus 10 seconds per move", 90, 10),
        ("120 minutes per player per game", 120, 0),
        ("40/120, 60", 180, 0),
        ("15|10", 15, 10),
        ("2h", 120, 0),
        ("90 30", 90, 30),
        ("G/45;t5", 45, 5),
        ("1h30", 90, 0),
        ("game in 60 minutes with a 5 second delay", 60, 5),
        ("90 min/40 moves + 30 min + 30 sec", 120, 30),  # FIDE's way to write 40/90
        ("90 min/40 moves, 30 min, 30 sec increment", 120, 30),
        ("90'/40 + 30' + 30''", 120, 30),
        ("100 min/40 + 50 min/20 + 15 min + 30 sec", 165, 30),
    ],
)
def test_one_control(text: str, minutes: float, seconds: float) -> None:
    assert [(control.minutes, control.seconds) for control in parse(text)] == [(minutes, seconds)]


@pytest.mark.parametrize("text", ["90 30 10", "G/90 30", "fast", "x|10"])
def test_a_number_too_many_is_no_time_control(text: str) -> None:
    with pytest.raises(UnknownTimeControl):
        parse(text)
