"""The work behind a rating as a sequence of facts. Every number comes from the formulas; `words` says it in English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from crosstable.model import Player, Step
from crosstable.model.derivation import Citation, OwnRating, Published
from crosstable.model.us_chess_steps import (
    AgeStart,
    Blend,
    BlendSource,
    Bonus,
    BonusReason,
    Ceiling,
    EffectiveGames,
    FirstEstimate,
    Floor,
    FloorCandidate,
    FloorReason,
    FormulaChoice,
    FormulaReason,
    GameFact,
    MatchLimits,
    Pass,
    PersonalFloor,
    TakenOver,
)
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
from crosstable.systems.us_chess.section import sources_of
from crosstable.systems.us_chess.update import (
    Context,
    PlayerUpdate,
    Start,
    counts_with,
    lowered_from,
    mastery_with,
    peak_before,
    personal_floor_of,
)

EDITIONS = ("us-chess-2015", "us-chess-2017", "us-chess-2025")
HISTORY = "8"  # the section of the 2025 edition that dates older values
AGE_SOURCES = (initial.AGE, initial.UNKNOWN_AGE)
FOREIGN = "foreign"  # the source of a rating that the office converted


def cited(rules: Rules, rule: str) -> Citation:
    """Cite a rule in the edition in force, which may print it again or may be dated by a later history list."""
    value, edition = rules[rule], f"us-chess-{rules['edition']['edition']}"
    document, section, dated_by = value.document, value.section, ""
    if document in EDITIONS and document < edition:  # the text in force repeats it, in the section of the same number
        document = edition
    elif document in EDITIONS and document > edition:
        own, _, listed = section.rpartition(f", {HISTORY}")  # the later edition's history list only dates it
        if own and not listed:
            document, section, dated_by = edition, own, f"{value.document} §{HISTORY}"
    return Citation(rule=rule, document=document, section=section, since=value.holds_since, dated_by=dated_by)


def derive(update: PlayerUpdate, context: Context, *, whole: bool = True) -> tuple[Step, ...]:
    """Return all steps; or, for a player whose work was not asked for, only the start."""
    steps = _steps(update, context)
    return tuple(steps) if whole else (next(steps),)


def _steps(update: PlayerUpdate, context: Context) -> Iterator[Step]:
    yield start_step(update.entry.player, update.pool, update.start, context)
    yield _effective(update, context)
    if update.steps.first_estimate is not None:
        yield FirstEstimate(result=update.steps.first_estimate, cite=cited(context.rules, "special"))
    yield _choice(update, context)
    if update.steps.intermediate is not None:
        yield _pass(update, context, 4)
    yield _pass(update, context, 5)
    if not update.steps.special:
        yield _bonus(update, context)
    yield from _after(update, context)


def start_step(player: Player, pool: str, start: Start, context: Context) -> Step:
    """Step 1: where the player starts."""
    rating, games = start.rating, start.games
    if start.record is not None:
        return OwnRating(pool=pool, rating=rating, games=games, dated=start.record.date)
    initial_rule = cited(context.rules, "initial")
    if start.source in AGE_SOURCES:
        rules, end = context.circumstances.rules, context.circumstances.event_end
        birth = player.birth_date
        age = None if birth is None else initial.age_on(rules, birth.toordinal(), end.toordinal())
        implausible = age is not None and age < rules.age_plausible_from
        return AgeStart(
            pool=pool,
            rating=rating,
            games=games,
            age=age,
            on=end,
            adult=player.adult or (implausible and bool(rules.age_implausible_is_adult)),
            implausible=implausible,
            cite=cited(context.rules, "age_rating"),
        )
    if start.source == initial.BLENDED:
        sources = tuple(_blend_sources(player, pool, context))
        return Blend(pool=pool, rating=rating, games=games, sources=sources, cite=initial_rule)
    source = FOREIGN if start.source == initial.FOREIGN else SOURCES[start.source or 0]
    foreign = {"FIDE": player.fide, "CFC": player.cfc}.get(source)
    original = None if foreign is None else foreign.rating
    return TakenOver(pool=pool, rating=rating, games=games, source=source, original=original, cite=initial_rule)


def _blend_sources(player: Player, key: str, context: Context) -> Iterator[BlendSource]:
    rules, end, pool = context.circumstances.rules, context.circumstances.event_end, KEYS.index(key)
    found = sources_of(player, player.ratings, context.section.start or end)
    birth = player.birth_date.toordinal() if player.birth_date else initial.NO_DAY
    for source, name in enumerate(SOURCES):
        if not initial.usable(rules, pool, source, found.ratings, found.games, player.canadian_resident):
            continue
        rating, games, day = found.ratings[source], found.games[source], found.days[source]
        yield BlendSource(
            pool=name,
            rating=rating,
            converted=initial.converted(rules, source, rating),
            dated=date.fromordinal(day),
            factor=initial.game_factor(rules, pool, source, rating, games),
            weight=initial.adjusted_weight(
                rules, pool, source, rating, games, day, birth, player.adult, end.toordinal()
            ),
        )


def _effective(update: PlayerUpdate, context: Context) -> Step:
    formula, start = context.rules["effective_games"], update.start
    return EffectiveGames(
        rating=start.rating,
        games=start.games,
        cap=float(formula["cap"]),
        constant=float(formula["constant"]),
        slope=float(formula["slope"]),
        centre=float(formula["centre"]),
        limit=float(formula["limit"]),
        above_limit=start.rating > formula["limit"],
        result=update.steps.effective,
        cite=cited(context.rules, "effective_games"),
    )


def _choice(update: PlayerUpdate, context: Context) -> Step:
    steps, record = update.steps, update.start.record
    rule = formula = "special" if steps.special else "standard"
    reason, credited = FormulaReason.FEW_GAMES, 0
    if context.section.kind == "fide":
        rule, reason = "fide_events", FormulaReason.FIDE_EVENT
    elif not steps.special:
        reason = FormulaReason.ESTABLISHED_RECORD
    elif steps.history in (ALL_WINS, ALL_LOSSES):
        reason = FormulaReason.ALL_WINS if steps.history == ALL_WINS else FormulaReason.ALL_LOSSES
        credited = record.assigned_games if record is not None else 0
    return FormulaChoice(
        formula=formula,
        reason=reason,
        games=update.start.games,
        limit=context.rules["special"]["games"],
        credited=credited,
        cite=cited(context.rules, rule),
    )


def _pass(update: PlayerUpdate, context: Context, step: int) -> Pass:
    steps = update.steps
    facing, result = (
        (steps.step5_facing, steps.result) if step == 5 else (steps.step4_facing, steps.intermediate or 0.0)
    )
    if steps.special:
        return _special_pass(update, context, step, facing, result)
    here, entry, prior = context.circumstances, update.entry, update.start.rating
    expected = expected_score(here.rules, prior, facing, 0, len(facing))
    k = k_factor(here.rules, KEYS.index(update.pool), here.dual, prior, steps.effective, entry.games, here.weight)
    gain = k * (entry.score - expected)
    extra = result - prior - gain  # a bonus above the expectation, the absolute floor below it
    return Pass(
        step=step,
        formula="standard",
        prior=prior,
        games=_games(update, context, facing),
        score=entry.score,
        result=result,
        expected=expected,
        k=k,
        gain=gain,
        bonus=extra if extra > EPSILON and gain > 0 else 0.0,
        floor=here.rules.absolute_floor if extra > EPSILON and gain <= 0 else None,
        cite=cited(context.rules, "standard"),
    )


#: Less than this is the last bits of a sum of floats
EPSILON = 1e-9


def _special_pass(update: PlayerUpdate, context: Context, step: int, facing: Sequence[float], result: float) -> Pass:
    rules, steps, entry = context.circumstances.rules, update.steps, update.entry
    start, adjusted = special_start(rules, update.start.rating, steps.effective, steps.history, entry.score)
    expected = steps.effective * provisional_expectancy(rules, result, start)
    expected += sum(provisional_expectancy(rules, result, opponent) for opponent in facing)
    span = rules.special_span + rules.special_epsilon
    return Pass(
        step=step,
        formula="special",
        prior=update.start.rating,
        games=_games(update, context, facing),
        score=entry.score,
        result=result,
        start=start,
        effective=steps.effective,
        adjusted_score=adjusted,
        expected_at_result=expected,
        span=rules.special_span,
        nearest=all(abs(result - opponent) > span for opponent in (start, *facing) if opponent != result),
        cite=cited(context.rules, "special"),
    )


def _games(update: PlayerUpdate, context: Context, facing: Sequence[float]) -> tuple[GameFact, ...]:
    rules, prior, entry = context.circumstances.rules, update.start.rating, update.entry
    return tuple(
        GameFact(
            round=round_number,
            opponent=context.field[opponent].number,
            rating=rating,
            score=half_points / 2,
            expected=None if update.steps.special else winning_expectancy(rules, prior, rating),
        )
        for round_number, opponent, half_points, rating in zip(
            entry.rounds, entry.opponents, entry.half_points, facing, strict=True
        )
    )


def _bonus(update: PlayerUpdate, context: Context) -> Bonus:
    steps, entry, here = update.steps, update.entry, context.circumstances
    gain = (steps.k or 0.0) * (entry.score - (steps.expected or 0.0))
    counted = max(float(entry.games), here.rules.bonus_counted_games)
    reason, rule = BonusReason.EARNED, "bonus"
    if here.match:
        reason, rule = BonusReason.MATCH, "matches"
    elif not bonus_eligible(here.rules, entry.opponents, 0, entry.games):
        few = entry.games < here.rules.bonus_games
        reason = BonusReason.TOO_FEW_GAMES if few else BonusReason.OPPONENT_MET_TOO_OFTEN
        rule = "bonus_eligibility"
    elif not steps.bonus:
        reason = BonusReason.LOSS if gain < 0 else BonusReason.BELOW_THRESHOLD
    return Bonus(
        reason=reason,
        bonus=steps.bonus or 0.0,
        games=entry.games,
        gain=gain,
        multiplier=float(here.rules.bonus_multiplier),
        counted_games=counted,
        threshold=here.rules.bonus_multiplier * counted**0.5,
        cite=cited(context.rules, rule),
    )


def _after(update: PlayerUpdate, context: Context) -> Iterator[Step]:
    """Match limits, floors, the ceiling and rounding: only those that did something, but the floor always."""
    steps, here, record = update.steps, context.circumstances, update.start.record
    if here.match and update.limited != steps.result:
        limits = context.rules["matches"]
        yield MatchLimits(
            before=update.start.rating,
            unlimited=steps.result,
            result=update.limited,
            limit=float(limits["limit"]),
            days=limits["days"],
            limit_in_days=float(limits["limit_180_days"]),
            years=limits["years"],
            limit_in_years=float(limits["limit_3_years"]),
            practice=limits["special"] if steps.special and here.rules.match_special_all else "",
            cite=cited(context.rules, "matches"),
        )
    yield _floor(update, context)
    if record is not None and record.ceiling is not None and max(update.limited, update.floor) > record.ceiling:
        yield Ceiling(ceiling=record.ceiling, cite=cited(context.rules, "adjustments"))
    yield Published(
        stored=update.post,
        published=float(update.published),
        games=update.post_games,
        cite=cited(context.rules, "storage"),
    )


def _floor(update: PlayerUpdate, context: Context) -> Floor:
    candidates = tuple(_candidates(update, context))
    binding = next((one.reason for one in candidates if one.floor == update.floor), FloorReason.LOWERED)
    return Floor(
        floor=update.floor,
        before=update.limited,
        binding=binding,
        holds=update.limited < update.floor,
        candidates=candidates,
        personal=_personal_floor(update, context) if binding is FloorReason.PERSONAL else None,
        requested=update.floor_request,
        cite=cited(context.rules, binding.value),
    )


def _candidates(update: PlayerUpdate, context: Context) -> Iterator[FloorCandidate]:
    rules, start = context.circumstances.rules, update.start
    record = start.record
    personal = personal_floor_of(rules, update.pool, update.entry, record)
    yield FloorCandidate(reason=FloorReason.PERSONAL, floor=personal)
    peak = peak_before(rules, start)
    earned = earned_floor(rules, peak)
    # One at or below what was lowered is not the floor any more, unless the lowering does nothing (readings 44)
    if earned and (earned == update.floor or not earned <= lowered_from(rules, record)):
        yield FloorCandidate(reason=FloorReason.EARNED, floor=earned, peak=peak)
    if record is not None and record.prize_floor is not None:
        yield FloorCandidate(reason=FloorReason.PRIZE, floor=record.prize_floor)
    if mastery_with(rules, update.pool, update.entry, start).life_master:
        yield FloorCandidate(reason=FloorReason.LIFE_MASTER, floor=rules.life_master_floor)


def _personal_floor(update: PlayerUpdate, context: Context) -> PersonalFloor | None:
    """Return the sum behind the personal floor; None where it is the same for every player."""
    rules, record = context.circumstances.rules, update.start.record
    if rules.personal_floor_pools[KEYS.index(update.pool)] == 0 or rules.personal_floor_cap <= rules.absolute_floor:
        return None
    wins, draws, events = counts_with(update.entry, record)
    return PersonalFloor(
        base=rules.absolute_floor,
        wins=wins,
        per_win=rules.personal_floor_win,
        draws=draws,
        per_draw=rules.personal_floor_draw,
        events=events,
        per_event=rules.personal_floor_event,
        cap=rules.personal_floor_cap,
        whole_history=record is None or record.whole_history,
    )
