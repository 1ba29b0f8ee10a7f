"""The array kernel: carries everybody's ratings through every section, in order.

Nothing here is a rating formula: those are the functions of systems.us_chess, and this file is compiled together with
them (see compiled). What is here is bookkeeping: which row of which array a formula reads, and where its result goes.
It mirrors systems.us_chess.section and .update, which do the same with records, and the tests hold the two equal.
"""

# Long because it is one compiled loop with its bookkeeping: the pieces share the same arrays and are read side by side.

from __future__ import annotations

import math
from typing import Any, NamedTuple

from crosstable.systems.formula import formula
from crosstable.systems.us_chess.aftermath import (
    THREE_GAME_EVENT,
    capped_rating,
    established_peak,
    floor_request,
    games_above_2200,
    games_after,
    granted_request,
    is_life_master,
    lifted_rating,
    lowered_floor_after,
    lowered_from_after,
    peak_after,
    settled_rating,
)
from crosstable.systems.us_chess.formulas import (
    earned_floor,
    effective_games,
    history_of,
    match_change,
    match_result,
    personal_floor,
    rating_floor,
    uses_special,
)
from crosstable.systems.us_chess.initial import CFC, FIDE, from_fide, from_fide_youth, initial_rating
from crosstable.systems.us_chess.pools import KEYS, MAIN
from crosstable.systems.us_chess.steps import five_steps, score_of, standard_rating

RATED = -1  # the source of a rating that needed no initialising
UNKNOWN = -1  # wins, draws or losses that are unknown
NO_MATCH = -1  # the end of a match log
NO_POOL = -1
ADULT, CANADIAN, GRANTED = 1, 2, 4  # facts of an entry; GRANTED shifted by the pool
MAIN_POOL = KEYS.index(MAIN)
HALF = 2
MATCH, FIDE_EVENT = 2, 4  # kinds of sections
MATCH_DAY, MATCH_CHANGE = 16, 17  # fields of an order that tell of an earlier match
SPECIAL, LIMITED, FLOORED, FLOOR_REQUEST, LOWERED = 1, 2, 4, 8, 32  # flags of a row; 16 is the office's


class Tables(NamedTuple):
    """What a replay reads; see history.History. The last five are worked out before it starts."""

    sections: Any
    entry_start: Any
    entry_player: Any
    entry_counts: Any
    entry_facts: Any
    game_start: Any
    opponent: Any
    half_points: Any
    players: Any
    foreign: Any
    adjustments: Any
    foreign_start: Any  # a player's rows in `foreign`
    rules: Any  # Coefficients as rows
    section_rules: Any  # which of them applies
    match_since: Any  # of a match: the day from which the limit of three years counts
    row_start: Any


class Carried(NamedTuple):
    """What a replay writes."""

    states: Any  # STATE [player, pool]
    matches: Any  # the match log, with room for all matches to come
    rows: Any
    row_states: Any  # as long as rows, or empty


class KernelField(NamedTuple):
    """What Step 1 finds for the players of a section: a row for each of its systems."""

    prior: Any
    games: Any
    source: Any
    rated: Any
    history: Any


class StepScratch(NamedTuple):
    """Scratch for Steps 2 to 5; see steps.five_steps."""

    start: Any
    effective: Any
    estimate: Any
    strength: Any
    facing: Any
    intermediate: Any
    result: Any
    expected: Any
    k: Any
    bonus: Any


class SourceScratch(NamedTuple):
    """Scratch for one player's ratings elsewhere; see initial.initial_rating."""

    ratings: Any
    games: Any
    days: Any


class Abroad(NamedTuple):
    """Scratch for one player's games in a FIDE event."""

    facing: Any
    opponent: Any
    half_points: Any


