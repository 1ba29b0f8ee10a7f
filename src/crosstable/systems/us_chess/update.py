"""What one section did to one player's rating in one pool: every number on the way, and the state to carry on."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date

from crosstable.model import MatchChange, Rating, Section
from crosstable.rulebook import Rules
from crosstable.systems.us_chess import aftermath
from crosstable.systems.us_chess.coefficients import Coefficients
from crosstable.systems.us_chess.entries import SectionEntry
from crosstable.systems.us_chess.formulas import (
    earned_floor,
    floor_lowered,
    match_change,
    match_result,
    personal_floor,
    rating_floor,
    round_half_up,
)
from crosstable.systems.us_chess.pools import KEYS

NAN = float("nan")


def or_nan(value: float | None) -> float:
    """NaN is how a formula hears "none"."""
    return NAN if value is None else value


def some(number: float) -> float | None:
    """NaN is how a formula says "none"."""
    return None if math.isnan(number) else number


@dataclass(frozen=True, slots=True)
class Start:
    """Step 1: where a player starts from."""

    rating: float
    games: int
    record: Rating | None  # None: initialised in this event
    source: int | None = None  # of an initialised rating: see initial
    by_age: bool = False  # what an age made it, here or in an earlier section that did not move it

    @property
    def rated(self) -> bool:
        return self.record is not None


@dataclass(frozen=True, slots=True)
class UpdateSteps:
    """Steps 2 to 5 of one player. None where a step does not apply."""

    effective: float
    history: int
    special: bool
    first_estimate: float | None  # Step 3
    intermediate: float | None  # Step 4; a FIDE adjustment has one pass only
    expected: float | None
    k: float | None
    bonus: float | None
    result: float  # Step 5
    step4_facing: tuple[float, ...]  # the opponents' ratings, game by game
    step5_facing: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PlayerUpdate:
    """One player's new rating: the steps, what came after them, and the state to carry on."""

    entry: SectionEntry
    pool: str
    start: Start
    steps: UpdateSteps
    limited: float  # within the limits of a match
    floor: float
    floor_request: float | None  # the lower floor that a match result asks for
    post: float
    post_games: int
    state: Rating

    @property
    def published(self) -> int:
        return int(round_half_up(self.post))

    @property
    def still_by_age(self) -> bool:
        """Whether no result has moved the rating from where an age put it.

        Less than a point is no move: the whole number would be the same. And a rating that a match moved as far as it
        may stands a known number of points beside its start.
        """
        return self.start.by_age and (self.limited != self.steps.result or abs(self.post - self.start.rating) < 1)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the whole section has in common."""

    rules: Coefficients
    dual: bool
    match: bool
    weight: int  # how often the prior weighs (half-K: 2)
    end: date
    event_end: date  # ages and the staleness of other ratings count to this day (readings 27)
    match_days: int
    match_years: int


@dataclass(frozen=True, slots=True)
class Context:
    """The section that an update belongs to."""

    section: Section
    rules: Rules
    circumstances: Circumstances
    field: tuple[SectionEntry, ...]


def peak_before(rules: Coefficients, start: Start) -> float:
    """Return the highest established rating before this event, the pre-event rating itself included (readings 6);
    NaN if none.
    """
    peak = start.record.peak if start.record else None
    return aftermath.established_peak(rules, start.rated, start.rating, start.games, or_nan(peak))


def holds_life_master(rules: Coefficients, record: Rating | None) -> bool:
    return record is not None and aftermath.is_life_master(rules, record.life_master, record.games_above_2200)


def counts_with(entry: SectionEntry, record: Rating | None) -> tuple[int, int, int]:
    """Wins, draws and three-game events with the current event counted in; unknown counts are none (readings 5)."""
    wins, draws, _ = entry.results()
    events = int(entry.games >= aftermath.THREE_GAME_EVENT)
    if record is None:
        return wins, draws, events
    return wins + (record.wins or 0), draws + (record.draws or 0), events + record.three_game_events


def personal_floor_of(rules: Coefficients, pool: str, entry: SectionEntry, record: Rating | None) -> float:
    """AF with the current event counted in."""
    return personal_floor(rules, KEYS.index(pool), *counts_with(entry, record))


@dataclass(frozen=True, slots=True)
class Mastery:
    """What the games above 2200 have earned, the current event's counted in (readings 41)."""

    games: int
    life_master: bool
    lowered: float  # the lowered floor; one that is earned now was set after the lowering (readings 23)


def mastery_with(rules: Coefficients, pool: str, entry: SectionEntry, start: Start) -> Mastery:
    record = start.record
    games = aftermath.games_above_2200(rules, start.rated, start.rating, start.games, entry.games)
    games += record.games_above_2200 if record else 0
    life_master = aftermath.is_life_master(rules, record is not None and record.life_master, games)
    lowered = or_nan(record.lowered_floor if record else None)
    newly = life_master and not holds_life_master(rules, record)
    if newly and rules.life_master_pools[KEYS.index(pool)] == 1:
        before = or_nan(record.lowered_from if record else None)
        lowered = aftermath.lowered_floor_after(rules, lowered, before, rules.life_master_floor)
    return Mastery(games, life_master, lowered)


