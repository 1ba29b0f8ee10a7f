"""What a published record tells of its players while it is read in rating order. Plain numbers over arrays, compiled
too.

What the tables do not say is carried along from what they do say: a player's results so far, the number of games of an
established player, the floors seen earned, and the decimals that published whole numbers hide since 2014-09.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from crosstable.systems.formula import formula
from crosstable.systems.us_chess.formulas import (
    ALL_LOSSES,
    ALL_WINS,
    MIXED,
    earned_floor,
    history_of,
    match_change,
    personal_floor,
    round_half_up,
)

if TYPE_CHECKING:
    from crosstable.systems.us_chess.coefficients import Coefficients

#: Ratings that a record can hold: OTBR, OTBQ, OTBB
RATINGS = 3
#: A null in an array of whole numbers
NONE = -1
#: An established player below this has more games than N* counts (the record's definition of "known")
TAKEN_AS_ESTABLISHED_BELOW = 1950
#: N of an established player whose games are not counted: above every N*
MANY = 1_000_000


class SectionColumns(NamedTuple):
    """Columns of the sections, in rating order."""

    rules: Any  # the row of the rules' table, or NONE: no rules in force
    rated: Any  # (sections, 3): which ratings it changed
    match: Any
    eligible: Any  # of a kind that is recomputed, every opponent listed
    weight: Any  # (sections, 3): how often the prior weighs; half-K: 2
    first_seat: Any
    day: Any  # ordinal of the event's end
    half_year: Any  # the first day whose matches count in the limit of 180 days
    three_years: Any


class SeatColumns(NamedTuple):
    """Columns of the seats and of their games (see record)."""

    player: Any
    pre: Any
    pre_games: Any
    post: Any
    post_games: Any
    first_game: Any
    opponent: Any
    half_points: Any


class RecordSoFar(NamedTuple):
    """What the record has told of each player so far, (players, 3)."""

    wins: Any
    draws: Any
    losses: Any
    events: Any  # of three games and more
    games: Any  # N after the last event seen, or NONE
    post: Any  # the last published rating, or NONE
    decimals: Any  # the last rating with its decimals, or NaN
    floor: Any  # the highest floor seen earned, or 0
    match: Any  # the last match's place in the log, or NONE


class Matches(NamedTuple):
    """A log of what matches changed; each entry knows the same player's one before."""

    day: Any
    change: Any
    before: Any
    length: Any  # (1): how many stand in the log


class Findings(NamedTuple):
    """What came out, (seats, 3) and (sections, 3)."""

    result: Any  # before floors and whole numbers; NaN: not recomputed
    computed: Any  # as it would have been stored
    whole: Any  # as it would have been published
    games: Any  # N as taken
    likely: Any  # N that explains the published rating better, or NONE
    special: Any
    decidable: Any  # (sections, 3)


@formula
def games_seen(known: RecordSoFar, player: int, rating: int) -> int:
    return int(known.wins[player, rating] + known.draws[player, rating] + known.losses[player, rating])


@formula
def games_before(seats: SeatColumns, known: RecordSoFar, seat: int, rating: int) -> int:
    """N: as published while provisional; later as counted along an unbroken chain of events, else "many"."""
    if seats.pre_games[seat, rating] != NONE:
        return int(seats.pre_games[seat, rating])
    player = seats.player[seat]
    if known.games[player, rating] != NONE and known.post[player, rating] == seats.pre[seat, rating]:
        return int(known.games[player, rating])
    return MANY


@formula
def is_known(seats: SeatColumns, known: RecordSoFar, seat: int, rating: int) -> bool:
    """Whether a player's inputs are known, as the record's README defines it."""
    if seats.pre_games[seat, rating] == NONE:
        return bool(seats.pre[seat, rating] < TAKEN_AS_ESTABLISHED_BELOW)
    return bool(games_seen(known, seats.player[seat], rating) == seats.pre_games[seat, rating])


@formula
def history_before(
    rules: Coefficients, seats: SeatColumns, known: RecordSoFar, seat: int, rating: int, games: int
) -> int:
    """All wins or all losses so far, where the record holds all games or says so.

    A count that is still shown above 25 says so: such a player is not called established. Otherwise a game that the
    record does not hold may have been a draw.
    """
    player = seats.player[seat]
    if games_seen(known, player, rating) == games:
        return history_of(known.wins[player, rating], known.draws[player, rating], known.losses[player, rating])
    if seats.pre_games[seat, rating] > rules.established_games:
        return ALL_WINS if known.wins[player, rating] > 0 else ALL_LOSSES
    return MIXED


@formula
def prior_rating(seats: SeatColumns, known: RecordSoFar, seat: int, rating: int) -> float:
    """Return the published rating, with the decimals of our own chain if it leads there."""
    carried = known.decimals[seats.player[seat], rating]
    if not math.isnan(carried) and round_half_up(carried) == seats.pre[seat, rating]:
        return float(carried)
    return float(seats.pre[seat, rating])


