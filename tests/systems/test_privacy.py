"""The public form: no number in it, but a published rating, tells one age from another (readings 36)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import crosstable
from crosstable.model import Answer, Event, Game, Player, Rated, Rating, Section
from crosstable.systems import privacy

#: A day of each edition: 2015, 2017, and 2025 with blended first ratings; and one when whole numbers were stored. What was
#: stored then is what was published, public by nature, and so is where a later section starts: only one section then
WHOLE = date(2013, 6, 1)
DAYS = (WHOLE, date(2016, 3, 5), date(2018, 3, 3), date(2025, 8, 2))
POOLS = ("OTBR", "OTBQ")
YEAR = 365.25

rating_values = st.floats(300, 1900).map(lambda value: round(value, 3))
days_of_life = st.integers(round(3.5 * YEAR), round(30 * YEAR))


@st.composite
def people(draw: st.DrawFn, day: date, rated: bool) -> dict[str, Any]:
    """Somebody new with a birth date, somebody rated in both pools, or in one: the other is then initialised from it."""
    if rated:
        pools = draw(st.sampled_from([POOLS, POOLS[:1], POOLS[1:]]))
        games = draw(st.sampled_from([3, 12, 60]))
        dated = day - timedelta(days=draw(st.integers(1, 1500)))
        ratings = {pool: Rating(draw(rating_values), games, dated) for pool in pools}
    else:
        ratings = {}
    return {"birth_date": day - timedelta(days=draw(days_of_life)), "ratings": ratings}


@st.composite
def sections(draw: st.DrawFn, number: int, day: date, field: dict[str, dict[str, Any]]) -> Section:
    """Some of these people in one section; now and then somebody enters twice, or two play a match."""
    ids = list(field)
    kind = draw(st.sampled_from(["swiss", "swiss", "match"]))
    if kind == "match":
        ids = ids[-2:]
    elif draw(st.booleans()):
        ids.append(ids[0])
    players = tuple(Player(place, one, **field[one]) for place, one in enumerate(ids, 1))
    pairs = [(a.number, b.number) for a in players for b in players if a.id < b.id]
    played = draw(
        st.lists(st.tuples(st.sampled_from(pairs), st.sampled_from(["1-0", "0-1", "1/2-1/2"])), min_size=2, max_size=14)
    )
    games = tuple(Game(place, white, black, result) for place, ((white, black), result) in enumerate(played, 1))
    control = draw(st.sampled_from(["G/120;d5", "G/45;d5", "G/20;d5"]))  # regular, dual, quick
    return Section(number, "", day, day, players, games, kind=kind, time_control=control)


@st.composite
def events(draw: st.DrawFn) -> Event:
    day = draw(st.sampled_from(DAYS))
    new, old = draw(st.integers(1, 4)), draw(st.integers(2, 4))
    field = {str(10000001 + place): draw(people(day, place >= new)) for place in range(new + old)}
    parts = tuple(
        draw(sections(number, day, field)) for number in range(1, draw(st.integers(1, 1 if day == WHOLE else 2)) + 1)
    )
    return Event("Random", day, day, parts)


def aged(event: Event, births: dict[str, date]) -> Event:
    parts = [
        replace(part, players=tuple(replace(one, birth_date=births[one.id]) for one in part.players))
        for part in event.sections
    ]
    return replace(event, sections=tuple(parts))


def born(event: Event) -> dict[str, date]:
    return {one.id: one.birth_date for part in event.sections for one in part.players if one.birth_date}


def rated_as_practised(event: Event) -> Rated:
    """As practised matches of newcomers are rated too."""
    return crosstable.rate(event, profile="as-practised")


def public(event: Event) -> Rated:
    return crosstable.public(event, profile="as-practised")


def published(answer: Answer) -> set[str]:
    """The values that are public by nature: the published rating, and the stored one where it is the same number."""
    return {"published"} | ({"post"} if answer.state.date == WHOLE else set())


PIECES = re.compile(rf"\d+(?:\.\d+)?|{privacy.NOT_SHOWN}")


def pieces(answer: Answer) -> Iterator[tuple[Any, Any]]:
    """Everything that a public form shows but the published rating: values, steps' values, and the numbers in their texts."""
    yield from numbers(answer)
    for step in answer.trace:
        text = step.text.removesuffix(privacy.ROUNDED).strip().replace("≈ ", "= ").replace("≈", "")
        words = tuple(PIECES.split(text))
        if step.title != privacy.PUBLISHED and step.text != privacy.MASK:
            for place, piece in enumerate(PIECES.findall(text)):
                yield (step.title, words, place), None if piece == privacy.NOT_SHOWN else float(piece)


