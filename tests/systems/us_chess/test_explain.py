"""The derivation says why: each step with its numbers, its rule, and the choice that was made."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable.model import ForeignRating, Rating, Step
from crosstable.systems.trace import public

from .builders import by_number, games, player, rated, section


def steps(answer) -> dict[str, Step]:
    return {step.title: step for step in answer.trace}


def test_the_steps_of_an_established_player() -> None:
    answer = by_number(rated(section([player(1, 1600.0), player(2, 1500.0)], games((1, 2, "0-1")))))[1]
    found = steps(answer)
    assert list(found) == [
        "Pre-event rating", "Effective games (Step 2)", "Which formula", "Intermediate rating (Step 4)", "New rating (Step 5)", "Bonus", "Floor", "Published",
    ]  # fmt: skip
    assert found["Effective games (Step 2)"].value == answer.values["effective_games"]
    assert found["Intermediate rating (Step 4)"].value == answer.values["intermediate"]
    assert found["New rating (Step 5)"].value == answer.values["unfloored"]
    assert "the standard formula" in found["Which formula"].text
    assert "None: 1 games" in found["Bonus"].text
    assert found["Effective games (Step 2)"].source == "2025 §3, 8, since 2013-05-08"


def test_why_the_special_formula() -> None:
    few = by_number(rated(section([player(1, 1600.0, 8), player(2, 1500.0)], games((1, 2, "0-1")))))[1]
    assert "8 games before, not more than 8: the special formula" in steps(few)["Which formula"].text
    winner = player(1, 1600.0, 30, wins=30, draws=0, losses=0)
    answer = by_number(rated(section([winner, player(2, 1500.0)], games((1, 2, "0-1")))))[1]
    assert "Nothing but wins so far" in steps(answer)["Which formula"].text
    assert "Bonus" not in steps(answer)


@pytest.mark.parametrize(
    ("on", "who", "words"),
    [
        (date(2018, 1, 1), {"fide": ForeignRating(2105)}, "FIDE 2105 converts to 2167.1"),
        (date(2018, 1, 1), {"ratings": {"OTBQ": Rating(1444.0, 9)}}, "It is the OTBQ rating"),
        (
            date(2025, 8, 2),
            {"ratings": {"OTBQ": Rating(1444.0, 9, date(2025, 8, 2))}},
            "OTBQ 1444 of 2025-08-02 weighs 5 × 1.0000 = 5.00 games",
        ),
        (date(2018, 1, 1), {"foreign_rating": 1800.0}, "the office's conversion of a foreign rating"),
        (date(2025, 8, 2), {"birth_date": date(2015, 8, 2)}, "Age 10.00"),
        (date(2025, 8, 2), {}, "No birth date, an adult: 1300"),
    ],
)
def test_where_a_first_rating_comes_from(on: date, who: dict, words: str) -> None:
    answer = by_number(rated(section([player(1, **who), player(2, 1500.0)], games((1, 2, "0-1")), on=on)))[1]
    assert words in steps(answer)["Initial rating (Step 1)"].text


def test_which_floor_bound() -> None:
    losing = games((1, 2, "0-1"), (1, 3, "0-1"), (1, 4, "0-1"))
    others = [player(n, 1500.0) for n in range(2, 5)]
    earned = by_number(rated(section([player(1, 1701.0, peak=1941.0), *others], losing)))[1]
    assert "below the floor of 1700 (earned by a peak of 1941): the floor holds" in steps(earned)["Floor"].text
    assert steps(earned)["Floor"].rule == "earned_floor"
    prize = by_number(rated(section([player(1, 1801.0, prize_floor=1800), *others], losing)))[1]
    assert "set by a cash prize" in steps(prize)["Floor"].text


def test_a_match_limit_is_said() -> None:
    part = section([player(1, 1500.0), player(2, 1600.0)], games(*[(1, 2, "1-0")] * 6), kind="match")
    found = steps(by_number(rated(part))[1])
    assert found["Match limits"].value == 1550
    assert found["Bonus"].text == "Matches earn no bonus."


def test_the_public_form_masks_every_number_that_tells_an_age() -> None:
    child = player(1, birth_date=date(2015, 2, 14), adult=False)
    part = section([child, player(2, 1900.0), player(3, 600.0)], games((1, 2, "0-1"), (1, 3, "1/2-1/2"), (2, 3, "1-0")))
    answers = by_number(rated(part))
    for number in (1, 2, 3):
        shown = public(answers[number])
        text = " ".join(step.text for step in shown.trace) + str(dict(shown.values))
        for secret in (answers[1].prior, answers[1].values["first_estimate"]):
            assert f"{secret:.1f}" not in text
    hidden = public(answers[1])
    assert hidden.prior is None
    assert hidden.values["prior"] is None
    assert hidden.published == answers[1].published  # moved by a game within 400 points: it no longer tells


def test_a_rating_that_is_still_the_age_based_one_is_not_shown() -> None:
    child = player(1, birth_date=date(2015, 2, 14), adult=False)
    answers = by_number(rated(section([child, player(2, 1900.0)], games((1, 2, "0-1")))))
    assert answers[1].post == answers[1].prior  # nobody within 400 points: the prior decides
    hidden = public(answers[1])
    assert (hidden.published, hidden.values["post"], hidden.values["published"]) == (None, None, None)
    opponent = " ".join(step.text for step in public(answers[2]).trace)
    assert f"{answers[1].prior:.1f}" not in opponent
