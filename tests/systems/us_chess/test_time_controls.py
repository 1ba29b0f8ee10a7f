"""The time-control parser, on spellings of reports and from the published record."""

import pytest

from crosstable.errors import UnknownTimeControl
from crosstable.systems.us_chess.time_controls import parse

ONE_CONTROL = {
    # text: (mm, ss, first control)
    "G/60;d5": (60, 5, 60),
    "G60; d5": (60, 5, 60),
    "G60 d5": (60, 5, 60),
    "G/45; d5": (45, 5, 45),
    "G/60, Inc-30": (60, 30, 60),
    "Game/60 d/5": (60, 5, 60),
    "GAME/30": (30, 0, 30),
    "GAME 30": (30, 0, 30),
    "GAME IN 120 MINUTES": (120, 0, 120),
    "G/90;+30": (90, 30, 90),
    "G/90 + 30 SEC INCREMENT": (90, 30, 90),
    "G/90, 1 MIN INC. PER MOVE": (90, 60, 90),
    "GAME/7 W/3 SEC DELAY": (7, 3, 7),
    "40/90,G/30,d/5": (120, 5, 90),  # 125 in all
    "40/120,SD/60;d10": (180, 10, 120),  # 190 in all
    "40/90,SD/30;d5": (120, 5, 90),
    "30/90,SD/1;d5": (150, 5, 90),  # 1 as a later control is an hour
    "30/90 SD/1": (150, 0, 90),
    "40/2, SD/1": (180, 0, 120),
    "40/2, THEN SUDDEN DEATH/1": (180, 0, 120),
    "40/75 S/D 30": (105, 0, 75),
    "40/90 + G/30 + 30 SEC INC": (120, 30, 90),
    "40/90/30": (120, 0, 90),
    "40/80,15/30;d0": (110, 0, 80),
    "G/30.;d0": (30, 0, 30),
    "G/2 HRS": (120, 0, 120),
    "90+30": (90, 30, 90),
    "G/10.5;d1": (10.5, 1, 10.5),
}


@pytest.mark.parametrize("text", ONE_CONTROL)
def test_one_control(text: str) -> None:
    (control,) = parse(text)
    assert (control.minutes, control.seconds, control.first_control_minutes) == ONE_CONTROL[text]


def test_rounds_with_their_own_controls_give_each_control_once() -> None:
    text = "Round 1: G/45;d5, Round 2: G/45;d5, Round 3: G/60;d5"
    assert [(c.minutes, c.seconds, c.text) for c in parse(text)] == [(45, 5, "G/45;d5"), (60, 5, "G/60;d5")]


def test_schedules_of_an_event_with_two_starts() -> None:
    text = "Schedule 1 Round 1: 40/110,SD/30;d10, Schedule 2 Round 1: G/90;d5, Schedule 2 Round 2: 40/110,SD/30;d10"
    assert [(c.minutes, c.seconds) for c in parse(text)] == [(140, 10), (90, 5)]


@pytest.mark.parametrize(
    "text", ["G/6O;d5", "4O/75 S/D 30", "G/XX", "", "D", "G/90;d5 +30", "G/60;d5 maybe", "d5", "x" * 5000]
)
def test_what_cannot_be_read_is_quoted(text: str) -> None:
    with pytest.raises(UnknownTimeControl) as caught:
        parse(text)
    assert text[:40] in str(caught.value)
