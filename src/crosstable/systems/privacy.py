"""The public form of a rated event: every number that an age could have moved is rounded or not shown (readings 36).

The event is rated again as if those whose age matters were younger and older, and mixed. What comes out equal every time is
shown in full, what is equal after rounding is shown rounded, and the rest is not shown. The published rating is public by
nature, unless it still is what the age made it.

Ages are compared by whole years of life. Who is 10 is rated as if exactly 9 and exactly 12: at least a year less and a year
more than the true age. So what is shown is the same from the tenth birthday to the eleventh. (It cannot be the same for every
two ages a year apart: then it would be the same for all ages, and show nothing that a newcomer's age touches.)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from itertools import product
from operator import attrgetter, itemgetter
from typing import Any

from crosstable.model import Answer, Event, Finding, Player, Rated, Rating, Section, Step

Rate = Callable[[Event], Rated]

DAYS_PER_YEAR = 365.25
YOUNGER, OLDER = -1, 2  # years, from the last birthday
#: So many players are tried in every combination of younger and older; more of them in so many groups
GROUPS = 4
#: From here on a number is a rating: the lowest is 100
POINTS = 100.0
#: So many of a public number's decimals count
DECIMALS = 9

PUBLISHED = "Published"  # the title of the step that states the published rating
NOT_SHOWN = "not shown"
MASK = "Not shown: it would give a player's age away."
ROUNDED = "(Numbers that would give a player's age away are rounded or left out.)"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
#: A number of a public sentence
SHOWN = rf"(?:≈?\d+(?:\.\d+)?|{NOT_SHOWN})"
SUM = re.compile(rf"({SHOWN}(?: [+−×÷] {SHOWN}(?: bonus)?)+(?:, with (?:bonus|the floor of \d+))?) ([=≈]) ({SHOWN})")
#: What is stored may be moved by an age after the decimal point, where the published number is not
STORED = re.compile(rf"^Stored as (?:≈\d+|{NOT_SHOWN}), published")


@dataclass(frozen=True, slots=True)
class Openings:
    """What is not public of the ratings that players bring, by pairing number: only an office knows."""

    #: The pools in which the rating still is what an age made it, and what a year of life is worth there
    by_age: Mapping[int, Collection[str]] = field(default_factory=dict)
    per_year: float = 0.0


ALL_PUBLIC = Openings()


class Rounded(float):
    """A number that is shown in tenths (`parts` 10) or whole points (1). Its readers say "≈" or "about", never "="."""

    parts: int

    def __new__(cls, value: float, parts: int = 1) -> Rounded:
        found = super().__new__(cls, rounded(value, parts))
        found.parts = parts
        return found

    def written(self) -> str:
        """Without its sign and the "≈": 2.9, 98."""
        return f"{abs(self):.{1 if self.parts > 1 else 0}f}"


@dataclass(frozen=True, slots=True)
class Others:
    """What something would be at other ages."""

    ages: tuple[Any, ...]

    def each(self, part: Callable[[Any], Any]) -> Others:
        return Others(tuple(map(part, self.ages)))


def public(event: Event, rate: Rate, openings: Openings = ALL_PUBLIC) -> Rated:
    """The event as `rate` rates it, in the form that anybody may see. Who rates their own file sees everything instead."""
    everybody = people_of(event).values()
    ages = [rate(_aged(event, openings, dict.fromkeys(everybody, years))) for years in (YOUNGER, OLDER)]
    matters = sorted(_whose_age_matters(event, *ages))
    ages += [rate(_aged(event, openings, years)) for years in _mixtures(matters)]
    return compared(rate(event), Others(tuple(ages)))


def public_of_one(event: Event, near: Event, number: int, rate: Rate, starts: Rate, openings: Openings) -> Rated:
    """The same answers of one pairing number, from the part of the event that can move its numbers.

    Everybody's start is looked at (`starts`), so the same people are tried younger and older as for the whole event.
    """
    everybody = dict.fromkeys(people_of(event).values())
    both = [_aged(event, openings, dict.fromkeys(everybody, years)) for years in (YOUNGER, OLDER)]
    known = any(one is not event for one in both)  # where nobody's age is, none can matter
    matters = sorted(_whose_age_matters(event, *map(starts, both))) if known else []
    tried = [*(dict.fromkeys(everybody, years) for years in (YOUNGER, OLDER)), *_mixtures(matters)]
    others = (_aged(near, openings, years) for years in tried)
    real = rate(near)
    ages = tuple(rate(one) for one in others if one is not near)  # the same people at the same ages: the same answers
    own = tuple(answer for answer in real.answers if answer.number == number)
    return compared(replace(real, answers=own), Others(ages))


def person_of(section: Section, player: Player) -> tuple[str, ...]:
    return (player.id,) if player.id else (str(section.number), str(player.number))


def people_of(event: Event) -> dict[tuple[int, int], tuple[str, ...]]:
    """By section and pairing number."""
    return {(part.number, one.number): person_of(part, one) for part in event.sections for one in part.players}


def _whose_age_matters(event: Event, younger: Rated, older: Rated) -> set[tuple[str, ...]]:
    """A derivation's first step is where the player starts: whoever starts elsewhere at another age."""
    people = people_of(event)
    starts = {answer_key(answer): answer.trace[:1] for answer in older.answers}
    return {people[one.section, one.number] for one in younger.answers if starts.get(answer_key(one)) != one.trace[:1]}


