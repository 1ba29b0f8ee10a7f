"""A whole calendar of sections, played by people with true strengths. Compiled, about half a million games a second.

`Members` and `HeldSections` say who there is and what is held; `PlayedSections` and `Room` are filled. All of
them hold arrays.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence
from typing import Any, NamedTuple

from crosstable.simulation.pairing import NO_OPPONENT, QUAD, has_white, next_round, rank
from crosstable.simulation.people import ADULT, STRONGEST, WANDER, WEAKEST, WEEKS_A_YEAR, change_in_a_year
from crosstable.simulation.results import half_points
from crosstable.simulation.rng import NormalRng
from crosstable.simulation.turnout import choose
from crosstable.systems.formula import formula

#: How much weaker a sandbagger plays but for the prize
SANDBAG = 350.0
#: How far seeding (by some rating) lies from the truth
SEEDING = 100.0
#: Who plays a match is at most so many points apart
MATCHED = 150.0
SWISS, ROUND_ROBIN, MATCH = 0, 1, 2
FEWEST = 4  # in a tournament


class Members(NamedTuple):
    """All players; `years` is the age in the first week, `strength` has a row for each week."""

    first_week: Any
    last_week: Any
    years: Any
    activity: Any
    sandbagger: Any
    isolated: Any
    strength: Any


class HeldSections(NamedTuple):
    """What is held, in the order of the ends."""

    week: Any
    entrants: Any
    rounds: Any
    form: Any
    lowest: Any  # strength, as it is known
    highest: Any
    children: Any
    isolated: Any
    prize: Any  # sandbaggers play as well as they can


class PlayedSections(NamedTuple):
    """A section's entries are a range of `member`, its games a range of the others; White and Black are places among
    the entries.
    """

    first_entry: Any  # one more than sections
    first_game: Any
    member: Any
    round: Any
    white: Any
    black: Any
    half_points: Any
    strengths: Any  # how well both played, White first


class Room(NamedTuple):
    """For one section at a time."""

    able: Any  # as long as there are members
    weights: Any
    field: Any  # as long as the largest field
    keys: Any
    order: Any
    level: Any  # how well everybody plays here
    points: Any
    seeds: Any
    whites: Any
    opponents: Any  # a row for each entrant, a column for each round


@formula
def live(
    rng: NormalRng,
    first_week: Sequence[int],
    years: Sequence[float],
    strength: Sequence[MutableSequence[float]],
) -> None:
    """Everybody's strength, week by week. Its first row says how well they play when they come, at so many years of
    age.
    """
    wander = WANDER / math.sqrt(WEEKS_A_YEAR)
    for week in range(1, len(strength)):
        for one in range(len(years)):
            now = strength[week - 1][one]
            here = week - first_week[one]
            if here > 0:
                step = change_in_a_year(years[one] + here / WEEKS_A_YEAR) / WEEKS_A_YEAR
                now = min(max(now + step + wander * rng.standard_normal(), WEAKEST), STRONGEST)
            strength[week][one] = now


@formula
def play_season(
    rng: NormalRng, members: Members, sections: HeldSections, edge: float, played: PlayedSections, room: Room
) -> None:
    """Hold every section. `edge` is what the first move is worth; sections that too few enter stay empty."""
    for section in range(len(sections.week)):
        first = played.first_entry[section]
        count = _enter(rng, members, sections, section, room)
        if count < (2 if sections.form[section] == MATCH else FEWEST):
            count = 0
        for place in range(count):
            played.member[first + place] = room.able[room.field[place]]
        played.first_entry[section + 1] = first + count
        _seat(rng, members, sections, section, played, room)
        game = played.first_game[section]
        if sections.form[section] == ROUND_ROBIN:
            game = _quad(rng, edge, count, game, played, room)
        else:
            game = _swiss(rng, edge, count, game, sections.rounds[section], played, room)
        played.first_game[section + 1] = game


@formula
def _enter(rng: NormalRng, members: Members, sections: HeldSections, section: int, room: Room) -> int:
    """Who comes: the active more often, children to scholastics, the isolated only among themselves."""
    week = sections.week[section]
    able = 0
    for one in range(len(members.years)):
        if not members.first_week[one] <= week < members.last_week[one]:
            continue
        if members.isolated[one] != sections.isolated[section]:
            continue
        years = members.years[one] + (week - members.first_week[one]) / WEEKS_A_YEAR
        known = _known(members, week, one)
        fits = sections.lowest[section] <= known < sections.highest[section]
        if fits and (years < ADULT or not sections.children[section]):
            room.able[able], room.weights[able] = one, members.activity[one]
            able += 1
    if sections.form[section] != MATCH:
        size = sections.entrants[section]
        return choose(rng, room.weights[:able], room.field[:size], room.keys[:size])
    return _rivals(rng, members, week, able, room)


@formula
def _known(members: Members, week: int, one: int) -> float:
    """Return the strength that others know a player by."""
    strength: float = members.strength[week][one]
    return strength - SANDBAG if members.sandbagger[one] else strength


@formula
def _rivals(rng: NormalRng, members: Members, week: int, able: int, room: Room) -> int:
    """Choose two players who are close enough for a match."""
    if choose(rng, room.weights[:able], room.field[:1], room.keys[:1]) == 0:
        return 0
    first = room.field[0]
    level = _known(members, week, room.able[first])
    near = 0
    room.able[near], room.able[first] = room.able[first], room.able[near]
    for place in range(1, able):
        one = room.able[place]
        if abs(_known(members, week, one) - level) < MATCHED:
            near += 1
            room.able[near], room.weights[near] = one, members.activity[one]
    room.field[1] = 0
    found = choose(rng, room.weights[1 : near + 1], room.field[1:2], room.keys[1:2])
    room.field[0], room.field[1] = 0, room.field[1] + 1
    return 1 + found


@formula
def _seat(
    rng: NormalRng, members: Members, sections: HeldSections, section: int, played: PlayedSections, room: Room
) -> None:
    """Fill the table before the first round."""
    first, end = played.first_entry[section], played.first_entry[section + 1]
    for place in range(end - first):
        one = played.member[first + place]
        level = members.strength[sections.week[section]][one]
        if members.sandbagger[one] and not sections.prize[section]:
            level -= SANDBAG
        room.level[place] = level
        room.seeds[place] = level + SEEDING * rng.standard_normal()
        room.order[place], room.points[place], room.whites[place] = place, 0.0, 0
        for number in range(len(room.opponents[place])):
            room.opponents[place][number] = NO_OPPONENT


@formula
def _swiss(rng: NormalRng, edge: float, count: int, game: int, rounds: int, played: PlayedSections, room: Room) -> int:
    """All rounds of a Swiss, or of a match; says where the next section's games begin."""
    order = room.order[:count]
    if count != 2:
        rounds = min(rounds, count - 1)
    for number in range(rounds):
        next_round(order, room.points, room.seeds, room.opponents, True)
        for board in range(0, count - 1, 2):
            first, rival = order[board], order[board + 1]
            white, black = rival, first
            if has_white(room.whites[first], room.whites[rival], rng.random() < 0.5):
                white, black = first, rival
            _play(rng, edge, game, number + 1, white, black, played, room)
            game += 1
        if count % 2 == 1:
            room.points[order[count - 1]] += 1.0  # a bye
    return game


@formula
def _quad(rng: NormalRng, edge: float, count: int, game: int, played: PlayedSections, room: Room) -> int:
    """Play a quad: four players, each against each."""
    order = room.order[:count]
    rank(order, room.points, room.seeds)
    for number in range(len(QUAD) if count == FEWEST else 0):
        for board in range(len(QUAD[number])):
            white, black = QUAD[number][board]
            _play(rng, edge, game, number + 1, order[white], order[black], played, room)
            game += 1
    return game


@formula
def _play(
    rng: NormalRng, edge: float, game: int, number: int, white: int, black: int, played: PlayedSections, room: Room
) -> None:
    """Play one game and enter it in the table."""
    result = half_points(rng, room.level[white], room.level[black], edge)
    room.points[white] += result / 2
    room.points[black] += 1 - result / 2
    room.whites[white] += 1
    room.opponents[white][number - 1], room.opponents[black][number - 1] = black, white
    played.round[game], played.white[game], played.black[game] = number, white, black
    played.half_points[game] = result
    played.strengths[game][0], played.strengths[game][1] = room.level[white] + edge, room.level[black]