@formula
def replay_sections(
    first: int,
    last: int,
    adjusted: int,
    logged: int,
    tables: Tables,
    carried: Carried,
    field: KernelField,
    work: StepScratch,
    sources: SourceScratch,
    abroad: Abroad,
) -> tuple[int, int]:
    """Sections `first` to `last`; `adjusted` and `logged` count the adjustments made and match changes logged
    before.
    """
    # Unpacked once: what the loop hands on are arrays and rows, which cost nothing to pass.
    (
        sections,
        entry_start,
        entry_player,
        entry_counts,
        entry_facts,
        game_start,
        opponent,
        half_points,
        players,
        foreign,
        adjustments,
        foreign_start,
        rules_table,
        section_rules,
        match_since,
        row_start,
    ) = tables
    states, matches, rows, row_states = carried
    prior, games, source, rated, history = field
    start, effective, estimate, strength, facing, intermediate, result, expected, k, bonus = work
    source_ratings, source_games, source_days = sources
    abroad_facing, abroad_opponent, abroad_points = abroad
    for s in range(first, last):
        while adjusted < len(adjustments) and adjustments[adjusted].section <= s:
            order = adjustments[adjusted]
            ordered = states[order.player, order.pool]
            if order.field == MATCH_DAY and not math.isnan(ordered.rating):
                log_match(matches[logged], logged, 0.0, int(order.value), 0, ordered)
                logged += 1
            elif order.field == MATCH_CHANGE and not math.isnan(ordered.rating):
                matches[ordered.last_match].change = order.value
            else:
                adjust(rules_table[section_rules[s]], ordered, order.field, order.value)
            adjusted += 1
        section = sections[s]
        rules = rules_table[section_rules[s]]
        base, count = entry_start[s], entry_start[s + 1] - entry_start[s]
        if section.kind == FIDE_EVENT:
            fide_event(
                rules,
                section,
                base,
                count,
                row_start[s],
                entry_player,
                entry_counts,
                game_start,
                opponent,
                half_points,
                foreign,
                foreign_start,
                states,
                rows,
                row_states,
                abroad_facing,
                abroad_opponent,
                abroad_points,
            )
            continue
        played = game_start[base]
        for i in range(count + 1):
            start[i] = game_start[base + i] - played
        here_opponent = opponent[played : game_start[base + count]]
        here_points = half_points[played : game_start[base + count]]
        bonus_allowed = section.kind != MATCH
        weight = rules.half_k_weight if section.weight == HALF else 1
        slots = 2 if section.second != NO_POOL else 1
        for slot in range(slots):  # both start from the ratings before the section (readings 10)
            step_one(
                rules,
                section,
                pool_of(section, slot),
                base,
                count,
                entry_player,
                entry_facts,
                states,
                players,
                foreign,
                foreign_start,
                prior[slot],
                games[slot],
                source[slot],
                rated[slot],
                history[slot],
                source_ratings,
                source_games,
                source_days,
            )
        for slot in range(slots):
            pool = pool_of(section, slot)
            five_steps(
                rules,
                pool,
                section.dual,
                bonus_allowed,
                weight,
                count,
                start,
                here_opponent,
                here_points,
                prior[slot],
                games[slot],
                rated[slot],
                history[slot],
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
            logged = settle_field(
                rules,
                section,
                pool,
                weight,
                match_since[s],
                base,
                count,
                row_start[s] + slot * count,
                entry_player,
                entry_facts,
                start,
                here_points,
                prior[slot],
                games[slot],
                source[slot],
                rated[slot],
                history[slot],
                result,
                states,
                matches,
                logged,
                rows,
                row_states,
            )
    return adjusted, logged


@formula
def pool_of(section: Any, slot: int) -> int:
    return int(section.second) if slot == 1 else int(section.first)


@formula
def step_one(
    rules: Any,
    section: Any,
    pool: int,
    base: int,
    count: int,
    entry_player: Any,
    entry_facts: Any,
    states: Any,
    players: Any,
    foreign: Any,
    foreign_start: Any,
    prior: Any,
    games: Any,
    source: Any,
    rated: Any,
    history: Any,
    source_ratings: Any,
    source_games: Any,
    source_days: Any,
) -> None:
    """Where everybody starts from: the pre-event rating, or an initial one."""
    for i in range(count):  # first the loads alone, so that the processor has many under way
        prior[i] = states[entry_player[base + i], pool].rating
    for i in range(count):
        player = entry_player[base + i]
        state = states[player, pool]
        games[i] = state.games
        source[i] = RATED
        rated[i] = not math.isnan(state.rating)
        history[i] = history_of(state.wins, state.draws, state.losses)
        if not rated[i]:
            gather_sources(player, section, states, foreign, foreign_start, source_ratings, source_games, source_days)
            person, facts = players[player], entry_facts[base + i]
            prior[i], games[i], source[i] = initial_rating(
                rules,
                pool,
                source_ratings,
                source_games,
                source_days,
                person.foreign_rating,
                person.birth_day,
                facts & ADULT != 0,
                facts & CANADIAN != 0,
                section.event_end_day,
            )


@formula
def gather_sources(
    player: int, section: Any, states: Any, foreign: Any, foreign_start: Any, ratings: Any, games: Any, days: Any
) -> None:
    """Gather a player's ratings in all pools, FIDE and CFC, as `initial` reads them."""
    for other in range(FIDE):
        state = states[player, other]
        ratings[other] = state.rating
        games[other] = state.games
        days[other] = state.day if state.day != 0 else section.start_day
    for other in range(FIDE, CFC + 1):
        place = foreign_row(foreign, foreign_start, player, other, section.event_end_day)
        ratings[other] = foreign[place].rating if place >= 0 else math.nan
        days[other] = foreign[place].day if place >= 0 else 0


@formula
def foreign_row(foreign: Any, foreign_start: Any, player: int, source: int, day: int) -> int:
    """Return the player's newest FIDE or CFC rating up to a day: its row, or -1."""
    for place in range(foreign_start[player + 1] - 1, foreign_start[player] - 1, -1):
        if foreign[place].source == source and foreign[place].day <= day:
            return place
    return -1


@formula
def settle_field(
    rules: Any,
    section: Any,
    pool: int,
    weight: int,
    match_since: int,
    base: int,
    count: int,
    first_row: int,
    entry_player: Any,
    entry_facts: Any,
    start: Any,
    half_points: Any,
    prior: Any,
    games: Any,
    source: Any,
    rated: Any,
    history: Any,
    result: Any,
    states: Any,
    matches: Any,
    logged: int,
    rows: Any,
    row_states: Any,
) -> int:
    """Everybody's row and new state. Returns how many match changes have been logged."""
    for i in range(count):
        state = states[entry_player[base + i], pool]
        row = rows[first_row + i]
        row.pool = pool
        row.source = source[i]
        special = SPECIAL if uses_special(rules, games[i], history[i]) else 0
        limited = result[i]
        wins, draws = results(half_points, start[i], start[i + 1])
        if section.kind == MATCH:
            led_to = match_result(rules, special != 0, wins + draws > 0, prior[i], result[i])
            limited = within_match_limits(rules, section.end_day, match_since, prior[i], led_to, state, matches)
        settle(
            rules,
            section,
            pool,
            weight,
            state,
            row,
            rated[i],
            prior[i],
            games[i],
            result[i],
            limited,
            special,
            wins,
            draws,
            start[i + 1] - start[i],
            section.kind == MATCH and entry_facts[base + i] & (GRANTED << pool) != 0,
        )
        if section.kind == MATCH:
            log_match(matches[logged], logged, row.post - row.prior, section.end_day, match_since, state)
            logged += 1
        if len(row_states) > 0:
            row_states[first_row + i] = state
    return logged


@formula
def settle(
    rules: Any,
    section: Any,
    pool: int,
    weight: int,
    state: Any,
    row: Any,
    rated: bool,
    prior: float,
    prior_games: int,
    result: float,
    limited: float,
    special: int,
    wins: int,
    draws: int,
    played: int,
    granted: bool,
) -> None:
    """From the Step 5 result to the row and the state: floors once, then the ceiling (see update.settle)."""
    events = state.three_game_events + (1 if played >= THREE_GAME_EVENT else 0)
    peak = established_peak(rules, rated, prior, prior_games, state.peak)
    personal = personal_floor(rules, pool, max(state.wins, 0) + wins, max(state.draws, 0) + draws, events)
    count_mastery(rules, pool, state, rated, prior, prior_games, played)
    floor = rating_floor(
        rules,
        pool,
        personal,
        earned_floor(rules, peak),
        state.life_master,
        state.prize_floor,
        state.lowered_floor,
        state.lowered_from,
    )
    lowered = 0
    if (
        granted and limited < floor and floor > personal
    ):  # readings 44: what was granted lowers the floor that binds here
        state.lowered_floor, state.lowered_from = granted_request(
            rules, floor, personal, state.lowered_floor, state.lowered_from
        )
        floor = state.lowered_floor
        lowered = LOWERED
    row.prior = prior
    row.prior_games = prior_games
    row.post = settled_rating(rules, prior, limited, floor, state.ceiling)
    row.post_games = games_after(prior_games, played, weight)
    asks = section.kind == MATCH and lowered == 0
    row.flags = special + lowered + outcome(rules, asks, result, limited, floor, personal)
    carry_on(rules, state, row, peak, wins, draws, played, events, section.end_day)


@formula
def count_mastery(rules: Any, pool: int, state: Any, rated: bool, prior: float, prior_games: int, played: int) -> None:
    """Games above 2200, and a life master's floor from this event on (readings 41; see update.mastery_with)."""
    held = is_life_master(rules, state.life_master, state.games_above_2200)
    state.games_above_2200 += games_above_2200(rules, rated, prior, prior_games, played)
    state.life_master = is_life_master(rules, state.life_master, state.games_above_2200)
    if state.life_master and not held and rules.life_master_pools[pool] == 1:
        set_floor(rules, state, rules.life_master_floor)


@formula
def log_match(match: Any, place: int, change: float, end_day: int, since: int, state: Any) -> None:
    """Log a match's change, chained to the player's match before it."""
    match.change = change
    match.day = end_day
    match.since = since
    match.previous = state.last_match
    state.last_match = place


@formula
def results(half_points: Any, first: int, last: int) -> tuple[int, int]:
    """Wins and draws."""
    wins = 0
    draws = 0
    for i in range(first, last):
        wins += half_points[i] >> 1
        draws += half_points[i] & 1
    return wins, draws


@formula
def within_match_limits(
    rules: Any, end_day: int, three_years: int, prior: float, result: float, state: Any, matches: Any
) -> float:
    """§7; the log is walked from the newest match back (see update.within_match_limits)."""
    net_half_year = 0.0
    net_three_years = 0.0
    forgotten = 0
    place = state.last_match
    while place != NO_MATCH:
        match = matches[place]
        if forgotten <= match.day <= end_day:
            if match.day >= end_day - rules.match_days:
                net_half_year += match.change
            if match.day >= three_years:
                net_three_years += match.change
        forgotten = max(forgotten, match.since)
        place = match.previous
    return prior + match_change(rules, result - prior, net_half_year, net_three_years)


@formula
def carry_on(
    rules: Any,
    state: Any,
    row: Any,
    peak: float,
    wins: int,
    draws: int,
    played: int,
    events: int,
    end_day: int,
) -> None:
    """Write the state to carry into the next section (see update.next_state)."""
    if state.wins >= 0 and state.draws >= 0 and state.losses >= 0:
        state.wins += wins
        state.draws += draws
        state.losses += played - wins - draws
        state.assigned_games = row.post_games - state.wins - state.draws - state.losses
    else:
        state.wins = max(state.wins, 0) + wins
        state.draws = max(state.draws, 0) + draws
        state.losses = UNKNOWN
    state.rating = row.post
    state.games = row.post_games
    state.day = end_day
    state.three_game_events = events
    state.peak = peak_after(rules, peak, row.post, row.post_games)


@formula
def set_floor(rules: Any, state: Any, floor: float) -> None:
    """Set a prize's or life master's floor, which holds after a lowering (readings 23)."""
    state.lowered_floor = lowered_floor_after(rules, state.lowered_floor, state.lowered_from, floor)


@formula
def outcome(rules: Any, asks: bool, result: float, limited: float, floor: float, personal: float) -> int:
    """Return what happened on the way from the Step 5 result to the new rating, as flags of a row."""
    flags = 0
    if limited != result:
        flags += LIMITED
    if limited < floor:
        flags += FLOORED
        if asks and not math.isnan(floor_request(rules, floor, personal)):
            flags += FLOOR_REQUEST
    return flags


@formula
def fide_event(
    rules: Any,
    section: Any,
    base: int,
    count: int,
    first_row: int,
    entry_player: Any,
    entry_counts: Any,
    game_start: Any,
    opponent: Any,
    half_points: Any,
    foreign: Any,
    foreign_start: Any,
    states: Any,
    rows: Any,
    row_states: Any,
    facing: Any,
    faced: Any,
    points: Any,
) -> None:
    """2025 §6: a foreign FIDE event adjusts the main ratings of those who are eligible (see
    section.fide_adjustment).
    """
    for i in range(count):
        row = rows[first_row + i]
        row.prior = math.nan
        row.post = math.nan
        row.source = RATED
        row.pool = MAIN_POOL
        state = states[entry_player[base + i], MAIN_POOL]
        if not entry_counts[base + i] or math.isnan(state.rating):
            continue
        if rules.fide_established_only and state.games <= rules.established_games:
            continue
        played = 0
        for game in range(game_start[base + i], game_start[base + i + 1]):
            player = entry_player[base + opponent[game]]
            place = foreign_row(foreign, foreign_start, player, FIDE, section.end_day)
            if place >= 0:  # opponents without a FIDE rating are ignored
                rating = foreign[place].rating
                facing[played] = from_fide_youth(rules, rating) if section.youth else from_fide(rules, rating)
                faced[played] = opponent[game]
                points[played] = half_points[game]
                played += 1
        if played > 0:
            fide_adjustment(rules, section, state, row, played, facing, faced, points)
        if len(row_states) > 0:
            row_states[first_row + i] = state


@formula
def fide_adjustment(
    rules: Any, section: Any, state: Any, row: Any, played: int, facing: Any, faced: Any, points: Any
) -> None:
    """One pass of the standard formula against converted FIDE ratings."""
    prior, games = state.rating, int(state.games)
    score = score_of(points, 0, played)
    weight = rules.half_k_weight if section.weight == HALF else 1
    result, _, _, _ = standard_rating(
        rules,
        MAIN_POOL,
        False,
        True,
        weight,
        prior,
        effective_games(rules, prior, games),
        score,
        facing,
        faced,
        0,
        played,
    )
    result = max(result, rules.absolute_floor)
    wins, draws = results(points, 0, played)
    settle(
        rules,
        section,
        MAIN_POOL,
        weight,
        state,
        row,
        True,
        prior,
        games,
        result,
        result,
        0,
        wins,
        draws,
        played,
        False,
    )


@formula
def adjust(rules: Any, state: Any, field: int, value: float) -> None:  # noqa: PLR0912  a branch a field
    """Apply an office's decision. The fields are those of history.ADJUSTABLE, by index.

    Without a rating there is no record to change.
    """
    if field == 0:
        state.rating = value
    elif math.isnan(state.rating):
        return
    elif field == 1:
        state.games = int(value)
    elif field == 2:
        state.day = int(value)
    elif field == 3:
        state.wins = count_of(value)
    elif field == 4:
        state.draws = count_of(value)
    elif field == 5:
        state.losses = count_of(value)
    elif field == 6:
        state.assigned_games = int(value)
    elif field == 7:
        state.three_game_events = int(value)
    elif field == 8:
        state.peak = value
    elif field == 9:
        state.prize_floor = value
        set_floor(rules, state, value)
    elif field == 10:
        state.life_master = value == 1.0
    elif field == 11:
        state.ceiling = value
        state.rating = capped_rating(state.rating, value)
    elif field == 12:
        state.games_above_2200 = int(value)
    elif field == 13:
        state.rating = lifted_rating(state.rating, value, state.ceiling)
        set_floor(rules, state, value)
    elif field == 14:
        state.lowered_from = lowered_from_after(rules, state.lowered_floor, state.lowered_from, value)
        state.lowered_floor = value
    elif field == 15 and (math.isnan(state.lowered_from) or value > state.lowered_from):  # the highest that was lowered
        state.lowered_from = value


@formula
def count_of(value: float) -> int:
    return UNKNOWN if math.isnan(value) else int(value)
