"""Recomputes every section of a published record, in rating order. Plain numbers over arrays, compiled too
(systems.formula).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crosstable.lab.players_so_far import (
    MANY,
    NONE,
    RATINGS,
    Findings,
    Matches,
    RecordSoFar,
    SeatColumns,
    SectionColumns,
    games_before,
    history_before,
    is_known,
    known_floor,
    learn,
    prior_rating,
    within_limits,
)
from crosstable.systems.formula import formula
from crosstable.systems.us_chess.formulas import effective_games, match_result, round_half_up, stored, uses_special
from crosstable.systems.us_chess.steps import five_steps, score_of, standard_rating

if TYPE_CHECKING:
    from crosstable.systems.us_chess.coefficients import Coefficients


class SectionField(NamedTuple):
    """The players of one section who played, as the five steps want them."""

    seat: Any
    first: Any
    opponent: Any
    half_points: Any
    prior: Any
    games: Any
    history: Any


@formula
def everybody_rated(seats: SeatColumns, first: int, last: int, rating: int) -> bool:
    """Return whether the section has games and all its players were rated before."""
    players = 0
    for seat in range(first, last):
        if seats.first_game[seat + 1] > seats.first_game[seat]:
            players += 1
            if seats.pre[seat, rating] == NONE:
                return False
    return players > 0


@formula
def field_of(
    rules: Coefficients, sections: SectionColumns, seats: SeatColumns, known: RecordSoFar, section: int, rating: int
) -> SectionField:
    begin, end = sections.first_seat[section], sections.first_seat[section + 1]
    place = np.full(end - begin, NONE, np.int64)
    count = 0
    for seat in range(begin, end):
        if seats.first_game[seat + 1] > seats.first_game[seat]:
            place[seat - begin] = count
            count += 1
    total = seats.first_game[end] - seats.first_game[begin]
    opponent, half_points = np.empty(total, np.int64), np.empty(total, np.int64)
    seat_of, first = np.empty(count, np.int64), np.zeros(count + 1, np.int64)
    prior, games, history = np.empty(count), np.empty(count, np.int64), np.empty(count, np.int64)
    at = 0
    for seat in range(begin, end):
        i = place[seat - begin]
        if i == NONE:
            continue
        seat_of[i] = seat
        prior[i] = prior_rating(seats, known, seat, rating)
        games[i] = games_before(seats, known, seat, rating)
        history[i] = history_before(rules, seats, known, seat, rating, games[i])
        for game in range(seats.first_game[seat], seats.first_game[seat + 1]):
            opponent[at] = place[seats.opponent[game]]
            half_points[at] = seats.half_points[game]
            at += 1
        first[i + 1] = at
    return SectionField(seat_of, first, opponent, half_points, prior, games, history)


@formula
def results_of(
    rules: Coefficients, sections: SectionColumns, field: SectionField, section: int, rating: int
) -> tuple[Any, Any]:
    """Step 5 for everybody, and the opponents' ratings that it saw."""
    count = len(field.seat)
    rated: Any = np.ones(count, np.bool_)
    facing: Any = np.empty(len(field.opponent))
    scratch: Any = np.empty((8, count))
    dual = sections.rated[section, 0] and sections.rated[section, 1]
    result = scratch[4]
    five_steps(
        rules,
        rating,
        dual,
        not sections.match[section],
        sections.weight[section, rating],
        count,
        field.first,
        field.opponent,
        field.half_points,
        field.prior,
        field.games,
        rated,
        field.history,
        scratch[0],
        scratch[1],
        scratch[2],
        facing,
        scratch[3],
        result,
        scratch[5],
        scratch[6],
        scratch[7],
    )
    return result, facing


@formula
def likely_games(
    rules: Coefficients,
    sections: SectionColumns,
    field: SectionField,
    facing: Any,
    section: int,
    rating: int,
    i: int,
    post: int,
) -> int:
    """N of an established player whose published rating shows fewer games than N*: the middle of those that lead to it,
    or NONE.
    """
    if sections.match[section]:
        return NONE
    first, last, prior = field.first[i], field.first[i + 1], field.prior[i]
    score = score_of(field.half_points, first, last)
    dual = sections.rated[section, 0] and sections.rated[section, 1]
    found, total = 0, 0
    for games in range(rules.established_games + 1, math.ceil(effective_games(rules, prior, MANY))):
        result, _, _, _ = standard_rating(
            rules,
            rating,
            dual,
            True,
            sections.weight[section, rating],
            prior,
            float(games),
            score,
            facing,
            field.opponent,
            first,
            last,
        )
        if round_half_up(stored(rules, prior, result)) == post:
            found += 1
            total += games
    return total // found if found > 0 else NONE


@formula
def recompute_section(
    table: Any,
    sections: SectionColumns,
    seats: SeatColumns,
    known: RecordSoFar,
    matches: Matches,
    findings: Findings,
    section: int,
    rating: int,
) -> None:
    """One section in one rating: the five steps from the published ratings, the cap of a match, floors, storage."""
    rules = table[sections.rules[section]]
    field = field_of(rules, sections, seats, known, section, rating)
    result, facing = results_of(rules, sections, field, section, rating)
    decidable = True
    for i in range(len(field.seat)):
        seat, prior, post = field.seat[i], field.prior[i], result[i]
        decidable = decidable and is_known(seats, known, seat, rating)
        if sections.match[section]:
            player = seats.player[seat]
            special = uses_special(rules, field.games[i], field.history[i])
            scored = score_of(field.half_points, field.first[i], field.first[i + 1]) > 0
            post = match_result(rules, special, scored, prior, post)
            post = prior + within_limits(rules, sections, known, matches, section, player, rating, post - prior)
        findings.result[seat, rating] = post
        floor = known_floor(rules, table[0], seats, known, seat, rating)
        findings.computed[seat, rating] = stored(rules, prior, max(post, floor))
        findings.whole[seat, rating] = int(round_half_up(findings.computed[seat, rating]))
        findings.games[seat, rating] = field.games[i]
        findings.special[seat, rating] = uses_special(rules, field.games[i], field.history[i])
        if (
            rules.stored_as_integers
            and field.games[i] == MANY
            and findings.whole[seat, rating] != seats.post[seat, rating]
        ):
            findings.likely[seat, rating] = likely_games(
                rules, sections, field, facing, section, rating, i, seats.post[seat, rating]
            )
    findings.decidable[section, rating] = decidable


@formula
def recompute(
    table: Any,
    sections: SectionColumns,
    seats: SeatColumns,
    known: RecordSoFar,
    matches: Matches,
    findings: Findings,
    begin: int,
    end: int,
) -> None:
    """Sections begin to end: recomputed where they can be, and learned from in any case. The table's first row: the
    oldest rules.
    """
    for section in range(begin, end):
        first, last = sections.first_seat[section], sections.first_seat[section + 1]
        for rating in range(RATINGS):
            if not sections.rated[section, rating] or sections.rules[section] == NONE:
                continue
            if sections.eligible[section] and everybody_rated(seats, first, last, rating):
                recompute_section(table, sections, seats, known, matches, findings, section, rating)
        for seat in range(first, last):
            for rating in range(RATINGS):
                if sections.rated[section, rating]:
                    learn(table, sections, seats, known, matches, findings, section, seat, rating)
