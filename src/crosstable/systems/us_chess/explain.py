"""The work behind a rating, step by step, in words and with the numbers in place. Every number comes from the formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from crosstable.model import Player, Step
from crosstable.rulebook import Rules
from crosstable.systems.us_chess import initial
from crosstable.systems.us_chess.coefficients import SOURCES
from crosstable.systems.us_chess.formulas import (
    ALL_LOSSES,
    ALL_WINS,
    bonus_eligible,
    earned_floor,
    expected_score,
    k_factor,
    provisional_expectancy,
    special_start,
    winning_expectancy,
)
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.section import Sources, sources_of
from crosstable.systems.us_chess.update import (
    Context,
    Start,
    Update,
    counts_with,
    holds_life_master,
    lowered_from,
    peak_before,
    personal_floor_of,
)

#: A document's short name in a citation
SHORT = {"us-chess-2015": "2015", "us-chess-2017": "2017", "us-chess-2025": "2025", "glickman-2004": "Glickman 2004"}
EDITIONS = ("2015", "2017", "2025")
HISTORY = "8"  # the section of the 2025 edition that dates older values
AGE_SOURCES = (initial.AGE, initial.UNKNOWN_AGE)
RESULTS = {2: "beat", 1: "drew with", 0: "lost to"}


def cite(rules: Rules, rule: str) -> str:
    """ "2025 §4.2, since 2025-01-01"."""
    value = rules[rule]
    document, edition = SHORT.get(value.document, value.document), str(rules["edition"]["edition"])
    if document not in EDITIONS or document == edition:
        return f"{document} §{value.section}, since {value.holds_since}"
    if document < edition:  # the text in force repeats it, in the section of the same number
        return f"{edition} §{value.section}, since {value.holds_since}"
    own, _, listed = value.section.rpartition(f", {HISTORY}")  # the later edition's history list only dates it
    if own and not listed:
        return f"{edition} §{own}, since {value.holds_since} ({document} §{HISTORY})"
    return f"{document} §{value.section}, since {value.holds_since}"


def number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def points(value: float) -> str:
    """A score: 3½."""
    whole, half = divmod(value, 1)
    return f"{int(whole) or ''}½" if half and whole else ("½" if half else str(int(whole)))


def explain(update: Update, context: Context, *, whole: bool = True) -> tuple[Step, ...]:
    """All steps; or only where the player starts, for those whose work nobody asked for."""
    steps = _steps(update, context)
    return tuple(steps) if whole else (next(steps),)


def _steps(update: Update, context: Context) -> Iterator[Step]:
    yield start_step(update.entry.player, update.pool, update.start, context)
    yield _effective(update, context)
    if update.steps.first_estimate is not None:
        yield _first_estimate(update, context)
    yield _choice(update, context)
    if update.steps.intermediate is not None:
        yield _pass(update, context, 4, update.steps.step4_facing, update.steps.intermediate)
    yield _pass(update, context, 5, update.steps.step5_facing, update.steps.result)
    if not update.steps.special:
        yield _bonus(update, context)
    yield from _after(update, context)


def _count(number: float, noun: str = "game") -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def start_step(player: Player, pool: str, start: Start, context: Context) -> Step:
    """Where the player starts."""
    if start.record is not None:
        dated = f", as of {start.record.date}" if start.record.date else ""
        text = f"The {pool} rating before the event is {number(start.rating)} on {_count(start.games)}{dated}."
        return Step("Pre-event rating", text, start.rating)
    title = "Initial rating (Step 1)"
    ending = f"R0 = {number(start.rating)} on N = {_count(start.games)}."
    if start.source in AGE_SOURCES:
        text = f"No {pool} rating and no other to start from: by age. {_age(player, start, context)} {ending}"
        return Step(title, text, start.rating, "age_rating", cite(context.rules, "age_rating"))
    if start.source == initial.FOREIGN:
        text = f"No US Chess, FIDE or CFC rating: the office's conversion of a foreign rating. {ending}"
        return Step(title, text, start.rating, "initial", cite(context.rules, "initial"))
    if start.source == initial.BLENDED:
        text = f"No {pool} rating: a blend of the player's other ratings. {_blend(player, pool, context)} {ending}"
        return Step(title, text, start.rating, "blend", cite(context.rules, "initial"))
    text = f"No {pool} rating: the first source on the list that the player has. {_source(player, start)} {ending}"
    return Step(title, text, start.rating, "initial", cite(context.rules, "initial"))


def _age(player: Player, start: Start, context: Context) -> str:
    rules, end = context.circumstances.rules, context.circumstances.event_end
    if player.birth_date is None:
        kind = "an adult" if player.adult else "not known to be an adult"
        return f"No birth date, {kind}: {number(start.rating)}."
    age = initial.age_on(rules, player.birth_date.toordinal(), end.toordinal())
    if age < rules.age_plausible_from:
        kind = "an adult" if player.adult or rules.age_implausible_is_adult else "not known to be an adult"
        return f"Age {age:.2f} on {end} is an error and counts as no birth date, {kind}: {number(start.rating)}."
    return f"Age {age:.2f} on {end}: {number(start.rating)}."


def _source(player: Player, start: Start) -> str:
    source = SOURCES[start.source or 0]
    foreign = {"FIDE": player.fide, "CFC": player.cfc}.get(source)
    if foreign is not None:
        return f"{source} {number(foreign.rating)} converts to {number(start.rating)}."
    return f"It is the {source} rating."


def _blend(player: Player, key: str, context: Context) -> str:
    rules, end, pool = context.circumstances.rules, context.circumstances.event_end, KEYS.index(key)
    sources: Sources = sources_of(player, player.ratings, context.section.start or end)
    birth = player.birth_date.toordinal() if player.birth_date else initial.NO_DAY
    parts = []
    for source, name in enumerate(SOURCES):
        if not initial.usable(rules, pool, source, sources.ratings, sources.games, player.canadian_resident):
            continue
        rating, games, day = sources.ratings[source], sources.games[source], sources.days[source]
        factor = initial.game_factor(rules, pool, source, rating, games)
        weight = initial.adjusted_weight(rules, pool, source, rating, games, day, birth, player.adult, end.toordinal())
        worth = initial.converted(rules, source, rating)
        shown = number(rating) if source < initial.FIDE else f"{number(rating)} (converted {number(worth)})"
        parts.append(
            f"{name} {shown} of {date.fromordinal(day)} weighs {number(factor)} × {weight / factor:.4f} = {weight:.2f} games"
        )
    return "; ".join(parts) + "."


def _effective(update: Update, context: Context) -> Step:
    formula, start = context.rules["effective_games"], update.start
    if start.rating <= formula["limit"]:
        words = (
            f"N* = {formula['cap']:g}/√({formula['constant']:g} + {formula['slope']:.8f}".rstrip("0")
            + f" × ({formula['centre']:g} − {number(start.rating)})²)"
        )
    else:
        words = f"N* = {formula['cap']:g} above {formula['limit']:g}"
    text = f"{words}; N' is the smaller of it and N = {start.games}: {number(update.steps.effective)}."
    return Step(
        "Effective games (Step 2)",
        text,
        update.steps.effective,
        "effective_games",
        cite(context.rules, "effective_games"),
    )


def _first_estimate(update: Update, context: Context) -> Step:
    estimate = update.steps.first_estimate
    text = f"An unrated player on no games: a first estimate by the special formula, as if on one game: {number(estimate or 0)}."
    return Step("First estimate (Step 3)", text, estimate, "special", cite(context.rules, "special"))


def _choice(update: Update, context: Context) -> Step:
    steps, games, limit = update.steps, update.start.games, context.rules["special"]["games"]
    if context.section.kind == "fide":
        text = "A foreign FIDE event: the standard formula, once, against converted FIDE ratings."
        return Step("Which formula", text, None, "fide_events", cite(context.rules, "fide_events"))
    if not steps.special:
        record = f"{_count(games)}, more than {limit}, and these earlier games were neither all won nor all lost"
        text = (
            f"The record before this event decides: {record}. So it is the standard formula, whatever the score here."
        )
        return Step("Which formula", text, None, "standard", cite(context.rules, "standard"))
    if steps.history in (ALL_WINS, ALL_LOSSES):
        kind = "wins" if steps.history == ALL_WINS else "losses"
        credited = update.start.record.assigned_games if update.start.record is not None else 0
        beside = f", beside {_count(credited)} credited from other ratings" if credited else ""
        text = f"Nothing but {kind} before this event{beside}: the special formula."
    else:
        text = f"{_count(games)} before, not more than {limit}: the special formula."
    return Step("Which formula", text, None, "special", cite(context.rules, "special"))


def _pass(update: Update, context: Context, step: int, facing: Sequence[float], result: float) -> Step:
    title = "Intermediate rating (Step 4)" if step == 4 else "New rating (Step 5)"
    rule = "special" if update.steps.special else "standard"
    words = (
        _special_words(update, context, facing)
        if update.steps.special
        else _standard_words(update, context, facing, step)
    )
    text = f"{_games(update, context, facing)} {words} = {number(result)}."
    return Step(title, text, result, rule, cite(context.rules, rule))


def _games(update: Update, context: Context, facing: Sequence[float]) -> str:
    rules, prior = context.circumstances.rules, update.start.rating
    parts = []
    for opponent, half_points, rating in zip(update.entry.opponents, update.entry.half_points, facing, strict=True):
        whom = f"{RESULTS[half_points]} #{context.field[opponent].number} ({rating:.1f})"
        parts.append(
            whom if update.steps.special else f"{whom}, expected {winning_expectancy(rules, prior, rating):.3f}"
        )
    return "; ".join(parts).capitalize() + "."


def _standard_words(update: Update, context: Context, facing: Sequence[float], step: int) -> str:
    here, rules, entry, prior = context.circumstances, context.circumstances.rules, update.entry, update.start.rating
    expected = expected_score(rules, prior, facing, 0, len(facing))
    k = k_factor(rules, KEYS.index(update.pool), here.dual, prior, update.steps.effective, entry.games, here.weight)
    gain = k * (entry.score - expected)
    words = f"S = {points(entry.score)}, E = {expected:.4f}, K = {k:.4f}: {number(prior)} {'+' if gain >= 0 else '−'} {abs(gain):.4f}"
    if step == 5 and update.steps.bonus:
        return f"{words} + {update.steps.bonus:.4f} bonus"
    reached = update.steps.intermediate if step == 4 else update.steps.result
    extra = (reached or 0.0) - prior - gain
    if extra > 1e-9:
        return f"{words}, with {'bonus' if gain > 0 else f'the floor of {rules.absolute_floor:g}'}"
    return words


def _special_words(update: Update, context: Context, facing: Sequence[float]) -> str:
    rules, steps, entry = context.circumstances.rules, update.steps, update.entry
    start, made = special_start(rules, update.start.rating, steps.effective, steps.history, entry.score)
    prior = f"the prior {number(start)} counting as {number(steps.effective)} games, " if steps.effective else ""
    rating = steps.intermediate if facing is steps.step4_facing else steps.result
    at = rating if rating is not None else start
    expected = steps.effective * provisional_expectancy(rules, at, start)
    expected += sum(provisional_expectancy(rules, at, opponent) for opponent in facing)
    words = f"S = {points(entry.score)}; with {prior}S' = {number(made)}: the rating at which the expected score"
    if all(
        abs(at - opponent) > rules.special_span + rules.special_epsilon
        for opponent in (start, *facing)
        if opponent != at
    ):
        return f"{words} is that score. Nobody is within {rules.special_span:g} points, so many ratings fit: the one nearest to the prior"
    return f"{words} (here {expected:.4f}) is that score"


def _bonus(update: Update, context: Context) -> Step:
    steps, entry, here = update.steps, update.entry, context.circumstances
    source = cite(context.rules, "bonus")
    if here.match:
        return Step("Bonus", "Matches earn no bonus.", 0.0, "matches", cite(context.rules, "matches"))
    if not bonus_eligible(here.rules, entry.opponents, 0, entry.games):
        why = _count(entry.games) if entry.games < here.rules.bonus_games else "an opponent was met too often"
        return Step("Bonus", f"None: {why}.", 0.0, "bonus_eligibility", cite(context.rules, "bonus_eligibility"))
    gain = (steps.k or 0.0) * (entry.score - (steps.expected or 0.0))
    counted = max(float(entry.games), here.rules.bonus_counted_games)
    threshold = f"{here.rules.bonus_multiplier:g} × √{counted:g} = {here.rules.bonus_multiplier * counted**0.5:.4f}"
    if not steps.bonus:
        moved = (
            f"a loss of {-gain:.4f} earns none" if gain < 0 else f"the gain of {gain:.4f} does not exceed {threshold}"
        )
        return Step("Bonus", f"None: {moved}.", 0.0, "bonus", source)
    text = f"The gain of {gain:.4f} exceeds {threshold} by {steps.bonus:.4f}: that is the bonus."
    return Step("Bonus", text, steps.bonus, "bonus", source)


def _after(update: Update, context: Context) -> Iterator[Step]:
    """Match limits, floors, the ceiling and rounding: only those that did something, but the floor always."""
    steps, here, record = update.steps, context.circumstances, update.start.record
    if here.match and update.limited != steps.result:
        limits = context.rules["matches"]
        text = (
            f"A match moves a rating by {limits['limit']:g} points at most, all matches within {limits['days']} days together by "
            f"{limits['limit_180_days']:g}, and within {limits['years']} years by {limits['limit_3_years']:g}: {number(update.limited)}."
        )
        if steps.special and here.rules.match_special_all:
            text = f"As practised players on the special formula {limits['special']}. {text}"
        yield Step("Match limits", text, update.limited, "matches", cite(context.rules, "matches"))
    yield _floor(update, context)
    if record is not None and record.ceiling is not None and max(update.limited, update.floor) > record.ceiling:
        text = f"The rating may not rise above its ceiling of {number(record.ceiling)}."
        yield Step("Ceiling", text, record.ceiling, "adjustments", cite(context.rules, "adjustments"))
    source, published = cite(context.rules, "storage"), float(update.published)
    text = f"Stored as {number(update.post)}, published as {update.published}, on {_count(update.post_games)}."
    yield Step("Published", text, published, "storage", source)


def _personal_words(update: Update, context: Context) -> str:
    """The sum behind the personal floor, this event counted in."""
    rules, record = context.circumstances.rules, update.start.record
    words = "the personal absolute floor"
    if rules.personal_floor_pools[KEYS.index(update.pool)] == 0 or rules.personal_floor_cap <= rules.absolute_floor:
        return f"{words}, the same for everybody"
    wins, draws, events = counts_with(update.entry, record)
    reached = rules.absolute_floor
    reached += rules.personal_floor_win * wins + rules.personal_floor_draw * draws + rules.personal_floor_event * events
    words += (
        f": {rules.absolute_floor:g} + {rules.personal_floor_win:g} × {_count(wins, 'win')} + {rules.personal_floor_draw:g} × "
        f"{_count(draws, 'draw')} + {rules.personal_floor_event:g} × {_count(events, 'event')} of three games or more = {reached:g}"
    )
    if reached > rules.personal_floor_cap:
        words += f", at most {rules.personal_floor_cap:g}"
    if record is not None and not record.whole_history:
        words += "; not all earlier wins and draws are on record"
    return words


def _floor(update: Update, context: Context) -> Step:
    rules, start = context.circumstances.rules, update.start
    personal = personal_floor_of(rules, update.pool, update.entry, start.record)
    candidates, names = {"personal_floor": personal}, {"personal_floor": _personal_words(update, context)}
    earned = earned_floor(rules, peak_before(rules, start))
    if not earned <= lowered_from(rules, start.record):  # else this is what was lowered
        candidates["earned_floor"] = earned
        names["earned_floor"] = f"earned by a peak of {number(peak_before(rules, start))}"
    if start.record is not None and start.record.prize_floor is not None:
        candidates["prize_floor"], names["prize_floor"] = start.record.prize_floor, "set by a cash prize"
    if holds_life_master(rules, start.record):
        candidates["life_master"], names["life_master"] = rules.life_master_floor, "of an Original Life Master"
    binding = next((rule for rule, floor in candidates.items() if floor == update.floor), "matches")
    words = names.get(binding, "lowered on request")
    if update.floor_request is not None:
        text = f"The match result {number(update.limited)} is below the floor of {number(update.floor)} ({words}): a request to lower it; until granted it holds."
    elif update.limited < update.floor:
        text = f"{number(update.limited)} is below the floor of {number(update.floor)} ({words}): the floor holds."
    else:
        text = f"The floor is {number(update.floor)} ({words}); it does not bind."
    return Step("Floor", text, update.floor, binding, cite(context.rules, binding))
