"""The public form: no number in it, but a published rating, tells one age from another (readings 36)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import date, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import crosstable
from crosstable.errors import HiddenValue
from crosstable.model import Answer, Event, Game, Player, Rated, Rating, Section
from crosstable.model.derivation import HiddenStep, Published
from crosstable.model.us_chess_steps import FormulaChoice, FormulaReason, HiddenStart, Pass
from crosstable.model.values import HIDDEN, Hidden, Rounded, round_half_up
from crosstable.systems import privacy
from crosstable.systems.privacy import public_step
from crosstable.words.derivation import sentence

#: A day of each edition: 2015, 2017, and 2025 with blended first ratings; and one when whole numbers were stored. What
#: was stored then is what was published, public by nature, and so is where a later section starts: only one section
#: then
WHOLE = date(2013, 6, 1)
DAYS = (WHOLE, date(2016, 3, 5), date(2018, 3, 3), date(2025, 8, 2))
POOLS = ("OTBR", "OTBQ")
YEAR = 365.25

rating_values = st.floats(300, 1900).map(lambda value: round(value, 3))
days_of_life = st.integers(round(3.5 * YEAR), round(30 * YEAR))


@st.composite
def people(draw: st.DrawFn, day: date, rated: bool) -> dict[str, Any]:
    """Somebody new with a birth date, somebody rated in both pools, or in one: the other is then initialised
    from it.
    """
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


def pieces(answer: Answer) -> Iterator[tuple[Any, Any]]:
    """Everything that a public form shows but the published rating: the values, and every fact of every step."""
    yield from ((name, value) for name, value in answer.values.items() if name not in published(answer))
    for place, step in enumerate(answer.derivation):
        if isinstance(step, HiddenStep):
            continue
        for name, value in flat(step):
            if not isinstance(step, Published):
                yield (step.kind, place, *name), None if isinstance(value, Hidden) else value


def flat(record: Any, *path: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value inside a record, by its path."""
    if is_dataclass(record):
        for one in fields(record):
            yield from flat(getattr(record, one.name), *path, one.name)
    elif isinstance(record, tuple):
        for place, one in enumerate(record):
            yield from flat(one, *path, place)
    else:
        yield path, record


def agree(one: Any, other: Any) -> bool:
    """Whether two shown numbers are the same, or one is the other rounded."""
    if not isinstance(one, float) or not isinstance(other, float):
        return bool(one == other)
    one, other = (round(number, privacy.DECIMALS) for number in (one, other))
    return any(a in (b, round_half_up(b), round_half_up(b, 10)) for a, b in ((one, other), (other, one)))


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


@given(within_a_year())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_fact_shown_would_be_another_a_year_older_or_younger(pair: tuple[Event, Event]) -> None:
    event, other = pair
    at_other_age = {(one.section, one.pool, one.number): dict(pieces(one)) for one in rated_as_practised(other).answers}
    for answer in public(event).answers:
        theirs = at_other_age[answer.section, answer.pool, answer.number]
        for name, value in pieces(answer):
            if isinstance(value, float):
                assert value is None or agree(value, theirs.get(name)), name


#: The other systems in which a newcomer's age counts
OLD_SYSTEMS = ("uscf_1994", "uscf_1996")


@st.composite
def old_events(draw: st.DrawFn) -> Event:
    """Newcomers of known ages and rated players, in one or two sections of 1996."""
    day = date(1996, 10, 5)
    new, old = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    field: dict[str, dict[str, Any]] = {}
    for place in range(new + old):
        games = draw(st.sampled_from([5, 15, 60]))
        ratings = {"USCF": Rating(draw(rating_values), games, date(1996, 5, 1))} if place >= new else {}
        field[str(10000001 + place)] = {
            "birth_date": day - timedelta(days=draw(days_of_life)),
            "ratings": ratings,
        }
    parts = tuple(draw(sections(number, day, field)) for number in range(1, draw(st.integers(1, 2)) + 1))
    return Event("Random", day, day, tuple(replace(part, kind="swiss") for part in parts))