@formula
def counted(seats: SeatColumns, seat: int) -> tuple[int, int, int]:
    """Return a seat's wins, draws and losses."""
    wins, draws, losses = 0, 0, 0
    for game in range(seats.first_game[seat], seats.first_game[seat + 1]):
        if seats.half_points[game] == 2:
            wins += 1
        elif seats.half_points[game] == 1:
            draws += 1
        else:
            losses += 1
    return wins, draws, losses


@formula
def known_floor(
    rules: Coefficients, oldest: Coefficients, seats: SeatColumns, known: RecordSoFar, seat: int, rating: int
) -> float:
    """Return the highest floor that the record proves; the true one may be higher."""
    player = seats.player[seat]
    wins, draws, losses = counted(seats, seat)
    events = known.events[player, rating] + (1 if wins + draws + losses >= 3 else 0)
    personal = personal_floor(
        rules, rating, wins + known.wins[player, rating], draws + known.draws[player, rating], events
    )
    earned = known.floor[player, rating]
    if earned > seats.pre[seat, rating]:  # lowered, or never granted
        return personal
    if seats.pre_games[seat, rating] == NONE:
        earned = max(earned, earned_floor(oldest, float(seats.pre[seat, rating])))
    return max(personal, float(earned))


@formula
def net_of_matches(matches: Matches, last: int, since: int, until: int) -> float:
    """Return what matches of earlier events have changed in sum;
    an event's own sections do not count for each other.
    """
    total = 0.0
    while last != NONE and matches.day[last] >= since:
        if matches.day[last] < until:
            total += matches.change[last]
        last = matches.before[last]
    return total


@formula
def within_limits(
    rules: Coefficients,
    sections: SectionColumns,
    known: RecordSoFar,
    matches: Matches,
    section: int,
    player: int,
    rating: int,
    change: float,
) -> float:
    last = known.match[player, rating]
    half_year = net_of_matches(matches, last, sections.half_year[section], sections.day[section])
    three_years = net_of_matches(matches, last, sections.three_years[section], sections.day[section])
    return match_change(rules, change, half_year, three_years)


@formula
def learn(
    table: Any,
    sections: SectionColumns,
    seats: SeatColumns,
    known: RecordSoFar,
    matches: Matches,
    findings: Findings,
    section: int,
    seat: int,
    rating: int,
) -> None:
    """Add what a seat's published figures and games say about the player."""
    player = seats.player[seat]
    pre, post = seats.pre[seat, rating], seats.post[seat, rating]
    wins, draws, losses = counted(seats, seat)
    if wins + draws + losses == 0 and post == NONE:
        return
    games = games_before(seats, known, seat, rating) if pre != NONE else MANY
    if findings.likely[seat, rating] != NONE:
        games = findings.likely[seat, rating]
    known.games[player, rating] = games + wins + draws + losses if games != MANY else NONE
    if seats.post_games[seat, rating] != NONE:
        known.games[player, rating] = seats.post_games[seat, rating]
    known.wins[player, rating] += wins
    known.draws[player, rating] += draws
    known.losses[player, rating] += losses
    known.events[player, rating] += 1 if wins + draws + losses >= 3 else 0
    known.post[player, rating] = post
    known.decimals[player, rating] = float(post) if post != NONE else math.nan
    if post != NONE and findings.whole[seat, rating] == post:
        known.decimals[player, rating] = findings.computed[seat, rating]
    learn_floor(table, sections, seats, known, section, seat, rating)
    if sections.match[section]:
        learn_match(sections, seats, known, matches, section, seat, rating)


@formula
def learn_match(
    sections: SectionColumns,
    seats: SeatColumns,
    known: RecordSoFar,
    matches: Matches,
    section: int,
    seat: int,
    rating: int,
) -> None:
    """One more entry in the log of matches."""
    player, entry = seats.player[seat], matches.length[0]
    pre, post = seats.pre[seat, rating], seats.post[seat, rating]
    if min(pre, post) == NONE:
        return
    matches.length[0] += 1
    matches.day[entry] = sections.day[section]
    matches.change[entry] = post - pre
    matches.before[entry] = known.match[player, rating]
    known.match[player, rating] = entry


@formula
def learn_floor(
    table: Any, sections: SectionColumns, seats: SeatColumns, known: RecordSoFar, section: int, seat: int, rating: int
) -> None:
    """Learn a floor, earned by the rules of the day on which the rating was reached; of a rating that we only find, the
    oldest.
    """
    player = seats.player[seat]
    pre, post = seats.pre[seat, rating], seats.post[seat, rating]
    if pre != NONE and pre < known.floor[player, rating]:
        known.floor[player, rating] = 0.0  # lowered, or never granted
    if pre != NONE and seats.pre_games[seat, rating] == NONE:
        known.floor[player, rating] = max(known.floor[player, rating], earned_floor(table[0], float(pre)))
    if post == NONE:
        return
    if post < known.floor[player, rating]:
        known.floor[player, rating] = 0.0
    if seats.post_games[seat, rating] == NONE and sections.rules[section] != NONE:
        earned = earned_floor(table[sections.rules[section]], float(post))
        known.floor[player, rating] = max(known.floor[player, rating], earned)