def _mixtures(people: Sequence[tuple[str, ...]]) -> Iterator[dict[tuple[str, ...], int]]:
    """Some younger, the others older."""
    groups = min(len(people), GROUPS)
    for years in product((YOUNGER, OLDER), repeat=groups):
        if len(set(years)) > 1:
            yield {person: years[place % groups] for place, person in enumerate(people)}


def with_players(event: Event, change: Callable[[Section, Player], Player]) -> Event:
    """The event itself, if nobody changes."""
    players = [tuple(change(section, player) for player in section.players) for section in event.sections]
    if all(
        one is other
        for section, own in zip(event.sections, players, strict=True)
        for one, other in zip(section.players, own, strict=True)
    ):
        return event
    sections = (replace(section, players=own) for section, own in zip(event.sections, players, strict=True))
    return replace(event, sections=tuple(sections))


def _aged(event: Event, openings: Openings, years: Mapping[tuple[str, ...], int]) -> Event:
    """The event as if these people were so many years from their last birthdays. Nobody is born after the event."""
    ends = [section.end for section in event.sections if section.end is not None]

    def aged(section: Section, player: Player) -> Player:
        change = years.get(person_of(section, player))
        if change is None:
            return player
        born, points = player.birth_date, 0.0
        if player.birth_date is not None:
            age = math.floor((max(ends) - player.birth_date).days / DAYS_PER_YEAR) + change
            born = min(max(ends) - timedelta(days=math.ceil(age * DAYS_PER_YEAR)), *ends)
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


def _moved(record: Rating, points: float, saved: float) -> Rating:
    """1996 §4.2: in games saved for the next event the opponent's rating may be a newcomer's age, too."""
    pending = tuple((rating + saved, score) for rating, score in record.pending)
    return replace(record, rating=record.rating + points, pending=pending)


def compared(real: Rated, others: Others, *, official: bool = True) -> Rated:
    """Return what may be shown of `real`, given how the event comes out otherwise.

    `official`: the published ratings are public by nature. Those of a preview are not: nothing was published.
    """
    found = others.each(lambda rated: {answer_key(answer): answer for answer in rated.answers})
    noticed = others.each(lambda rated: {(one.code, one.where): one for one in rated.findings})
    answers = (_answer(one, found.each(itemgetter(answer_key(one))), official=official) for one in real.answers)
    findings = (
        _finding(one, noticed.each(itemgetter((one.code, one.where))))
        for one in real.findings
        if all((one.code, one.where) in rated for rated in noticed.ages)
    )
    source = None if real.source is None else with_players(real.source, _without_age)
    return replace(real, answers=tuple(answers), findings=tuple(findings), source=source)


def _without_age(section: Section, player: Player) -> Player:  # noqa: ARG001 — as `with_players` calls it
    """Who it is, and what a crosstable shows of the player."""
    shown = {name: player.notes[name] for name in ("byes", "published") if name in player.notes}
    return Player(player.number, player.id, player.name, notes=shown)


def answer_key(answer: Answer) -> tuple[int, str, int]:
    return answer.section, answer.pool, answer.number


def _answer(answer: Answer, others: Others, *, official: bool) -> Answer:
    if official:
        own = answer.by_age and any(one.post != answer.post for one in others.ages)
    else:
        own = any(one.published != answer.published for one in others.ages)
    rows = others.each(attrgetter("values"))
    values = {name: shown(value, rows.each(itemgetter(name))) for name, value in answer.values.items()}
    published = None if own else answer.published
    post = shown(answer.post, others.each(attrgetter("post")))
    return replace(
        answer,
        prior=shown(answer.prior, others.each(attrgetter("prior"))),
        post=math.nan if post is None else post,
        published=published,
        state=_state(answer.state, others.each(attrgetter("state"))),
        values={**values, "published": published} if "published" in values else values,
        trace=tuple(_steps(answer, others, published)),
        by_age=False,
    )