def floor_of(rules: Coefficients, pool: str, entry: SectionEntry, start: Start) -> float:
    """Return the floor in this event, with what its own games earn: the personal one and a life master's
    (readings 41).
    """
    record, mastery = start.record, mastery_with(rules, pool, entry, start)
    return rating_floor(
        rules,
        KEYS.index(pool),
        personal_floor_of(rules, pool, entry, record),
        earned_floor(rules, peak_before(rules, start)),
        mastery.life_master,
        or_nan(record.prize_floor if record else None),
        mastery.lowered,
        or_nan(record.lowered_from if record else None),
    )


def lowered_from(rules: Coefficients, record: Rating | None) -> float:
    """Return the floor that granted requests have lowered (readings 23); NaN: none."""
    if record is None or record.lowered_floor is None:
        return NAN
    return floor_lowered(rules, record.lowered_floor, or_nan(record.lowered_from))


def match_net(changes: tuple[MatchChange, ...], since: date, until: date) -> float:
    net = 0.0
    for match in reversed(changes):  # the newest first, as the replay finds them
        if since <= match.date <= until:
            net += match.change
    return net


def years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:  # February 29
        return day.replace(year=day.year - years, day=28)


def within_match_limits(section: Circumstances, entry: SectionEntry, start: Start, steps: UpdateSteps) -> float:
    """2025 §7: a match moves a rating by 50 at most, and all matches of 180 days and of three years by 100 and 200 net.

    As practised unrated players had matches rated too, and moved no further from their initial rating: in the
    dual-rated matches of the record that could tell, they left with one number in both pools, against differently rated
    opponents.
    """
    if not section.match:
        return steps.result
    wins, draws, _ = entry.results()
    result = match_result(section.rules, steps.special, wins + draws > 0, start.rating, steps.result)
    changes = start.record.match_changes if start.record else ()
    half_year = date.fromordinal(section.end.toordinal() - section.match_days)
    three_years = years_before(section.end, section.match_years)
    change = match_change(
        section.rules,
        result - start.rating,
        match_net(changes, half_year, section.end),
        match_net(changes, three_years, section.end),
    )
    return start.rating + change


def settle(section: Circumstances, pool: str, entry: SectionEntry, start: Start, steps: UpdateSteps) -> PlayerUpdate:
    """From the Step 5 result to what is stored: match limits, floors once, the ceiling, whole numbers before
    2014-09.
    """
    rules, record = section.rules, start.record
    limited = within_match_limits(section, entry, start, steps)
    floor = floor_of(rules, pool, entry, start)
    request = None
    if section.match and limited < floor:
        request = some(aftermath.floor_request(rules, floor, personal_floor_of(rules, pool, entry, record)))
    post = aftermath.settled_rating(rules, start.rating, limited, floor, or_nan(record.ceiling if record else None))
    games = aftermath.games_after(start.games, entry.games, section.weight)
    state = next_state(section, pool, entry, start, post, games)
    return PlayerUpdate(entry, pool, start, steps, limited, floor, request, post, games, state)


def next_state(section: Circumstances, pool: str, entry: SectionEntry, start: Start, post: float, games: int) -> Rating:
    """Return the record to carry into the next event."""
    rules = section.rules
    wins, draws, losses = entry.results()
    old = start.record or Rating(rating=start.rating, games=start.games, wins=0, draws=0, losses=0)
    known = old.whole_history
    totals = (old.wins or 0) + wins, (old.draws or 0) + draws, (old.losses or 0) + losses
    mastery = mastery_with(rules, pool, entry, start)
    peak = aftermath.peak_after(rules, peak_before(rules, start), post, games)
    return replace(
        old,
        rating=post,
        games=games,
        date=section.end,
        wins=totals[0],  # of the games on record: what came before and is unknown counts as none (readings 5)
        draws=totals[1],
        losses=totals[2] if known else None,  # absent: not all games are on record, so the history stays mixed
        assigned_games=games - sum(totals) if known else old.assigned_games,
        three_game_events=counts_with(entry, old)[2],
        peak=some(peak),
        games_above_2200=mastery.games,
        life_master=mastery.life_master,
        match_changes=_match_changes(section, post - start.rating, old),
        lowered_floor=some(mastery.lowered),
    )


def _match_changes(section: Circumstances, change: float, old: Rating) -> tuple[MatchChange, ...]:
    if not section.match:
        return old.match_changes
    oldest = years_before(section.end, section.match_years)
    kept = tuple(earlier for earlier in old.match_changes if earlier.date >= oldest)
    return (*kept, MatchChange(section.end, change))
