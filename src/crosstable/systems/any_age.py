"""Rate an event as if the players whose ages the reader may not know could be of any age (readings 36).

A preview or a what-if can be asked for again and again with chosen results. What it shows must therefore not depend on
a stored birth date at all, not even by the year, and not by what is left out. So no stored age goes in: the event is
rated at ages that stand for every age, all together and mixed. A number that is the same every time is shown in full,
one that is the same after rounding is shown rounded, and the rest is not shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product

from crosstable.model import Event, Player, Rated, Section
from crosstable.systems.privacy import (
    DAYS_PER_YEAR,
    GROUPS,
    Others,
    Rate,
    answer_key,
    compared,
    people_of,
    person_of,
    with_players,
)

#: From the youngest age that the rules believe to one that is an adult's in all of them. None: no birth date on record
YOUNGEST, OLDEST = 3, 40
ENDS, BETWEEN = (YOUNGEST, OLDEST, None), (8, 13, 19)

Person = tuple[str, ...]
#: Give a player a birth date, and the ratings that go with it where they still are an age's. Return others unchanged
Aged = Callable[[Player, date | None], Player]


@dataclass(frozen=True, slots=True)
class AtAnyAge:
    rated: Rated
    matters: frozenset[Person]  # the players whose own start depends on their age


def at_any_age(event: Event, rate: Rate, aged: Aged) -> AtAnyAge:
    """Return what `rate` gives at any age of the players whom `aged` changes."""
    everyone = set(people_of(event).values())

    def together(age: int | None) -> Event:
        return _with_ages(event, aged, dict.fromkeys(everyone, age))

    if together(YOUNGEST) is event:
        return AtAnyAge(rate(event), frozenset())  # every age in it is the reader's own
    runs = [rate(together(age)) for age in ENDS]
    if all(one.answers == runs[0].answers for one in runs):
        return AtAnyAge(runs[0], frozenset())
    runs += [rate(together(age)) for age in BETWEEN]
    matters = _whose_start_differs(event, runs)
    runs += [rate(_with_ages(event, aged, ages)) for ages in _mixtures(everyone, matters)]
    return AtAnyAge(compared(runs[0], Others(tuple(runs[1:])), official=False), matters)


def _with_ages(event: Event, aged: Aged, ages: Mapping[Person, int | None]) -> Event:
    end = max(section.end for section in event.sections if section.end is not None)

    def change(section: Section, player: Player) -> Player:
        return aged(player, born_for(ages[person_of(section, player)], end))

    return with_players(event, change)


def born_for(age: int | None, day: date) -> date | None:
    """Return the last birth date of someone who is this old on a day."""
    return None if age is None else day - timedelta(days=math.ceil(age * DAYS_PER_YEAR))


def _whose_start_differs(event: Event, runs: list[Rated]) -> frozenset[Person]:
    """Return the players whose start differs: the first step of a derivation is where the player starts."""
    people = people_of(event)
    first, *others = ({answer_key(one): one.derivation[:1] for one in rated.answers} for rated in runs)
    found = {key for other in others for key, start in other.items() if first.get(key) != start}
    return frozenset(people[section, number] for section, _, number in found)


def _mixtures(everyone: set[Person], matters: frozenset[Person]) -> list[dict[Person, int | None]]:
    """Return some of the youngest age, the others of the oldest: in every combination,
    where there are many in groups.
    """
    ordered = sorted(matters)
    groups = min(len(ordered), GROUPS)
    found: list[dict[Person, int | None]] = []
    for ages in product((YOUNGEST, OLDEST), repeat=groups):
        if len(set(ages)) > 1:
            mixed = {person: ages[place % groups] for place, person in enumerate(ordered)}
            found.append({**dict.fromkeys(everyone, OLDEST), **mixed})
    return found
