"""The groups that have a top list. Membership is worked out from private facts; only the places are published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.office.lists.official import Standing
from crosstable.office.lists.options import Options

OVERALL, WOMEN, IMPROVED = "overall", "women", "most improved"

#: Lower bound → class, of ratings on the US Chess scale
CLASSES: Sequence[tuple[float, str]] = (
    (2400, "Senior Master"),
    (2200, "Master"),
    (2000, "Expert"),
    *((1800 - 200 * step, f"Class {letter}") for step, letter in enumerate("ABCDEFGHI")),
    (0, "Class J"),
)
#: How the name of a state's group begins
STATE = "state "
#: The groups that do not depend on ages, besides the states
PUBLIC = frozenset({OVERALL, WOMEN, IMPROVED, *(name for _least, name in CLASSES)})
#: Systems that do not use that scale
WITHOUT_CLASSES = frozenset({"AGA", "CLUB"})

#: Wide bands, reckoned on the first of January for the whole year: anyone who watches the lists sees neither an age nor
#: a birthday. (The narrowest thing to be seen is that someone has left a band with the new year.)
YOUNGER_THAN = (10, 13, 16, 21)
OLDER_THAN = (50, 65)


@dataclass(frozen=True, slots=True)
class Place:
    place: int
    standing: Standing
    change: float | None


def class_name(pool: str, rating: float | None) -> str:
    if rating is None or pool in WITHOUT_CLASSES:
        return ""
    return next(name for least, name in CLASSES if rating >= least)


def group_of_state(state: str) -> str:
    """Return the name under which the top list of a state is stored."""
    return f"{STATE}{state}"


def state_of(group: str) -> str:
    """Return the state of a group; nothing of another group."""
    return group.removeprefix(STATE) if group.startswith(STATE) else ""


def is_public(group: str) -> bool:
    """Return whether anyone may see who is in a group. A place in an age band reveals an age; so might a group of which
    this version knows nothing.
    """
    return group in PUBLIC or bool(state_of(group))


def age_bands(born: date | None, day: date) -> Iterator[str]:
    if born is None:
        return
    years = day.year - born.year - ((born.month, born.day) > (1, 1))
    yield from (f"under {limit}" for limit in YOUNGER_THAN if 0 <= years < limit)
    yield from (f"{limit} and over" for limit in OLDER_THAN if years >= limit)


def groups_of(standing: Standing, day: date) -> Iterator[str]:
    yield OVERALL
    if standing.sex == "F":
        yield WOMEN
    if standing.state:
        yield group_of_state(standing.state)
    if name := class_name(standing.pool, standing.rating):
        yield name
    yield from age_bands(standing.born, day)


def top_lists(
    standings: Iterable[Standing],
    day: date,
    options: Options,
    changes: Mapping[tuple[str, str], float],
    gains: Mapping[tuple[str, str], float],
) -> tuple[dict[tuple[str, str], list[Place]], list[tuple[str, str]]]:
    """(pool, group) → its places, and the groups that are too small. Active players with an established rating only."""
    members: dict[tuple[str, str], list[Standing]] = {}
    for one in standings:
        if one.rating is None or not one.active(day, options) or not one.established(options):
            continue
        if options.prison_off_top_lists and one.imprisoned:
            continue
        for group in groups_of(one, day):
            members.setdefault((one.pool, group), []).append(one)
        if gains.get((one.pool, one.number), 0) > 0:
            members.setdefault((one.pool, IMPROVED), []).append(one)
    published: dict[tuple[str, str], list[Place]] = {}
    withheld: list[tuple[str, str]] = []
    for key, people in sorted(members.items()):
        if len(people) < options.smallest_group:
            withheld.append(key)
        else:
            published[key] = _places(people, gains if key[1] == IMPROVED else None, changes, options.top)
    return published, withheld


def _places(
    group: list[Standing],
    gains: Mapping[tuple[str, str], float] | None,
    changes: Mapping[tuple[str, str], float],
    top: int,
) -> list[Place]:
    """Equal numbers share a place, as in a crosstable; the list ends with the place that is `top`."""

    def worth(one: Standing) -> float:
        return (one.rating or 0.0) if gains is None else gains[one.pool, one.number]

    ordered = sorted(group, key=lambda one: (-worth(one), one.number))  # not by name: some are withheld
    places: list[Place] = []
    for index, one in enumerate(ordered):
        shares = index > 0 and worth(ordered[index - 1]) == worth(one)
        place = places[-1].place if shares else index + 1
        if place > top:
            break
        change = changes.get((one.pool, one.number)) if gains is None else gains[one.pool, one.number]
        places.append(Place(place, one, change))
    return places
