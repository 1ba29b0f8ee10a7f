"""Rates one section in one pool: Step 1 for all players, then the five steps, then floors and the new states."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.model import Player, Rating, Section
from crosstable.systems.us_chess.entries import SectionEntry
from crosstable.systems.us_chess.formulas import MIXED, effective_games, history_of, uses_special
from crosstable.systems.us_chess.initial import (
    AGE,
    CFC,
    FIDE,
    NO_DAY,
    SOURCES,
    from_fide,
    from_fide_youth,
    initial_rating,
)
from crosstable.systems.us_chess.pools import KEYS, MAIN
from crosstable.systems.us_chess.steps import five_steps, score_of, standard_rating
from crosstable.systems.us_chess.update import (
    NAN,
    Circumstances,
    PlayerUpdate,
    Start,
    UpdateSteps,
    or_nan,
    settle,
    some,
)

Ratings = Mapping[str, Rating]


@dataclass(frozen=True, slots=True)
class ForeignRatings:
    """A player's ratings elsewhere, as the sequences that `initial` reads."""

    ratings: list[float]
    games: list[int]
    days: list[int]


def sources_of(player: Player, ratings: Ratings, undated: date) -> ForeignRatings:
    """`undated`: the day of a rating without a date, the event's start (readings 22)."""
    found = ForeignRatings([NAN] * SOURCES, [0] * SOURCES, [NO_DAY] * SOURCES)
    for index, name in enumerate(KEYS):
        if name in ratings:
            record = ratings[name]
            found.ratings[index], found.games[index] = record.rating, record.games or 0
            found.days[index] = (record.date or undated).toordinal()
    for index, foreign in ((FIDE, player.fide), (CFC, player.cfc)):
        if foreign is not None:
            found.ratings[index], found.days[index] = foreign.rating, (foreign.date or undated).toordinal()
    return found


def start_of(
    circumstances: Circumstances,
    pool: str,
    player: Player,
    ratings: Ratings,
    undated: date,
    by_age: Collection[str] = (),
) -> Start:
    """Step 1: the pre-event rating, or an initial one.

    `by_age`: the pools whose rating still is what an age made it.
    """
    if pool in ratings:
        record = ratings[pool]
        return Start(record.rating, record.games or 0, record, by_age=pool in by_age)
    sources = sources_of(player, ratings, undated)
    rating, games, source = initial_rating(
        circumstances.rules,
        KEYS.index(pool),
        sources.ratings,
        sources.games,
        sources.days,
        or_nan(player.foreign_rating),
        player.birth_date.toordinal() if player.birth_date else NO_DAY,
        player.adult,
        player.canadian_resident,
        circumstances.event_end.toordinal(),
    )
    return Start(rating, games, None, source, by_age=bool(by_age) or source == AGE)


def history_before(start: Start) -> int:
    record = start.record
    if record is None or not record.whole_history:
        return MIXED
    return history_of(record.wins or 0, record.draws or 0, record.losses or 0)


def rate_section(
    circumstances: Circumstances, pool: str, field: Sequence[SectionEntry], starts: Sequence[Start]
) -> list[PlayerUpdate]:
    """Compute steps 2 to 5 for the whole field, and each player's update."""
    count = len(field)
    first = [0]
    for entry in field:
        first.append(first[-1] + entry.games)
    opponent = [index for entry in field for index in entry.opponents]
    half_points = [points for entry in field for points in entry.half_points]
    prior = [start.rating for start in starts]
    history = [history_before(start) for start in starts]
    effective, estimate, strength, intermediate, result, expected, k, bonus = ([NAN] * count for _ in range(8))
    facing = [NAN] * len(opponent)
    five_steps(
        circumstances.rules,
        KEYS.index(pool),
        circumstances.dual,
        not circumstances.match,
        circumstances.weight,
        count,
        first,
        opponent,
        half_points,
        prior,
        [start.games for start in starts],
        [start.rated for start in starts],
        history,
        effective,
        estimate,
        strength,
        facing,
        intermediate,
        result,
        expected,
        k,
        bonus,
    )
    updates = []
    for i, entry in enumerate(field):
        steps = UpdateSteps(
            effective=effective[i],
            history=history[i],
            special=uses_special(circumstances.rules, starts[i].games, history[i]),
            first_estimate=some(estimate[i]),
            intermediate=intermediate[i],
            expected=some(expected[i]),
            k=some(k[i]),
            bonus=some(bonus[i]),
            result=result[i],
            step4_facing=tuple(strength[j] for j in entry.opponents),
            step5_facing=tuple(intermediate[j] for j in entry.opponents),
        )
        updates.append(settle(circumstances, pool, entry, starts[i], steps))
    return updates


def fide_adjustment(
    circumstances: Circumstances, section: Section, field: Sequence[SectionEntry], entry: SectionEntry, record: Rating
) -> PlayerUpdate | None:
    """2025 §6: one pass of the standard formula against converted FIDE ratings. None if no opponent has one."""
    rules = circumstances.rules
    convert = from_fide_youth if section.youth else from_fide
    games = [
        (opponent, points, round_number, convert(rules, fide.rating))
        for opponent, points, round_number in zip(entry.opponents, entry.half_points, entry.rounds, strict=True)
        if (fide := field[opponent].player.fide) is not None
    ]
    if not games:
        return None
    opponents, points, rounds, facing = zip(*games, strict=True)
    rated = SectionEntry(entry.number, entry.player, opponents, points, rounds)
    start = Start(record.rating, record.games or 0, record)
    effective = effective_games(rules, start.rating, start.games)
    score = score_of(rated.half_points, 0, rated.games)
    result, expected, k, bonus = standard_rating(
        rules,
        KEYS.index(MAIN),
        False,
        True,
        circumstances.weight,
        start.rating,
        effective,
        score,
        facing,
        rated.opponents,
        0,
        rated.games,
    )
    steps = UpdateSteps(
        effective=effective,
        history=history_before(start),
        special=False,
        first_estimate=None,
        intermediate=None,
        expected=expected,
        k=k,
        bonus=bonus,
        result=max(result, rules.absolute_floor),
        step4_facing=(),
        step5_facing=tuple(facing),
    )
    return settle(circumstances, MAIN, rated, start, steps)