def agree(one: Any, other: Any) -> bool:
    """Whether two shown numbers are the same, or one is the other rounded."""
    if not isinstance(one, float) or not isinstance(other, float):
        return bool(one == other)
    one, other = (round(number, privacy.DECIMALS) for number in (one, other))
    return any(a in (b, privacy.rounded(b), privacy.rounded(b, 10)) for a, b in ((one, other), (other, one)))


@st.composite
def in_the_same_year_of_life(draw: st.DrawFn) -> tuple[Event, Event]:
    event = draw(events())
    assert event.end is not None
    births = {}
    for who, birth_date in born(event).items():
        age = math.floor((event.end - birth_date).days / YEAR)
        days = draw(st.integers(math.ceil(age * YEAR), math.ceil((age + 1) * YEAR) - 1))
        births[who] = event.end - timedelta(days=days)
    return event, aged(event, births)


@given(in_the_same_year_of_life())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_in_one_year_of_life_two_public_forms_show_nothing_different(pair: tuple[Event, Event]) -> None:
    """Now and then one hides what the other shows: the words of a step, say, that are others just at that age."""
    for one, other in zip(*(public(event).answers for event in pair), strict=True):
        theirs = dict(pieces(other))
        for name, value in pieces(one):
            if value is not None and theirs.get(name) is not None:
                assert agree(value, theirs[name]), name


@st.composite
def within_a_year(draw: st.DrawFn) -> tuple[Event, Event]:
    event = draw(events())
    births = {who: day + timedelta(days=draw(st.integers(-365, 365))) for who, day in born(event).items()}
    return event, aged(event, births)


def numbers(answer: Answer) -> Iterator[tuple[str, Any]]:
    """Every value of an answer and of its steps, by name."""
    yield from ((name, value) for name, value in answer.values.items() if name not in published(answer))
    yield from ((step.title, step.value) for step in answer.trace if step.title != privacy.PUBLISHED)


@given(within_a_year())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_number_shown_would_be_another_a_year_older_or_younger(pair: tuple[Event, Event]) -> None:
    event, other = pair
    at_other_age = {
        (one.section, one.pool, one.number): dict(numbers(one)) for one in rated_as_practised(other).answers
    }
    for answer in public(event).answers:
        theirs = at_other_age[answer.section, answer.pool, answer.number]
        for name, value in numbers(answer):
            assert value is None or agree(value, theirs[name]), name


def seen(text: str, *others: str) -> str:
    return privacy.text_shown(text, privacy.Others(others))


def test_a_rounded_number_is_never_said_to_be_equal() -> None:
    """E is 2.9 in tenths at each age (2.87, 2.89, 2.93, with half of the span as room); the gain is 98, the result 1586."""
    sums = "S = 5, E = {}, K = 45.7408: 1488 + {} = {}.".format
    text = seen(
        sums("2.8900", "98.1000", "1586.1000"),
        sums("2.8800", "98.2000", "1586.2000"),
        sums("2.9000", "98.0000", "1586.0000"),
    )
    assert text == "S = 5, E ≈ 2.9, K = 45.7408: 1488 + ≈98 ≈ 1586."
    assert seen("Lost to #2 (1512.3), expected 0.461.", "Lost to #2 (1512.4), expected 0.460.") == (
        "Lost to #2 (≈1512), expected ≈0.5."
    )


def test_a_sum_that_lacks_a_number_is_not_printed() -> None:
    sums = "K = 50: 1500 − {} = {}.".format
    assert seen(sums("2.6000", "1497.4"), sums("9.1000", "1490.9")) == "K = 50: the sum is not shown."
    assert (
        seen(sums("0.4900", "1499.51"), sums("0.3100", "1499.69"))
        == "K = 50: the sum is not shown; it comes to about 1500."
    )


def test_what_is_stored_is_left_out_where_only_what_is_published_may_be_said() -> None:
    stored = "Stored as {}, published as 1497, on 31 games.".format
    assert seen(stored("1497.4"), stored("1496.8")) == "Published as 1497, on 31 games."
    assert privacy.text_shown(stored("1497.4"), privacy.Others((stored("1496.4"),)), 1497.0) == (
        "Published as 1497, on 31 games."
    )
    assert seen(stored("1497.4"), stored("1497.4")) == stored("1497.4")
