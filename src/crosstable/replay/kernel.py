"""The array kernel: carries everybody's ratings through every section, in order.

Nothing here is a rating formula: those are the functions of systems.us_chess, and this file is compiled together with them
(see compiled). What is here is bookkeeping: which row of which array a formula reads, and where its result goes. It mirrors
systems.us_chess.section and .update, which do the same with records, and the tests hold the two equal.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from crosstable.systems.formula import formula
from crosstable.systems.us_chess.aftermath import (
    THREE_GAME_EVENT,
    binding_floor,
    established_peak,
    games_above_2200,
    games_after,
    is_life_master,
    lowered_floor_after,
    peak_after,
    settled_rating,
)
from crosstable.systems.us_chess.formulas import (
    OTBR,
    effective_games,
    history_of,
    match_change,
    uses_special,
)
from crosstable.systems.us_chess.initial import CFC, FIDE, from_fide, from_fide_youth, initial_rating
from crosstable.systems.us_chess.steps import five_steps, score_of, standard_rating

RATED = -1  # the source of a rating that needed no initialising
UNKNOWN = -1  # wins, draws or losses that nobody knows
NO_MATCH = -1  # the end of a match log
NO_SYSTEM = -1
HALF = 2
MATCH, FIDE_EVENT = 2, 4  # kinds of sections
SPECIAL, LIMITED, FLOORED, FLOOR_REQUEST = 1, 2, 4, 8  # flags of a row


class Tables(NamedTuple):
    """What a replay reads; see history.History. The last five are worked out before it starts."""

    sections: Any
    entry_start: Any
    entry_player: Any
    entry_counts: Any
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

    states: Any  # STATE [player, system]
    matches: Any  # the match log, with room for all matches to come
    rows: Any
    row_states: Any  # as long as rows, or empty


class Work(NamedTuple):
    """Scratch for one section; what Step 1 finds stands in two rows, one for each of its systems."""

    prior: Any
    games: Any
    rated: Any
    source: Any
    history: Any
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
    source_ratings: Any
    source_games: Any
    source_days: Any
    fide_opponent: Any
    fide_points: Any


@formula
def replay_sections(
    first: int, last: int, adjusted: int, logged: int, tables: Tables, carried: Carried, work: Work
) -> tuple[int, int]:
    """Sections `first` to `last`; `adjusted` and `logged` count the adjustments made and match changes logged so far."""
    for s in range(first, last):
        while adjusted < len(tables.adjustments) and tables.adjustments[adjusted].section <= s:
            adjust(tables.adjustments[adjusted], carried.states)
            adjusted += 1
        if tables.sections[s].kind == FIDE_EVENT:
            fide_event(s, tables, carried, work)
        else:
            logged = rate_section(s, logged, tables, carried, work)
    return adjusted, logged


@formula
def rate_section(s: int, logged: int, tables: Tables, carried: Carried, work: Work) -> int:
    """Step 1 in both systems of a dual-rated section (readings 10), then the other steps and the new states in each."""
    section = tables.sections[s]
    rules = tables.rules[tables.section_rules[s]]
    base = tables.entry_start[s]
    count = tables.entry_start[s + 1] - base
    games = tables.game_start[base]
    for i in range(count + 1):
        work.start[i] = tables.game_start[base + i] - games
    step_one(rules, section, section.first, base, count, 0, tables, carried, work)
    dual = section.second != NO_SYSTEM
    if dual:
        step_one(rules, section, section.second, base, count, 1, tables, carried, work)
    logged = rate_in(rules, s, section.first, dual, 0, logged, tables, carried, work)
    if dual:
        logged = rate_in(rules, s, section.second, dual, 1, logged, tables, carried, work)
    return logged


@formula
def step_one(
    rules: Any,
    section: Any,
    system: int,
    base: int,
    count: int,
    slot: int,
    tables: Tables,
    carried: Carried,
    work: Work,
) -> None:
    """Where everybody starts from: the pre-event rating, or an initial one."""
    for i in range(count):
        player = tables.entry_player[base + i]
        state = carried.states[player, system]
        if math.isnan(state.rating):
            rating, games, source = first_rating(rules, section, system, player, tables, carried, work)
            work.prior[slot, i] = rating
            work.games[slot, i] = games
            work.source[slot, i] = source
            work.rated[slot, i] = False
        else:
            work.prior[slot, i] = state.rating
            work.games[slot, i] = state.games
            work.source[slot, i] = RATED
            work.rated[slot, i] = True
        work.history[slot, i] = history_of(state.wins, state.draws, state.losses)


@formula
def first_rating(
    rules: Any, section: Any, system: int, player: int, tables: Tables, carried: Carried, work: Work
) -> tuple[float, int, int]:
    """An initial rating from the ratings in the other five systems, FIDE and CFC, or from age."""
    for other in range(FIDE):
        state = carried.states[player, other]
        work.source_ratings[other] = state.rating
        work.source_games[other] = state.games
        work.source_days[other] = state.day if state.day != 0 else section.start_day
    for other in range(FIDE, CFC + 1):
        place = foreign_row(tables.foreign, tables.foreign_start, player, other, section.end_day)
        work.source_ratings[other] = math.nan
        if place >= 0:
            work.source_ratings[other] = tables.foreign[place].rating
            work.source_days[other] = tables.foreign[place].day
    person = tables.players[player]
    return initial_rating(
        rules, system, work.source_ratings, work.source_games, work.source_days, person.foreign_rating,
        person.birth_day, person.adult, person.canadian, section.end_day,
    )  # fmt: skip


@formula
def foreign_row(foreign: Any, foreign_start: Any, player: int, source: int, day: int) -> int:
    """The player's newest FIDE or CFC rating up to a day: its row, or -1."""
    for place in range(foreign_start[player + 1] - 1, foreign_start[player] - 1, -1):
        if foreign[place].source == source and foreign[place].day <= day:
            return place
    return -1