def shown(value: Any, others: Others) -> Any:
    """The value in full where all others are equal, else rounded where they are equal then, else None.

    A rating rises with every start, so it is lowest and highest at the ages tried. An expectancy need not be, nor what hangs on
    it: such numbers get half as much room again on each side.
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
        if rounded(low - room, parts) == rounded(high + room, parts):
            return Rounded(value, parts)
    return None


def _settled(value: Any) -> Any:
    """Without the last bits of a float: sums in another order end in others, and so might tell an age."""
    return round(value, DECIMALS) if isinstance(value, float) else value


def _fractions(size: float) -> tuple[int, ...]:
    """A rating is rounded to whole points; a gain, a score or a K to tenths or else to whole points; an expectancy to tenths."""
    if size >= POINTS:
        return (1,)
    return (10, 1) if size >= 1 else (10,)


def rounded(value: float, parts: int = 1) -> float:
    """Half up, as ratings are published."""
    return math.floor(value * parts + 0.5) / parts


def _state(state: Rating, others: Others) -> Rating:
    """Each field for itself. What is not shown is as if unknown, and the rating NaN."""
    changes: dict[str, Any] = {}
    for one in fields(state):
        value = shown(getattr(state, one.name), others.each(attrgetter(one.name)))
        unknown = math.nan if one.name == "rating" else one.default
        changes[one.name] = unknown if value is None else value
    return replace(state, **changes)


def _steps(answer: Answer, others: Others, published: float | None) -> Iterator[Step]:
    """Every step that there is at any age."""
    own, traces = _titled(answer), others.each(_titled)
    for key, step in max((own, *traces.ages), key=len).items():
        if all(key in trace for trace in (own, *traces.ages)):
            yield _step(own[key], traces.each(itemgetter(key)), published if step.title == PUBLISHED else None)
        else:
            yield replace(step, text=MASK, value=None)


def _titled(answer: Answer) -> dict[tuple[str, int], Step]:
    """The steps by title; a title that comes again has another number."""
    titles = [step.title for step in answer.trace]
    return {(step.title, titles[:place].count(step.title)): step for place, step in enumerate(answer.trace)}


def _step(step: Step, others: Others, published: float | None) -> Step:
    text = text_shown(step.text, others.each(attrgetter("text")), published)
    if text not in (step.text, MASK):
        text = f"{text} {ROUNDED}"
    value = step.value if published is not None else shown(step.value, others.each(attrgetter("value")))
    return replace(step, text=text, value=value)


def text_shown(text: str, others: Others, published: float | None = None) -> str:
    """The sentence with each number as it may be shown. Words that depend on an age hide the whole of it.

    `published`: a number that is shown in any case.
    """
    words, numbers = NUMBER.split(text), others.each(NUMBER.findall)
    if any(NUMBER.split(other) != words for other in others.ages):
        return MASK
    found = NUMBER.findall(text)
    allowed = [_number(one, numbers.each(itemgetter(place)), published) for place, one in enumerate(found)]
    if allowed == found:
        return text
    return _honest("".join(word + number for word, number in zip(words, [*allowed, ""], strict=True)))


def _number(number: str, others: Others, published: float | None) -> str:
    if all(other == number for other in others.ages) or (published is not None and number == f"{published:g}"):
        return number
    value = shown(float(number), others.each(float))
    return NOT_SHOWN if value is None else f"≈{value.written()}"


def _honest(text: str) -> str:
    """Nothing is said to equal a rounded number, and no sum is printed that lacks a number."""
    text = text.replace("= ≈", "≈ ")
    text = SUM.sub(_sum, text).replace(f" = {NOT_SHOWN}", f" {NOT_SHOWN}")
    return STORED.sub("Published", text)


def _sum(match: re.Match[str]) -> str:
    left, equals, result = match.groups()
    if result == NOT_SHOWN:
        return f"the sum is {NOT_SHOWN}"
    if NOT_SHOWN in left:
        return f"the sum is {NOT_SHOWN}; it comes to {'about ' if equals == '≈' else ''}{result}"
    return f"{left} {'≈' if '≈' in left else equals} {result}"


def _finding(finding: Finding, others: Others) -> Finding:
    message, advice = (
        text_shown(getattr(finding, name), others.each(attrgetter(name))) for name in ("message", "advice")
    )
    return replace(finding, message=message, advice=advice)