@pytest.mark.parametrize("system", OLD_SYSTEMS)
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_fact_of_the_old_systems_would_be_another_a_year_older_or_younger(system: str, data: st.DataObject) -> None:
    event = data.draw(old_events())
    births = {who: day + timedelta(days=data.draw(st.integers(-365, 365))) for who, day in born(event).items()}
    rated = crosstable.rate(aged(event, births), system=system)
    at_other_age = {(one.section, one.number): dict(pieces(one)) for one in rated.answers}
    for answer in crosstable.public(event, system=system).answers:
        for name, value in pieces(answer):
            if isinstance(value, float):
                assert agree(value, at_other_age[answer.section, answer.number].get(name)), name


CLASSES = {"fide": "FIDE", "dwz": "DWZ", "ecf": "ECF"}


@pytest.mark.parametrize(("system", "pool"), CLASSES.items())
@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_system_with_classes_of_ages_shows_the_same_at_every_age(system: str, pool: str, data: st.DataObject) -> None:
    """A junior's K is not printed, nor what it makes of a game: only the published rating may differ."""
    day = date(2025, 11, 5)
    records = data.draw(st.lists(st.tuples(rating_values, st.sampled_from([3, 40])), min_size=2, max_size=5))
    players = tuple(
        Player(place, str(place), ratings={pool: Rating(rating, games, date(2025, 5, 1))})
        for place, (rating, games) in enumerate(records, 1)
    )
    pairs = [(a.number, b.number) for a in players for b in players if a.id < b.id]
    played = data.draw(
        st.lists(st.tuples(st.sampled_from(pairs), st.sampled_from(["1-0", "0-1", "1/2-1/2"])), min_size=1, max_size=9)
    )
    games = tuple(Game(place, white, black, result) for place, ((white, black), result) in enumerate(played, 1))
    event = Event("Random", day, day, (Section(1, "", day, day, players, games, time_control="G/90;i30"),))
    some_age = st.none() | days_of_life.map(lambda days: day - timedelta(days=days))
    first, second = (
        [_without_published(one) for one in crosstable.public(with_births(event, births), system=system).answers]
        for births in (data.draw(st.tuples(*(some_age for _ in players))) for _ in range(2))
    )
    assert first == second


def with_births(event: Event, births: tuple[date | None, ...]) -> Event:
    (part,) = event.sections
    players = (replace(one, birth_date=day) for one, day in zip(part.players, births, strict=True))
    return replace(event, sections=(replace(part, players=tuple(players)),))


def _without_published(answer: Answer) -> dict[Any, Any]:
    """Everything shown but the published rating, and the change that follows from it."""
    own = {("new-rating", "change"), ("new-rating", "result")}
    return {name: value for name, value in pieces(answer) if (name[0], name[-1]) not in own}


def test_the_public_form_of_a_junior_names_no_class() -> None:
    """FIDE 8.3.3: K = 40 until the end of the year of the 18th birthday: 40 × (1 − 0.30) − 40 × 0.30 = 16; the
    published rating is public by nature.
    """
    day = date(2025, 8, 2)
    players = (
        Player(1, "1", birth_date=date(2013, 5, 1), ratings={"FIDE": Rating(1700.0, 60)}),
        Player(2, "2", ratings={"FIDE": Rating(1850.0, 60)}),
    )
    games = (Game(1, 1, 2, "1-0"), Game(2, 2, 1, "1-0"))
    event = Event("Two", day, day, (Section(1, "", day, day, players, games, time_control="G/90;i30"),))
    everything = " ".join(sentence(step, {}) for step in crosstable.rate(event, system="fide").answers[0].derivation)
    assert "not over 18 this year" in everything
    shown = [sentence(step, {}) for step in crosstable.public(event, system="fide").answers[0].derivation]
    assert shown == [
        "Not shown: it would reveal a player's age.",
        "beat player 2 (1850): difference −150, expected 0.30",
        "lost to player 2 (1850): difference −150, expected 0.30",
        "Not shown: it would reveal a player's age.",
        "1700 ≈+16 ≈ 1716",
    ]


