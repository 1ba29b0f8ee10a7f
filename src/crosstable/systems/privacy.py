"""The public form of a rated event: every number that an age could have moved is rounded or not shown (readings 36).

The event is rated again as if those whose age matters were younger and older, and mixed. What comes out equal every
time is shown in full, what is equal after rounding is shown rounded, and the rest is not shown. The published rating is
public by nature, unless it still is what the age made it.

Ages are compared by whole years of life. Who is 10 is rated as if exactly 9 and exactly 12: at least a year less and a
year more than the true age. So what is shown is the same from the tenth birthday to the eleventh. (It cannot be the
same for every two ages a year apart: then it would be the same for all ages, and show nothing that a newcomer's age
touches.)

Some systems have classes of ages: a junior's K, say. A year more or less seldom changes the class, so in these systems
everyone is rated as a child and as an adult, also players without a birth date. What is shown is then the same at every
age.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date, timedelta
from enum import Enum
from itertools import product
from operator import attrgetter, itemgetter
from typing import Any, cast

from crosstable.model import Answer, Event, Player, Rated, Rating, Section, Step
from crosstable.model.derivation import HiddenStep, Published
from crosstable.model.system_steps import NewRating
from crosstable.model.us_chess_steps import AgeStart, Ceiling, FormulaChoice, HiddenStart, MatchLimits
from crosstable.model.values import HIDDEN, Hidden, Rounded, exact, round_half_up

Rate = Callable[[Event], Rated]

DAYS_PER_YEAR = 365.25
YOUNGER, OLDER = -1, 2  # years, from the last birthday
CHILD, ADULT = 3, 40  # years; the first and the last class of every system that has classes of ages
#: So many players are tried in every combination of younger and older; more of them in so many groups
GROUPS = 4
#: From here on a number is a rating: the lowest is 100
POINTS = 100.0
#: So many of a public number's decimals count
DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Openings:
    """What is not public of the ratings that players bring, by pairing number: only an office knows."""

    #: The pools in which the rating still is what an age made it, and what a year of life is worth there
    by_age: Mapping[int, Collection[str]] = field(default_factory=dict)
    per_year: float = 0.0


ALL_PUBLIC = Openings()


@dataclass(frozen=True, slots=True)
class Others:
    """What something would be at other ages."""

    ages: tuple[Any, ...]

    def each(self, part: Callable[[Any], Any]) -> Others:
        return Others(tuple(map(part, self.ages)))


def public(event: Event, rate: Rate, openings: Openings = ALL_PUBLIC, *, age_classes: bool = False) -> Rated:
    """Rate the event in the form that anyone may see. Users who rate their own file see everything instead.

    `age_classes`: the system's own `age_classes`.
    """
    everybody = people_of(event).values()
    if age_classes:
        return compared(rate(event), Others(tuple(map(rate, _in_each_class(event, openings, everybody)))))
    ages = [rate(_aged(event, openings, dict.fromkeys(everybody, years))) for years in (YOUNGER, OLDER)]
    matters = sorted(_whose_age_matters(event, *ages))
    ages += [rate(_aged(event, openings, years)) for years in _mixtures(matters)]
    return compared(rate(event), Others(tuple(ages)))


def public_of_one(
    event: Event,
    near: Event,
    number: int,
    rate: Rate,
    starts: Rate,
    openings: Openings,
    *,
    age_classes: bool = False,
) -> Rated:
    """Rate one pairing number, from the part of the event that can move its numbers.

    Everybody's start is looked at (`starts`), so the same people are tried younger and older as for the whole event.
    """
    everybody = dict.fromkeys(people_of(event).values())
    if age_classes:
        return _of_one(number, rate(near), map(rate, _in_each_class(near, openings, everybody)))
    both = [_aged(event, openings, dict.fromkeys(everybody, years)) for years in (YOUNGER, OLDER)]
    known = any(one is not event for one in both)  # where no one's age is, none can matter
    matters = sorted(_whose_age_matters(event, *map(starts, both))) if known else []
    tried = [*(dict.fromkeys(everybody, years) for years in (YOUNGER, OLDER)), *_mixtures(matters)]
    others = (_aged(near, openings, years) for years in tried)
    ages = (rate(one) for one in others if one is not near)  # the same people at the same ages: the same answers
    return _of_one(number, rate(near), ages)


def _of_one(number: int, real: Rated, ages: Iterable[Rated]) -> Rated:
    own = tuple(answer for answer in real.answers if answer.number == number)
    return compared(replace(real, answers=own), Others(tuple(ages)))


def person_of(section: Section, player: Player) -> tuple[str, ...]:
    return (player.id,) if player.id else (str(section.number), str(player.number))


def people_of(event: Event) -> dict[tuple[int, int], tuple[str, ...]]:
    """By section and pairing number."""
    return {(part.number, one.number): person_of(part, one) for part in event.sections for one in part.players}


def _whose_age_matters(event: Event, younger: Rated, older: Rated) -> set[tuple[str, ...]]:
    """Return the players who would start elsewhere at another age:
    a derivation's first step is where the player starts.
    """
    people = people_of(event)
    starts = {answer_key(answer): answer.derivation[:1] for answer in older.answers}
    return {
        people[one.section, one.number] for one in younger.answers if starts.get(answer_key(one)) != one.derivation[:1]
    }


def _mixtures(
    people: Sequence[tuple[str, ...]], ages: tuple[int, int] = (YOUNGER, OLDER)
) -> Iterator[dict[tuple[str, ...], int]]:
    """Yield mixtures: some younger, the others older."""
    groups = min(len(people), GROUPS)
    for years in product(ages, repeat=groups):
        if len(set(years)) > 1:
            yield {person: years[place % groups] for place, person in enumerate(people)}


def _in_each_class(event: Event, openings: Openings, everybody: Collection[tuple[str, ...]]) -> Iterator[Event]:
    """Yield the event with children only and with adults only; also mixed, where one section follows another:
    there a player meets opponents whose ratings their classes have moved.
    """
    tried = [dict.fromkeys(everybody, years) for years in (CHILD, ADULT)]
    if len(event.sections) > 1:
        tried += _mixtures(sorted(set(everybody)), (CHILD, ADULT))
    for ages in tried:
        yield _aged(event, openings, ages, exactly=True)


def with_players(event: Event, change: Callable[[Section, Player], Player]) -> Event:
    """Return the event with these players; the event itself, if none changes."""
    players = [tuple(change(section, player) for player in section.players) for section in event.sections]
    if all(
        one is other
        for section, own in zip(event.sections, players, strict=True)
        for one, other in zip(section.players, own, strict=True)
    ):
        return event
    sections = (replace(section, players=own) for section, own in zip(event.sections, players, strict=True))
    return replace(event, sections=tuple(sections))


def _aged(event: Event, openings: Openings, years: Mapping[tuple[str, ...], int], *, exactly: bool = False) -> Event:
    """Return the event as if these people were so many years from their last birthdays, never born after the event.

    `exactly`: as if they were so many years old, whether or not their ages are known.
    """
    ends = [section.end for section in event.sections if section.end is not None]

    def aged(section: Section, player: Player) -> Player:
        change = years.get(person_of(section, player))
        if change is None:
            return player
        born, points = player.birth_date, 0.0
        if exactly:
            born = _born(change, ends)
        elif born is not None:
            born = _born(math.floor((max(ends) - born).days / DAYS_PER_YEAR) + change, ends)
        if born is not None and player.birth_date is not None:
            points = openings.per_year * (player.birth_date - born).days / DAYS_PER_YEAR
        own = openings.by_age.get(player.number, ())
        if born == player.birth_date and not own and not any(record.pending for record in player.ratings.values()):
            return player  # the age is not known, and nothing that it brings is an age's
        ratings = {
            pool: _moved(record, points if pool in own else 0.0, openings.per_year * change)
            for pool, record in player.ratings.items()
        }
        return replace(player, birth_date=born, ratings=ratings)

    return with_players(event, aged) if ends else event


def _born(age: int, ends: Sequence[date]) -> date:
    """Return the last birth date of someone who is this old on the last day."""
    return min(max(ends) - timedelta(days=math.ceil(age * DAYS_PER_YEAR)), *ends)


def _moved(record: Rating, points: float, saved: float) -> Rating:
    """1996 §4.2: in games saved for the next event the opponent's rating may be a newcomer's age, too."""
    pending = tuple((rating + saved, score) for rating, score in record.pending)
    return replace(record, rating=record.rating + points, pending=pending)


def compared(real: Rated, others: Others, *, official: bool = True) -> Rated:
    """Return what may be shown of `real`, given how the event comes out otherwise.

    `official`: the published ratings are public by nature. Those of a preview are not: nothing was published. A finding
    that says something else at another age is not public.
    """
    found = others.each(lambda rated: {answer_key(answer): answer for answer in rated.answers})
    answers = (_answer(one, found.each(itemgetter(answer_key(one))), official=official) for one in real.answers)
    findings = tuple(one for one in real.findings if all(one in rated.findings for rated in others.ages))
    source = None if real.source is None else with_players(real.source, _without_age)
    return replace(real, answers=tuple(answers), findings=findings, source=source)


#: What a number is compared with when none may be shown
FAR = 1000.0
#: Results are no numbers of a calculation: the crosstable has them
RESULTS = ("score",)


def without_numbers(real: Rated) -> Rated:
    """Return who played, how and which steps there were, without any rating or number of a calculation."""

    def moved(one: Answer, away: float) -> Answer:
        return replace(cast(Answer, _elsewhere(one, away)), published=None)

    others = tuple(replace(real, answers=tuple(moved(one, away) for one in real.answers)) for away in (-FAR, FAR))
    found = compared(real, Others(others), official=False)
    return replace(found, answers=tuple(replace(one, derivation=_without_outcomes(one)) for one in found.answers))


def _without_outcomes(answer: Answer) -> tuple[Step, ...]:
    """Hide the steps that say how a calculation came out: that a bonus was earned, say, or that a floor held."""
    always = (one for one in answer.derivation if not isinstance(one, MatchLimits | Ceiling))
    return tuple(HiddenStep(step=one.kind) if _says_an_outcome(one) else one for one in always)


def _says_an_outcome(step: Step) -> bool:
    if isinstance(step, FormulaChoice):  # results and numbers of games decide
        return False
    return any(isinstance(getattr(step, one.name), bool | Enum) for one in fields(step))


def _elsewhere(record: Any, away: float) -> Any:
    """Return a record with every float moved far away, except results."""
    if isinstance(record, float):
        return record + away
    if isinstance(record, tuple):
        return tuple(_elsewhere(one, away) for one in record)
    if isinstance(record, dict):
        return {name: one if name in RESULTS else _elsewhere(one, away) for name, one in record.items()}
    if is_dataclass(record) and not isinstance(record, type):
        values = {one.name: getattr(record, one.name) for one in fields(record)}
        return replace(record, **_elsewhere(values, away))
    return record


def _without_age(section: Section, player: Player) -> Player:  # noqa: ARG001 — as `with_players` calls it
    """Who it is, and what a crosstable shows of the player."""
    kept = {name: player.notes[name] for name in ("byes", "published") if name in player.notes}
    return Player(player.number, player.id, player.name, notes=kept)


def answer_key(answer: Answer) -> tuple[int, str, int]:
    return answer.section, answer.pool, answer.number


def _answer(answer: Answer, others: Others, *, official: bool) -> Answer:
    if official:
        own = answer.by_age and any(one.post != answer.post for one in others.ages)
    else:
        own = any(one.published != answer.published for one in others.ages)
    by_age = bool(answer.derivation) and isinstance(answer.derivation[0], AgeStart)
    rows = others.each(attrgetter("values"))
    values = {name: visible_value(value, rows.each(itemgetter(name))) for name, value in answer.values.items()}
    if by_age and "prior" in values:
        values["prior"] = None  # for children and adults alike (readings 46)
    published = None if own else answer.published
    post = visible_value(answer.post, others.each(attrgetter("post")))
    return replace(
        answer,
        prior=None if by_age else visible_value(answer.prior, others.each(attrgetter("prior"))),
        post=math.nan if post is None else post,
        published=published,
        state=_state(answer.state, others.each(attrgetter("state"))),
        values={**values, "published": published} if "published" in values else values,
        derivation=tuple(_steps(answer, others, published)),
        by_age=False,
    )


def visible_value(value: Any, others: Others) -> Any:
    """Return the value in full where all others are equal, else rounded where they are equal then, else None.

    A rating rises with every start, so it is lowest and highest at the ages tried. An expectancy need not be, nor what
    hangs on it: such numbers get half as much room again on each side.
    """
    value, others = _settled(value), others.each(_settled)
    if all(other == value for other in others.ages):
        return value
    if not isinstance(value, float) or not all(isinstance(one, float) for one in others.ages):
        return None
    low, high = min(value, *others.ages), max(value, *others.ages)
    size = min(abs(low), abs(high))
    room = 0.0 if size >= POINTS else (high - low) / 2
    for parts in _fractions(size):
        if round_half_up(low - room, parts) == round_half_up(high + room, parts):
            return Rounded(value, parts)
    return None


def _settled(value: Any) -> Any:
    """Without the last bits of a float: sums in another order end in others, and so might tell an age."""
    return round(value, DECIMALS) if isinstance(value, float) else value


def _fractions(size: float) -> tuple[int, ...]:
    """Return how finely to round: a rating to whole points; a gain, a score or a K to tenths or else to whole points;
    an expectancy to tenths.
    """
    if size >= POINTS:
        return (1,)
    return (10, 1) if size >= 1 else (10,)


def _state(state: Rating, others: Others) -> Rating:
    """Each field for itself. What is not shown is as if unknown, and the rating NaN."""
    changes: dict[str, Any] = {}
    for one in fields(state):
        value = visible_value(getattr(state, one.name), others.each(attrgetter(one.name)))
        unknown = math.nan if one.name == "rating" else one.default
        changes[one.name] = unknown if value is None else value
    return replace(state, **changes)


def _steps(answer: Answer, others: Others, published: float | None) -> Iterator[Step]:
    """Every step that there is at any age; one that there is not at every age is hidden."""
    own, found = _by_kind(answer), others.each(_by_kind)
    for key, step in max((own, *found.ages), key=len).items():
        if all(key in steps for steps in (own, *found.ages)):
            yield _without_start(public_step(own[key], found.each(itemgetter(key)), published), answer)
        else:
            yield HiddenStep(step=step.kind)


#: The facts of a step that repeat where the player started
STARTS = ("prior", "start", "rating", "before")


def _without_start(step: Step, answer: Answer) -> Step:
    """Hide a start by age wherever a step repeats it; for children and adults alike (readings 46)."""
    if not isinstance(answer.derivation[0], AgeStart):
        return step
    own = answer.derivation[0].rating
    names = [one.name for one in fields(step) if one.name in STARTS and getattr(step, one.name) == own]
    hidden: dict[str, Any] = dict.fromkeys(names, HIDDEN)
    return replace(step, **hidden) if names else step


def _by_kind(answer: Answer) -> dict[tuple[str, int], Step]:
    """Return the steps by kind and by their place among those of the same kind."""
    kinds = [step.kind for step in answer.derivation]
    return {(step.kind, kinds[:place].count(step.kind)): step for place, step in enumerate(answer.derivation)}


def public_step(step: Step, others: Others, published: float | None = None) -> Step:
    """Return a step with each number as it may be shown; a step that says something else at another age is hidden.

    `published`: the published rating, which is public by nature; None where it still is what an age made it.
    """
    if isinstance(step, AgeStart):  # for children and adults alike, so that its absence says nothing (readings 46)
        return HiddenStart(pool=step.pool, games=step.games, cite=step.cite)
    if isinstance(step, Published):
        rating = HIDDEN if published is None else step.published
        step, others = (replace(step, published=rating), others.each(lambda one: replace(one, published=rating)))
    try:
        found = cast(Step, _public_record(step, others))
    except _Differs:
        return HiddenStep(step=step.kind)
    return _with_published(found, published) if isinstance(found, NewRating) else found


def _with_published(step: NewRating, published: float | None) -> NewRating:
    """Say the rating that is published, and so what it changed, where the new rating itself is not shown."""
    if published is None or not isinstance(step.result, Hidden) or not exact(step.before):
        return step
    return replace(step, change=Rounded(published - cast(float, step.before)), result=Rounded(published))


class _Differs(Exception):
    """A fact that is not a number depends on an age."""


def _public_record(record: Any, others: Others) -> Any:
    """Each field for itself."""
    if any(type(one) is not type(record) for one in others.ages):
        raise _Differs
    names = [one.name for one in fields(record)]
    return replace(
        record, **{name: _public_value(getattr(record, name), others.each(attrgetter(name))) for name in names}
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _public_value(value: Any, others: Others) -> Any:
    numbers = (value, *others.ages)
    if any(isinstance(one, float) for one in numbers) and all(_is_number(one) for one in numbers):
        found = visible_value(float(value), others.each(float))
        return HIDDEN if found is None else found
    if isinstance(value, tuple) and all(isinstance(one, tuple) and len(one) == len(value) for one in others.ages):
        return tuple(_public_value(one, others.each(itemgetter(place))) for place, one in enumerate(value))
    if is_dataclass(value):
        return _public_record(value, others)
    if any(one != value for one in others.ages):
        raise _Differs
    return value
