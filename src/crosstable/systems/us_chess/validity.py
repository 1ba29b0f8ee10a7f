"""What the US Chess rules need of an event: findings where a section, a record or a match is not ratable (readings 12,
22).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from crosstable.errors import NoRulesOnDate, UnknownPool, UnknownTimeControl
from crosstable.findings import declare
from crosstable.model import Event, Finding, Level, Place, Player, Rating, Section, errors
from crosstable.rulebook import Rules
from crosstable.systems.field import person
from crosstable.systems.structure import LARGEST, error
from crosstable.systems.us_chess.classification import first_day, rated_in
from crosstable.systems.us_chess.coefficients import Coefficients, coefficients
from crosstable.systems.us_chess.deciding import rules_of
from crosstable.systems.us_chess.entries import entries_of, with_event_ratings
from crosstable.systems.us_chess.fide_events import not_standard
from crosstable.systems.us_chess.formulas import rating_floor, round_half_up
from crosstable.systems.us_chess.pools import KEYS, MAIN
from crosstable.systems.us_chess.time_controls import parse
from crosstable.systems.us_chess.update import or_nan

NO_RULES = declare(
    "no-rules",
    Level.ERROR,
    "No US Chess rules are known for that day.",
    "Correct the date, or rate it with the system uscf_1996.",
)
NOT_RATABLE = declare(
    "not-ratable",
    Level.ERROR,
    "US Chess does not rate this time control, or did not on that day.",
    "Correct the time control, the mode or the date.",
)
declare("not-yet", Level.ERROR, "A rating is of a pool that did not exist yet.", "Leave it out, or correct the date.")
NO_GAME_COUNT = declare(
    "no-game-count",
    Level.ERROR,
    "The number of games behind a rating is missing.",
    "Enter the number of games, or choose one for all players.",
)
NEGATIVE_GAMES = declare(
    "negative-games", Level.ERROR, "The number of games behind a rating is negative.", "Correct it."
)
declare(
    "zero-games", Level.ERROR, "A rating is based on 0 games.", "Leave out the rating, or correct the number of games."
)
NEGATIVE_COUNT = declare("negative-count", Level.ERROR, "A count of a rating record is negative.", "Correct it.")
TOO_MANY_GAMES = declare("too-many-games", Level.ERROR, "A count is impossibly large.", "Correct the counts.")
declare(
    "counts-differ",
    Level.ERROR,
    "Wins, draws and losses do not add up to the games.",
    "Correct them, or leave them out.",
)
BELOW_OWN_FLOOR = declare(
    "below-own-floor", Level.WARNING, "A rating is below its own floor.", "The floor holds; check the record."
)
declare(
    "foreign-rating-unused",
    Level.NOTICE,
    "A foreign rating is not used under the rules of that day.",
    "No action is needed: the message gives the reason.",
)
declare("no-quarter-k", Level.ERROR, "No US Chess formula for quarter-K events is known.", "Use weight full.")
NO_HALF_K = declare("no-half-k", Level.ERROR, "Half-K events had ended by that day.", "Use weight full.")
MATCH_OF_MANY = declare(
    "match-of-many", Level.ERROR, "A match has two players.", "Use kind swiss, round-robin or other."
)
declare(
    "match-not-established",
    Level.ERROR,
    "A player of a match has no established rating.",
    "Only established players may have a match rated.",
)
declare(
    "match-gap",
    Level.ERROR,
    "The players of a match are too far apart.",
    "The message gives the limit.",
)
declare(
    "match-pool-left-out",
    Level.NOTICE,
    "A match is not rated in one of its pools.",
    "No action is needed: the message gives the reason.",
)

#: More games than anybody can play, few enough for every number type
MOST_GAMES = 1_000_000


def section_rules(event: Event, section: Section, profile: str) -> tuple[Rules | None, tuple[str, ...], list[Finding]]:
    """Return the rules and pools of a section, or why there are none."""
    where, section = Place(section=section.number), with_event_ratings(event, section)
    if section.start is None or section.end is None or event.end is None:  # structure.problems names it
        return None, (), _undated_control(section, where)
    try:
        rules = rules_of(section.start, section.end, event.end, profile)
    except NoRulesOnDate as problem:
        return None, (), [NO_RULES.at(where, f"{problem}.")]
    if section.kind == "fide":
        return rules, (MAIN,), _not_standard(rules, section, where)
    if not section.time_control:
        return rules, *_as_shown(rules, section, where)
    try:
        pools = rated_in(rules, section.mode, section.time_control)
        return rules, *match_pools(section, pools, rules)
    except UnknownTimeControl as problem:
        return rules, (), [_unreadable(problem, where)]
    except UnknownPool as problem:
        return rules, (), [NOT_RATABLE.at(where, f"{problem}.")]


def _not_standard(rules: Rules, section: Section, where: Place) -> list[Finding]:
    """Report that rapid and blitz events abroad change nothing (readings 40)."""
    reason = not_standard(rules, section)
    if not reason:
        return []
    message = f"not a standard event: {reason}."
    return [Finding(Level.NOTICE, "fide-not-standard", where, message, "Correct the time control if it was one.")]


def _undated_control(section: Section, where: Place) -> list[Finding]:
    """Report a time control that is missing or unreadable on any day, together with the missing date."""
    if section.kind == "fide" or (not section.time_control and _pools_shown(section)):
        return []
    if not section.time_control:
        return [_no_time_control(where)]
    try:
        parse(section.time_control)
    except UnknownTimeControl as problem:
        return [_unreadable(problem, where)]
    return []


def _no_time_control(where: Place) -> Finding:
    return error("missing-time-control", where, "the time control is missing.", "Enter it, for example G/60;d5.")


def _unreadable(problem: UnknownTimeControl, where: Place) -> Finding:
    message = f"no time control that we can read: {problem}."
    return error("unreadable-time-control", where, message, "Write it as in G/60;d5 or 40/90,SD/30;d5.")


def _pools_shown(section: Section) -> tuple[str, ...]:
    """Return the pools whose columns a published crosstable has (formats.text_crosstable)."""
    shown = section.notes.get("pools")
    return tuple(name for name in KEYS if isinstance(shown, list | tuple) and name in shown)


def _as_shown(rules: Rules, section: Section, where: Place) -> tuple[tuple[str, ...], list[Finding]]:
    """Return the pools that a published crosstable shows: it has no time control,
    but its columns show what it was rated in.
    """
    pools = _pools_shown(section)
    if not pools:
        return (), [_no_time_control(where)]
    if missing := [name for name in pools if name not in rules["pools"]["pools"]]:
        begin = ", ".join(f"{name} ratings begin on {first_day(name)}" for name in missing)
        return (), [error("not-ratable", where, f"{begin}.", "Correct the date.")]
    message = f"the time control is missing: rated in {' and '.join(pools)}, as the file shows."
    return pools, [
        Finding(
            Level.WARNING, "missing-time-control", where, message, "Enter it, for example G/60;d5, if that is wrong."
        )
    ]


def problems(event: Event, profile: str) -> list[Finding]:
    """Everything that stands in the way of rating this event, and what is odd about its records."""
    findings: list[Finding] = []
    for section in event.sections:
        rules, pools, unratable = section_rules(event, section, profile)
        findings += unratable
        numbers = coefficients(rules) if rules is not None else None
        last = event.end or section.end
        for player in section.players:
            findings += _records(section, player, pools, numbers, last)
        findings += _reentries(section)
        if rules is not None:
            findings += _weight(section, rules)
            for pool in pools:
                findings += _match(with_event_ratings(event, section), pool, rules)
    return findings


def _records(
    section: Section, player: Player, pools: tuple[str, ...], numbers: Coefficients | None, last: date | None
) -> Iterator[Finding]:
    who = Place(section=section.number, players=(player.number,))
    for name, record in player.ratings.items():
        if name in KEYS:
            where = who.at(pool=name)
            yield from _record(where, name, record, section, name in pools)
            yield from _dated(where, record.date, last)
            if numbers is not None:
                yield from _own_floor(where, name, record, numbers)
    for name, foreign in (("FIDE", player.fide), ("CFC", player.cfc)):
        if foreign is not None:
            where = who.at(pool=name)
            yield from _number(where, foreign.rating)
            yield from _dated(where, foreign.date, last)
    if player.foreign_rating is not None:
        yield from _number(who.within("foreign rating"), player.foreign_rating)
        if numbers is not None and not numbers.foreign_counts:
            message = f"the converted foreign rating {player.foreign_rating:g} is not used."
            advice = "The 2025 edition starts from FIDE, CFC and US Chess ratings only."
            yield Finding(Level.NOTICE, "foreign-rating-unused", who, message, advice)
    if player.birth_date is not None and last is not None and player.birth_date > last:
        yield error(
            "born-after-event", who, "the birth date is after the event.", "Correct the birth date, or leave it out."
        )


def _record(where: Place, name: str, record: Rating, section: Section, rated: bool) -> Iterator[Finding]:
    yield from _number(where, record.rating)
    if section.start is not None and str(section.start) < first_day(name):
        yield error(
            "not-yet", where, f"{name} ratings begin on {first_day(name)}.", "Leave the rating out or correct the date."
        )
    if record.games is None:
        yield NO_GAME_COUNT.at(where, "the number of games behind the rating is missing.")
    elif record.games < 0:
        yield NEGATIVE_GAMES.at(where, f"the number of games is {record.games}.")
    elif rated and record.games == 0:
        yield error(
            "zero-games",
            where,
            "a rating needs at least one game.",
            "Leave out the rating if the player is unrated, or correct the number of games.",
        )
    counts = (record.wins, record.draws, record.losses)
    more = (*counts, record.three_game_events, record.games_above_2200)
    if any(count is not None and count < 0 for count in more):
        yield NEGATIVE_COUNT.at(where, "a count is negative.")
    if any(count is not None and count > MOST_GAMES for count in (record.games, *more)):
        yield TOO_MANY_GAMES.at(where, f"no player has played more than {MOST_GAMES:,} games.")
    if None not in counts and record.games is not None:
        total = sum(count or 0 for count in counts)
        if total + record.assigned_games != record.games:
            found = f"wins + draws + losses = {total}, but games = {record.games}"
            yield error(
                "counts-differ", where, f"{found}.", "Correct them, or leave wins, draws and losses out if unknown."
            )


def _own_floor(where: Place, name: str, record: Rating, rules: Coefficients) -> Iterator[Finding]:
    floor = rating_floor(
        rules,
        KEYS.index(name),
        0.0,
        0.0,
        record.life_master,
        record.prize_floor or 0.0,
        or_nan(record.lowered_floor),
        or_nan(record.lowered_from),
    )
    if 0 <= record.rating < floor:
        yield BELOW_OWN_FLOOR.at(where, f"the rating {record.rating:g} is below its own floor of {floor:g}.")


def _number(where: Place, rating: float) -> Iterator[Finding]:
    if not 0 <= rating <= LARGEST:
        yield error(
            "impossible-rating",
            where,
            f"the rating is {rating}.",
            f"A rating is a number from 0 to {LARGEST}; leave it out if there is none.",
        )


def _dated(where: Place, day: date | None, last: date | None) -> Iterator[Finding]:
    if day is not None and last is not None and day > last:
        yield error(
            "rating-after-event",
            where,
            f"it is dated {day}, after the event's end on {last}.",
            "Give the rating from before the event.",
        )


def _reentries(section: Section) -> Iterator[Finding]:
    seen: dict[str, Player] = {}
    for player in section.players:
        first = seen.setdefault(person(player), player)
        if first is not player and first.ratings != player.ratings:
            where = Place(section=section.number, players=(first.number, player.number))
            yield error(
                "reentry-differs",
                where,
                f"the same id ({player.id}) has two different records.",
                "Give both the same ratings.",
            )


def _weight(section: Section, rules: Rules) -> Iterator[Finding]:
    where = Place(section=section.number)
    if section.weight == "quarter":
        yield error(
            "no-quarter-k",
            where,
            "no US Chess formula for quarter-K events is known.",
            "Use weight full, or rate it with the system uscf_1996.",
        )
    elif section.weight == "half" and "half_k" not in rules:
        yield NO_HALF_K.at(where, f"half-K events had ended by {rules.date}.")


def match_pools(section: Section, pools: tuple[str, ...], rules: Rules) -> tuple[tuple[str, ...], list[Finding]]:
    """Return the pools of a dual-rated match: those in which both players qualify (readings 30); in none:
    `_match` says why.
    """
    breaches = {pool: errors(list(_match(section, pool, rules))) for pool in pools}
    qualified = tuple(pool for pool, found in breaches.items() if not found)
    if not qualified or qualified == pools:
        return pools, []
    left_out = [
        Finding(Level.NOTICE, "match-pool-left-out", finding.place, f"not rated in {pool}: {finding.message}")
        for pool, found in breaches.items()
        for finding in found
    ]
    return qualified, left_out


def _match(section: Section, pool: str, rules: Rules) -> Iterator[Finding]:
    """2025 §7: both established, at most 400 points apart. As practised such matches were rated all the same."""
    if section.kind != "match":
        return
    where = Place(section=section.number)
    known = {player.number for player in section.players}
    if any(number not in known for game in section.games for number in (game.white, game.black)):
        return  # structure.problems names it
    field = entries_of(section)
    if len(field) > 2:
        yield MATCH_OF_MANY.at(where, f"a match has two players, not {len(field)}.")
        return
    level = Level.WARNING if "otherwise rated" in rules["matches"]["breach"] else Level.ERROR
    records: list[Mapping[str, Rating]] = [entry.player.ratings for entry in field]
    for entry in field:
        record = entry.player.ratings.get(pool)
        if record is None or (record.games or 0) <= rules["established"]["games"]:
            message = f"player {entry.number} has no established {pool} rating."
            yield Finding(
                level, "match-not-established", where, message, "Only established players may have a match rated."
            )
    if len(records) == 2 and all(pool in ratings for ratings in records):
        gap = abs(round_half_up(records[0][pool].rating) - round_half_up(records[1][pool].rating))  # as published
        if gap > rules["matches"]["gap"]:
            message = f"the players are {gap:g} points apart in {pool}."
            yield Finding(level, "match-gap", where, message, f"At most {rules['matches']['gap']:g} are allowed.")