class Age(NamedTuple):
    """What the numbers of a step are at one age."""

    expected: float
    gain: float
    result: float


def at(age: Age, **more: Any) -> Pass:
    facts = {"step": 5, "formula": "standard", "prior": 1488.0, "games": (), "score": 5.0, "k": 45.7408, "bonus": 0.0}
    return Pass(**{**facts, **age._asdict(), **more})


def seen(*ages: Age) -> str:
    """The sentence of the first age's step as the public sees it."""
    own, *others = (at(age) for age in ages)
    return sentence(public_step(own, privacy.Others(tuple(others))), {}).removeprefix(". ")


def test_a_rounded_number_is_never_said_to_be_equal() -> None:
    """E is 2.9 in tenths at each age (2.88, 2.89, 2.90, with half of the span as room); the gain is 98, the result
    1586.
    """
    text = seen(Age(2.89, 98.1, 1586.1), Age(2.88, 98.2, 1586.2), Age(2.9, 98.0, 1586.0))
    assert text == "S = 5, E ≈ 2.9, K = 45.7408: 1488 + ≈98 ≈ 1586."


def test_a_sum_that_lacks_a_number_is_not_printed() -> None:
    assert seen(Age(5.1, -2.6, 1485.4), Age(5.1, -9.1, 1478.9)).endswith("K = 45.7408: the sum is not shown.")
    assert seen(Age(5.1, -0.49, 1487.51), Age(5.1, -0.31, 1487.69)).endswith(
        "K = 45.7408: the sum is not shown; the result is ≈1488."
    )


def stored(rating: float) -> Published:
    return Published(stored=rating, published=1497.0, games=31)


def test_what_is_stored_is_left_out_where_only_what_is_published_may_be_said() -> None:
    moved, same = privacy.Others((stored(1496.8),)), privacy.Others((stored(1497.4),))
    assert sentence(public_step(stored(1497.4), moved, 1497.0), {}) == "Published as 1497, based on 31 games."
    in_full = "Stored as 1497.4, published as 1497, based on 31 games."
    assert sentence(public_step(stored(1497.4), same, 1497.0), {}) == in_full
    assert "1497" not in sentence(public_step(stored(1497.4), moved, None), {})


def test_a_hidden_number_cannot_be_written_by_accident() -> None:
    with pytest.raises(HiddenValue):
        f"{HIDDEN:.2f}"
    with pytest.raises(HiddenValue):
        str(HIDDEN)
    with pytest.raises(HiddenValue):
        HIDDEN + 1
    assert f"{Rounded(98.13):.4f}" == "≈98"


def test_a_step_that_says_something_else_at_another_age_is_hidden() -> None:
    few = FormulaChoice(formula="special", reason=FormulaReason.FEW_GAMES, games=3, limit=8)
    many = FormulaChoice(formula="standard", reason=FormulaReason.ESTABLISHED_RECORD, games=9, limit=8)
    assert public_step(many, privacy.Others((few,))) == HiddenStep(step="formula")


@pytest.mark.parametrize("born", [date(1985, 2, 14), date(2015, 2, 14)])
def test_an_age_start_is_hidden_for_children_and_adults_alike(born: date) -> None:
    """Readings 46."""
    newcomer, other = Player(1, "1", birth_date=born), Player(2, "2", ratings={"OTBR": Rating(1900.0, 60)})
    day = date(2025, 8, 2)
    part = Section(1, "", day, day, (newcomer, other), (Game(1, 1, 2, "0-1"),), time_control="G/120;d5")
    answer = crosstable.public(Event("Two", day, day, (part,))).answers[0]
    start = answer.derivation[0]
    assert isinstance(start, HiddenStart)
    assert answer.prior is None
    assert answer.values["prior"] is None
