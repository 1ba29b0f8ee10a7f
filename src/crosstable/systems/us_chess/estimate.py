"""A new rating against opponents of known ratings: one pass of the formula that applies, then floors and rounding."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.model import Player, Rating, Section
from crosstable.rulebook import AS_WRITTEN, rulebook
from crosstable.systems.us_chess import UsChess
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.entries import SectionEntry
from crosstable.systems.us_chess.event import circumstances_of
from crosstable.systems.us_chess.formulas import effective_games, uses_special
from crosstable.systems.us_chess.pools import KEYS, MAIN
from crosstable.systems.us_chess.section import history_before
from crosstable.systems.us_chess.steps import one_pass
from crosstable.systems.us_chess.update import NAN, Circumstances, PlayerUpdate, Start, UpdateSteps, settle, some


@dataclass(frozen=True, slots=True)
class Begun:
    """What an estimate starts from, and in words what was assumed where nothing was given."""

    record: Rating
    opponents: tuple[float, ...]
    assumed: tuple[str, ...]


NOBODY = Player(1, "")


def begin(
    record: Rating | None, opponents: Sequence[float | None], on: date, pool: str, unrated: Player = NOBODY
) -> Begun:
    """`record`: none of an unrated player, who starts as `unrated` does; none of an opponent: as someone of unknown
    age.
    """
    assumed: list[str] = []
    if any(one is None for one in opponents):
        unknown = UsChess().start(NOBODY, on, pool).rating
        opponents = [unknown if one is None else one for one in opponents]
        assumed.append(f"unrated opponents count as {unknown:g}, the start without a birth date")
    if record is None:
        record = UsChess().start(unrated, on, pool)
        assumed.append(f"unrated: the start is {record.rating:g}")
    elif record.games is None:
        record = replace(record, games=provisional_games(on) + 1)
        assumed.append(f"the rating is assumed to be just established, based on {record.games} games")
    return Begun(record, tuple(one for one in opponents if one is not None), tuple(assumed))


@dataclass(frozen=True, slots=True)
class Needed:
    """A score and what it would bring."""

    score: float
    post: float


def estimate(
    record: Rating,
    opponents: Sequence[float],
    score: float,
    on: date,
    *,
    pool: str = MAIN,
    dual: bool = False,
    profile: str = AS_WRITTEN,
) -> PlayerUpdate:
    """Estimate the rating after these games, each against another opponent, whose ratings are taken as they are."""
    return _estimate(_circumstances(on, profile, dual=dual), pool, record, opponents, score)


def _circumstances(on: date, profile: str, *, dual: bool) -> Circumstances:
    section = Section(1, "", on, on, (), ())
    return circumstances_of(section, rulebook("us_chess").on(on, profile), dual=dual)


def _estimate(here: Circumstances, pool: str, record: Rating, opponents: Sequence[float], score: float) -> PlayerUpdate:
    games = len(opponents)
    entry = SectionEntry(
        1, Player(1, ""), tuple(range(1, games + 1)), _results(score, games), tuple(range(1, games + 1))
    )
    start = Start(record.rating, record.games or 0, record)
    effective, history = effective_games(here.rules, start.rating, start.games), history_before(start)
    result, expected, k, bonus = [NAN], [NAN], [NAN], [NAN]
    one_pass(
        here.rules,
        KEYS.index(pool),
        here.dual,
        True,
        1,
        1,
        [0, games],
        entry.opponents,
        entry.half_points,
        [start.rating],
        [start.games],
        [history],
        [effective],
        opponents,
        result,
        expected,
        k,
        bonus,
    )
    steps = UpdateSteps(
        effective=effective,
        history=history,
        special=uses_special(here.rules, start.games, history),
        first_estimate=None,
        intermediate=None,
        expected=some(expected[0]),
        k=some(k[0]),
        bonus=some(bonus[0]),
        result=result[0],
        step4_facing=(),
        step5_facing=tuple(opponents),
    )
    return settle(here, pool, entry, start, steps)


def needed_for(
    target: float,
    record: Rating,
    opponents: Sequence[float],
    on: date,
    *,
    pool: str,
    dual: bool,
    profile: str = AS_WRITTEN,
) -> Needed | None:
    """Return the lowest score that brings the published rating to the target; None if even all wins do not.

    Half a point more never gives a lower rating, so the lowest is found by halves.
    """
    here = _circumstances(on, profile, dual=dual)

    def after(half_points: int) -> PlayerUpdate:
        return _estimate(here, pool, record, opponents, half_points / 2)

    scores = range(2 * len(opponents) + 1)
    lowest = bisect_left(scores, target, key=lambda half_points: after(half_points).published)
    return Needed(lowest / 2, after(lowest).post) if lowest in scores else None


def _results(score: float, games: int) -> tuple[int, ...]:
    """Results that add up to the score: wins first, then a draw, then losses."""
    wins, half = divmod(round(2 * score), 2)
    return (2,) * wins + (1,) * half + (0,) * (games - wins - half)


def with_history(record: Rating, history: str) -> Rating:
    """Return a record whose previous games were all won, all lost, or mixed."""
    games = record.games or 0
    counts = {"all-wins": (games, 0, 0), "all-losses": (0, 0, games)}.get(history)
    return record if counts is None else replace(record, wins=counts[0], draws=counts[1], losses=counts[2])
