"""The derivation says why: each step with its numbers, its rule, and the choice that was made."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from crosstable.model import Answer, ForeignRating, Rating, Section
from crosstable.model.us_chess_steps import Blend, BlendSource
from crosstable.model.values import HIDDEN, Rounded
from crosstable.systems.privacy import public
from crosstable.systems.us_chess import rate
from crosstable.words.derivation import sentence
from tests.derivations import Shown, shown_steps

from .builders import by_number, event, games, player, rated, section


def steps(answer: Answer) -> dict[str, Shown]:
    return {step.title: step for step in shown_steps(answer)}


def test_the_steps_of_an_established_player() -> None:
    answer = by_number(rated(section([player(1, 1600.0), player(2, 1500.0)], games((1, 2, "0-1")))))[1]
    found = steps(answer)
    assert list(found) == [
        "Pre-event rating",
        "Effective games (Step 2)",
        "Which formula",
        "Intermediate rating (Step 4)",
        "New rating (Step 5)",
        "Bonus",
        "Floor",
        "Published",
    ]
    assert found["Effective games (Step 2)"].value == answer.values["effective_games"]
    assert found["Intermediate rating (Step 4)"].value == answer.values["intermediate"]
    assert found["New rating (Step 5)"].value == answer.values["unfloored"]
    assert "the standard formula" in found["Which formula"].text
    assert "None: 1 game." in found["Bonus"].text
    assert found["Effective games (Step 2)"].source == "2025 §3, 8, since 2013-05-08"


def test_why_the_special_formula() -> None:
    few = by_number(rated(section([player(1, 1600.0, 8), player(2, 1500.0)], games((1, 2, "0-1")))))[1]
    assert "8 games before, not more than 8: the special formula" in steps(few)["Which formula"].text
    winner = player(1, 1600.0, 30, wins=30, draws=0, losses=0)
    answer = by_number(rated(section([winner, player(2, 1500.0)], games((1, 2, "0-1")))))[1]
    assert "Nothing but wins before this event" in steps(answer)["Which formula"].text
    assert "Bonus" not in steps(answer)
    credited = player(1, 1548.0, 12, wins=2, draws=0, losses=0, assigned_games=10)
    answer = by_number(rated(section([credited, player(2, 1500.0)], games((1, 2, "0-1")))))[1]
    assert "besides 10 games credited from other ratings" in steps(answer)["Which formula"].text


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


def shown(part: Section) -> dict[int, Answer]:
    """The public form, by pairing number."""
    return {answer.number: answer for answer in public(event(part), rate).answers}


def test_the_public_form_hides_every_number_that_an_age_moves() -> None:
    """The child, 10, starts at 50 × age = 523.3 and is met at the first estimate, which counts that start as one
    game.
    """
    child = player(1, birth_date=date(2015, 2, 14), adult=False)
    part = section([child, player(2, 1900.0), player(3, 600.0)], games((1, 2, "0-1"), (1, 3, "1/2-1/2"), (2, 3, "1-0")))
    answers, public_ones = by_number(rated(part)), shown(part)
    for one in public_ones.values():
        text = " ".join(step.text for step in shown_steps(one)) + str(dict(one.values))
        for secret in (answers[1].prior, answers[1].values["first_estimate"]):
            assert f"{secret:.1f}" not in text
            assert f"{secret:.0f}" not in text
    hidden = public_ones[1]
    assert hidden.prior is None
    assert hidden.values["prior"] is None
    assert hidden.published == answers[1].published  # moved by a game within 400 points
    assert "Where the player starts is not shown" in steps(hidden)["Initial rating (Step 1)"].text
    met = steps(public_ones[3])
    assert met["Pre-event rating"] == steps(answers[3])["Pre-event rating"]
    assert "#1 (not shown)" in met["Intermediate rating (Step 4)"].text


def test_what_an_age_moves_after_the_decimal_point_only_is_shown_in_whole_points() -> None:
    """Who is 1300 points above the child expects 0.9994 of a point: the child's first estimate matters by
    hundredths.
    """
    child = player(1, birth_date=date(2015, 2, 14), adult=False)
    part = section([child, player(2, 1900.0), player(3, 600.0)], games((1, 2, "0-1"), (1, 3, "1/2-1/2"), (2, 3, "1-0")))
    found, full = shown(part)[2], by_number(rated(part))[2]
    assert found.values["intermediate"] != full.values["intermediate"]
    assert found.values["intermediate"] == round(full.values["intermediate"])
    assert found.values["prior"] == 1900.0


def test_a_rating_that_is_still_the_age_based_one_is_not_shown() -> None:
    child = player(1, birth_date=date(2015, 2, 14), adult=False)
    part = section([child, player(2, 1900.0)], games((1, 2, "0-1")))
    answers = by_number(rated(part))
    assert answers[1].post == answers[1].prior  # nobody within 400 points: the prior decides
    hidden = shown(part)[1]
    assert (hidden.published, hidden.values["post"], hidden.values["published"]) == (None, None, None)
    assert str(answers[1].published) not in steps(hidden)["Published"].text
    opponent = " ".join(step.text for step in shown_steps(shown(part)[2]))
    assert f"{answers[1].prior:.1f}" not in opponent


def test_a_later_section_does_not_tell_a_start_that_nothing_has_moved() -> None:
    """Two sections, two losses to somebody far above; the quick rating is then taken over from the regular one."""
    child = player(1, birth_date=date(2015, 2, 14), adult=False)
    strong = player(2, ratings={"OTBR": Rating(1900.0, 60), "OTBQ": Rating(1900.0, 60)})
    parts = [
        section([child, strong], games((1, 2, "0-1")), number=number, time_control=control)
        for number, control in ((1, "G/90;+30"), (2, "G/90;+30"), (3, "G/15;d3"))
    ]
    own = [one for one in rate(event(*parts)).answers if one.number == 1]
    assert [one.published for one in own] == [523, 523, 523]  # 50 × 10.467
    assert [one.published for one in public(event(*parts), rate).answers if one.number == 1] == [None] * 3


def test_the_personal_floor_shows_its_sum() -> None:
    """2025 §5: 100 + 4 × (9 + 1) wins + 2 × 1 draw + 1 × (3 + 0) events = 145; with 3 wins more it would be 157, at
    most 150.
    """
    record = Rating(900.0, 30, wins=9, draws=1, losses=20, three_game_events=3)
    part = section([player(1, ratings={"OTBR": record}), player(2, 1000.0)], games((1, 2, "1-0")))
    text = steps(by_number(rated(part))[1])["Floor"].text
    assert "100 + 4 × 10 wins + 2 × 1 draw + 1 × 3 events of three games or more = 145)" in text
    record = replace(record, games=33, wins=12)
    part = section([player(1, ratings={"OTBR": record}), player(2, 1000.0)], games((1, 2, "1-0")))
    assert "= 157, at most 150)" in steps(by_number(rated(part))[1])["Floor"].text


def test_an_edition_that_prints_a_rule_again_does_not_begin_it() -> None:
    """800/(N' + m) stands in the editions of 2015, 2017 and 2025: in force since the rulebook's first day."""
    part = section([player(1, 1500.0), player(2, 1500.0)], games((1, 2, "1-0")))
    assert steps(by_number(rated(part))[1])["New rating (Step 5)"].source == "2025 §4.2, since 2001-01-01"


def test_a_weight_that_an_age_moves_is_rounded_or_left_out() -> None:
    """The weights of a blended start depend on an age by the ratings expected at it (2025 §2.2)."""
    sources = [
        BlendSource(pool="OTBR", dated=date(2024, 6, 15), rating=1221.5, converted=1221.5, factor=10.0, weight=weight)
        for weight in (HIDDEN, Rounded(5.1), 5.0)
    ]
    step = Blend(pool="OLB", rating=1230.0, games=10, sources=tuple(sources))
    assert sentence(step, {}).split(". ")[1].split("; ") == [
        "OTBR 1221.5 of 2024-06-15, with a weight that is not shown",
        "OTBR 1221.5 of 2024-06-15 weighs ≈5 games",
        "OTBR 1221.5 of 2024-06-15 weighs 10 × 0.5000 = 5.00 games",
    ]
