"""Checks of results against ratings: what is improbable is often a wrong ID."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import combinations

from crosstable.checks.names import same_name
from crosstable.checks.registry import Case, Noted, warning
from crosstable.model import PLAYED_RESULTS, Place, Section
from crosstable.model.finding import Fact, Players
from crosstable.systems.us_chess.coefficients import coefficients_on
from crosstable.systems.us_chess.formulas import winning_expectancy

#: A result under 1 % by the ratings: 1 / (1 + 10^(d / 400)) < 0.01 from d = 400 · log10(99) on.
_IMPROBABLE = 798.3
_BELOW = 600
_GAMES = 3
#: In a field of eight there are 28 pairs; someone has a good day while another has a bad one in one event of ten or
#: so.
_SWAPPED = 1000


def _main_ratings(section: Section) -> dict[int, float]:
    """Everybody's rating in the system that most players have."""
    counts: dict[str, int] = defaultdict(int)
    for player in section.players:
        for key in player.ratings:
            counts[key] += 1
    if not counts:
        return {}
    key = max(counts, key=lambda name: (counts[name], name))
    return {player.number: player.ratings[key].rating for player in section.players if key in player.ratings}


def _performances(section: Section) -> dict[int, tuple[float, int]]:
    """Opponents' average plus 400 times wins minus losses by games, and the games, against rated opponents."""
    ratings = _main_ratings(section)
    met: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for game in section.games:
        if game.played and game.white in ratings and game.black in ratings:
            white, black = PLAYED_RESULTS[game.result]
            met[game.white].append((ratings[game.black], white - 1))
            met[game.black].append((ratings[game.white], black - 1))
    return {n: (sum(r + 400 * s for r, s in games) / len(games), len(games)) for n, games in met.items()}


@warning(
    "improbable-result",
    "By the ratings, this result had less than one chance in a hundred.",
    "Check the result and both IDs.",
)
def improbable_result(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        ratings = _main_ratings(section)
        for game in section.games:
            if game.result not in ("1-0", "0-1") or game.white not in ratings or game.black not in ratings:
                continue
            winner, loser = (game.white, game.black) if game.result == "1-0" else (game.black, game.white)
            gap = ratings[loser] - ratings[winner]
            if gap > _IMPROBABLE:
                where = Place(section=section.number, round=game.round, players=(game.white, game.black))
                names: dict[str, Fact] = {
                    "winner": Players((winner,)),
                    "loser": Players((loser,)),
                    "points": round(gap, 1),
                }
                yield where, f"{{winner}} beat {{loser}}, who is rated {gap:.0f} points higher", names


@warning("low-performance", "A player performed 600 points below the rating. The ID may be wrong.", "Check the ID.")
def low_performance(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        ratings = _main_ratings(section)
        for number, (performance, games) in sorted(_performances(section).items()):
            if games >= _GAMES and ratings[number] - performance >= _BELOW:
                where = Place(section=section.number, players=(number,))
                facts = {"rating": ratings[number], "performance": round(performance, 1), "games": games}
                yield where, f"rated {ratings[number]:.0f}, performed at {performance:.0f} in {games} games", facts


@warning(
    "swapped-ids",
    "Two players each performed at the other's rating, or have each other's listed names. Their IDs may be swapped.",
    "Check both IDs.",
)
def swapped_ids(case: Case) -> Iterator[Noted]:
    for section in case.event.sections:
        yield from _swapped_by_performance(section)
        yield from _swapped_by_name(case, section)


def _swapped_by_performance(section: Section) -> Iterator[Noted]:
    ratings = _main_ratings(section)
    odd = {
        number: performance
        for number, (performance, games) in _performances(section).items()
        if games >= _GAMES and abs(performance - ratings[number]) > 400
    }
    for one, other in combinations(sorted(odd)[:200], 2):
        alike = abs(odd[one] - ratings[other]) < 200 and abs(odd[other] - ratings[one]) < 200
        if alike and _likelier_swapped(section, ratings, one, other) >= _SWAPPED:
            yield (
                Place(section=section.number, players=(one, other)),
                "each of the two played as if they had the other's rating",
            )


def _likelier_swapped(section: Section, ratings: Mapping[int, float], one: int, other: int) -> float:
    """How many times as likely the decided games of the two are with each other's ratings."""
    rules = coefficients_on(date.max)
    swapped = {**ratings, one: ratings[other], other: ratings[one]}
    found = 0.0
    for game in section.games:
        both = {game.white, game.black}
        if game.result in ("1-0", "0-1") and both & {one, other} and both <= ratings.keys():
            winner, loser = (game.white, game.black) if game.result == "1-0" else (game.black, game.white)
            found += math.log10(winning_expectancy(rules, swapped[winner], swapped[loser]))
            found -= math.log10(winning_expectancy(rules, ratings[winner], ratings[loser]))
    return math.pow(10.0, found)


def _swapped_by_name(case: Case, section: Section) -> Iterator[Noted]:
    listed = [player for player in section.players if player.id in case.members and player.name]
    wrong = [player for player in listed if not same_name(player.name, case.members[player.id].name)]
    for one, other in combinations(wrong[:50], 2):
        first, second = case.members[one.id].name, case.members[other.id].name
        if same_name(one.name, second) and same_name(other.name, first):
            yield (
                Place(section=section.number, players=(one.number, other.number)),
                f"{one.id} and {other.id} belong to each other",
            )