@formula
def rate_in(
    rules: Any,
    s: int,
    system: int,
    dual: bool,
    slot: int,
    logged: int,
    tables: Tables,
    carried: Carried,
    work: Work,
) -> int:
    """Steps 2 to 5 in one system, and everybody's new state."""
    section = tables.sections[s]
    base = tables.entry_start[s]
    count = tables.entry_start[s + 1] - base
    first, last = tables.game_start[base], tables.game_start[base + count]
    weight = rules.half_k_weight if section.weight == HALF else 1
    half_points = tables.half_points[first:last]
    games, history = work.games[slot], work.history[slot]
    five_steps(
        rules, system, dual, section.kind != MATCH, weight, count, work.start, tables.opponent[first:last], half_points,
        work.prior[slot], games, work.rated[slot], history, work.effective, work.estimate, work.strength, work.facing,
        work.intermediate, work.result, work.expected, work.k, work.bonus,
    )  # fmt: skip
    row = tables.row_start[s] + slot * count
    for i in range(count):
        special = SPECIAL if uses_special(rules, games[i], history[i]) else 0
        carried.rows[row + i].source = work.source[slot, i]
        logged = settle(
            rules, section, s, system, weight, tables.entry_player[base + i], work.rated[slot, i], work.prior[slot, i],
            games[i], work.result[i], special, half_points, work.start[i], work.start[i + 1], row + i, logged, tables,
            carried,
        )  # fmt: skip
    return logged


@formula
def settle(
    rules: Any,
    section: Any,
    s: int,
    system: int,
    weight: int,
    player: int,
    rated: bool,
    prior: float,
    prior_games: int,
    result: float,
    flags: int,
    half_points: Any,
    first: int,
    last: int,
    place: int,
    logged: int,
    tables: Tables,
    carried: Carried,
) -> int:
    """From the Step 5 result to the row and the state: match limits, floors once, the ceiling (see update.settle)."""
    state = carried.states[player, system]
    wins, draws = results(half_points, first, last)
    match = section.kind == MATCH
    limited = result
    if match and rated:
        limited = within_match_limits(
            rules, section.end_day, tables.match_since[s], prior, result, state, carried.matches
        )
    events = state.three_game_events + (1 if last - first >= THREE_GAME_EVENT else 0)
    peak = established_peak(rules, rated, prior, prior_games, state.peak)
    floor = binding_floor(
        rules, system, max(state.wins, 0) + wins, max(state.draws, 0) + draws, events, peak,
        is_life_master(rules, state.life_master, state.games_above_2200), state.prize_floor, state.lowered_floor,
    )  # fmt: skip
    post = settled_rating(rules, prior, limited, floor, state.ceiling)
    games = games_after(prior_games, last - first, weight)
    carry_on(
        rules, state, rated, prior, prior_games, post, games, peak, wins, draws, last - first, events, section.end_day
    )
    if match:
        carried.matches[logged].change = post - prior
        carried.matches[logged].day = section.end_day
        carried.matches[logged].since = tables.match_since[s]
        carried.matches[logged].previous = state.last_match
        state.last_match = logged
        logged += 1
    row = carried.rows[place]
    row.prior = prior
    row.prior_games = prior_games
    row.post = post
    row.post_games = games
    row.system = system
    row.flags = flags + outcome(rules, match, result, limited, floor)
    if len(carried.row_states) > 0:
        carried.row_states[place] = state
    return logged


@formula
def results(half_points: Any, first: int, last: int) -> tuple[int, int]:
    """Wins and draws."""
    wins = 0
    draws = 0
    for i in range(first, last):
        if half_points[i] == 2:
            wins += 1
        elif half_points[i] == 1:
            draws += 1
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
    rated: bool,
    prior: float,
    prior_games: int,
    post: float,
    games: int,
    peak: float,
    wins: int,
    draws: int,
    played: int,
    events: int,
    end_day: int,
) -> None:
    """The state to carry into the next section (see update.next_state)."""
    if state.wins >= 0 and state.draws >= 0 and state.losses >= 0:
        state.wins += wins
        state.draws += draws
        state.losses += played - wins - draws
        state.assigned_games = games - state.wins - state.draws - state.losses
    else:
        state.wins = UNKNOWN
        state.draws = UNKNOWN
        state.losses = UNKNOWN
    state.rating = post
    state.games = games
    state.day = end_day
    state.three_game_events = events
    state.peak = peak_after(rules, peak, post, games)
    state.games_above_2200 += games_above_2200(rules, rated, prior, prior_games, played)
    state.life_master = is_life_master(rules, state.life_master, state.games_above_2200)
    state.lowered_floor = lowered_floor_after(rules, state.lowered_floor, peak, state.peak)


@formula
def outcome(rules: Any, match: bool, result: float, limited: float, floor: float) -> int:
    """What happened on the way from the Step 5 result to the new rating, as flags of a row."""
    flags = 0
    if limited != result:
        flags += LIMITED
    if limited < floor:
        flags += FLOORED
        if match and floor > rules.absolute_floor:
            flags += FLOOR_REQUEST
    return flags


@formula
def fide_event(s: int, tables: Tables, carried: Carried, work: Work) -> None:
    """2025 §6: a foreign FIDE event adjusts the OTBR ratings of those who are eligible (see section.fide_adjustment)."""
    rules = tables.rules[tables.section_rules[s]]
    base = tables.entry_start[s]
    for i in range(tables.entry_start[s + 1] - base):
        row = carried.rows[tables.row_start[s] + i]
        row.post = math.nan
        row.prior = math.nan
        row.source = RATED
        row.system = OTBR
        state = carried.states[tables.entry_player[base + i], OTBR]
        eligible = tables.entry_counts[base + i] and not math.isnan(state.rating)
        if eligible and (state.games > rules.established_games or not rules.fide_established_only):
            fide_adjustment(rules, s, base, i, state, tables, carried, work)


@formula
def fide_adjustment(
    rules: Any, s: int, base: int, i: int, state: Any, tables: Tables, carried: Carried, work: Work
) -> None:
    """One pass of the standard formula against converted FIDE ratings; opponents without one are ignored."""
    section = tables.sections[s]
    played = 0
    for game in range(tables.game_start[base + i], tables.game_start[base + i + 1]):
        opponent = tables.entry_player[base + tables.opponent[game]]
        place = foreign_row(tables.foreign, tables.foreign_start, opponent, FIDE, section.end_day)
        if place >= 0:
            rating = tables.foreign[place].rating
            work.facing[played] = from_fide_youth(rules, rating) if section.youth else from_fide(rules, rating)
            work.fide_opponent[played] = tables.opponent[game]
            work.fide_points[played] = tables.half_points[game]
            played += 1
    if played == 0:
        return
    prior, games = state.rating, state.games
    result, _, _, _ = standard_rating(
        rules, OTBR, False, True, 1, prior, effective_games(rules, prior, games), score_of(work.fide_points, 0, played),
        work.facing, work.fide_opponent, 0, played,
    )  # fmt: skip
    weight = rules.half_k_weight if section.weight == HALF else 1
    settle(
        rules, section, s, OTBR, weight, tables.entry_player[base + i], True, prior, games,
        max(result, rules.absolute_floor), 0, work.fide_points, 0, played, tables.row_start[s] + i, 0, tables, carried,
    )  # fmt: skip


@formula
def adjust(adjustment: Any, states: Any) -> None:
    """An office's order. The fields are those of history.ADJUSTABLE, by index."""
    state = states[adjustment.player, adjustment.system]
    field, value = adjustment.field, adjustment.value
    if field == 0:
        state.rating = value
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
    elif field == 10:
        state.life_master = value == 1.0
    elif field == 11:
        state.ceiling = value
    elif field == 12:
        state.games_above_2200 = int(value)
    elif field == 13:
        state.lowered_floor = value


@formula
def count_of(value: float) -> int:
    return UNKNOWN if math.isnan(value) else int(value)
