"""What the steps of a US Chess derivation say."""

from __future__ import annotations

from typing import Any

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
    FloorReason,
    FormulaChoice,
    FormulaReason,
    GameFact,
    HiddenStart,
    MatchLimits,
    Pass,
    PersonalFloor,
    TakenOver,
)
from crosstable.model.values import Hidden, Rounded, exact, known
from crosstable.words.language import _, ngettext
from crosstable.words.numbers import MINUS, assigned, day, digits, equals, games, number, plain, points, total
from crosstable.words.steps import Names, opponent, sentence

# Where a player starts


def _result(step: AgeStart | Blend | TakenOver) -> str:
    return _("{r0} with N = {games}.").format(r0=assigned("R0", step.rating, fixed=False), games=games(step.games))


@sentence.register
def _age_start(step: AgeStart, _names: Names) -> str:
    lead = _("There is no {pool} rating and no other to start from, so the start depends on the age.").format(
        pool=step.pool
    )
    if step.implausible:
        why = _("Age {age} on {day} must be a mistake and counts as no birth date: {rating}.").format(
            age=number(step.age, 2, fixed=True), day=day(step.on), rating=number(step.rating)
        )
    elif step.age is not None:
        why = _("Age {age} on {day}: {rating}.").format(
            age=number(step.age, 2, fixed=True), day=day(step.on), rating=number(step.rating)
        )
    elif step.adult:
        why = _("No birth date, an adult: {rating}.").format(rating=number(step.rating))
    else:
        why = _("No birth date, not known to be an adult: {rating}.").format(rating=number(step.rating))
    return f"{lead} {why} {_result(step)}"


@sentence.register
def _hidden_start(step: HiddenStart, _names: Names) -> str:
    return _(
        "There is no {pool} rating and no other to start from. Where the player starts is not shown: it could reveal an"
        " age."
    ).format(pool=step.pool)


@sentence.register
def _blend(step: Blend, _names: Names) -> str:
    lead = _("There is no {pool} rating, so one is made from the player's other ratings.").format(pool=step.pool)
    return f"{lead} {'; '.join(_blend_source(one) for one in step.sources)}. {_result(step)}"


def _blend_source(source: BlendSource) -> str:
    rating = number(source.rating)
    if source.converted != source.rating:
        rating = _("{rating} (converted {converted})").format(rating=rating, converted=number(source.converted))
    if not known(source.weight):
        return _("{pool} {rating} of {day}, with a weight that is not shown").format(
            pool=source.pool, rating=rating, day=day(source.dated)
        )
    weighs = number(source.weight, 2, fixed=True)
    if known(source.factor) and exact(source.factor, source.weight):
        share = source.weight / source.factor
        weighs = f"{number(source.factor)} × {number(share, fixed=True)} = {number(source.weight, 2, fixed=True)}"
    return _("{pool} {rating} of {day} weighs {weighs} games").format(
        pool=source.pool, rating=rating, day=day(source.dated), weighs=weighs
    )


@sentence.register
def _taken_over(step: TakenOver, _names: Names) -> str:
    if step.source == "foreign":
        lead = _("There is no US Chess, FIDE or CFC rating: the office's conversion of a foreign rating.")
        return f"{lead} {_result(step)}"
    lead = _("There is no {pool} rating: the first source on the list that the player has.").format(pool=step.pool)
    if step.original is not None:
        what = _("{source} {original} converts to {rating}.").format(
            source=step.source, original=number(step.original), rating=number(step.rating)
        )
    else:
        what = _("It is the {source} rating.").format(source=step.source)
    return f"{lead} {what} {_result(step)}"


# The five steps


@sentence.register
def _effective(step: EffectiveGames, _names: Names) -> str:
    if step.above_limit:
        formula = _("N* = {cap} above {limit}").format(cap=plain(step.cap), limit=plain(step.limit))
    else:
        slope = number(step.slope, 8)
        formula = (
            f"N* = {plain(step.cap)}/√({plain(step.constant)} + {slope} × ({plain(step.centre)} {MINUS}"
            f" {number(step.rating)})²)"
        )
    return _("{formula}; N' is the smaller of it and N = {games}: {result}.").format(
        formula=formula, games=step.games, result=number(step.result)
    )


@sentence.register
def _first_estimate(step: FirstEstimate, _names: Names) -> str:
    return _(
        "An unrated player with no games: a first estimate by the special formula, as if the start counted as one game:"
        " {result}."
    ).format(result=number(step.result))


@sentence.register
def _formula(step: FormulaChoice, _names: Names) -> str:
    before = games(step.games)
    match step.reason:
        case FormulaReason.FIDE_EVENT:
            return _("A foreign FIDE event: the standard formula, once, against converted FIDE ratings.")
        case FormulaReason.ESTABLISHED_RECORD:
            return _(
                "The record before this event decides: {games}, more than {limit}, and these earlier games were neither"
                " all won nor all lost. So it is the standard formula, whatever the score here."
            ).format(games=before, limit=step.limit)
        case FormulaReason.FEW_GAMES:
            return _("{games} before, not more than {limit}: the special formula.").format(
                games=before, limit=step.limit
            )
    credited = (
        _(", besides {games} credited from other ratings").format(games=games(step.credited)) if step.credited else ""
    )
    if step.reason is FormulaReason.ALL_WINS:
        return _("Nothing but wins before this event{credited}: the special formula.").format(credited=credited)
    return _("Nothing but losses before this event{credited}: the special formula.").format(credited=credited)


def game(fact: GameFact, names: Names) -> str:
    """Describe one game of a pass."""
    what = {1.0: _("beat {opponent}"), 0.5: _("drew with {opponent}"), 0.0: _("lost to {opponent}")}[fact.score]
    text = f"{what.format(opponent=opponent(fact.opponent, names))} ({number(fact.rating, 1, fixed=True)})"
    if fact.expected is None:
        return text
    return _("{game}, expected {expected}").format(game=text, expected=number(fact.expected, 3, fixed=True))


@sentence.register
def _pass(step: Pass, names: Names) -> str:
    played = "; ".join(game(one, names) for one in step.games)
    rest = _special(step) if step.formula == "special" else _standard(step)
    return f"{played[:1].upper()}{played[1:]}. {rest}."


def _standard(step: Pass) -> str:
    """Write "S = 2, E = 1.2, K = 32: 1500 + 25.6 = 1525.6"."""
    known_facts = f"S = {points(step.score)}, {assigned('E', step.expected)}, {assigned('K', step.k)}"
    gain = step.gain
    terms, operands = number(step.prior), [step.prior, gain]
    if known(gain):
        terms += f" {MINUS if gain < 0 else '+'} {number(abs(gain) if exact(gain) else _unsigned(gain), fixed=True)}"
    if known(step.bonus) and step.bonus:
        terms += _(" + {bonus} bonus").format(bonus=number(step.bonus, fixed=True))
        operands.append(step.bonus)
    elif isinstance(step.bonus, Hidden):
        operands.append(step.bonus)
    if step.floor is not None:
        terms += _(", with the floor of {floor},").format(floor=plain(step.floor))
    return f"{known_facts}: {total(terms, operands, step.result)}"


def _unsigned(value: Any) -> Rounded:
    return Rounded(abs(float(value)), value.parts)


def _special(step: Pass) -> str:
    prior = ""
    if known(step.effective) and step.effective:
        prior = _("with the prior {start} counting as {games} games, ").format(
            start=number(step.start), games=number(step.effective)
        )
    result = number(step.result)
    score = assigned("S'", step.adjusted_score, fixed=False)
    lead = f"S = {points(step.score)}; {prior}{score}"
    if step.nearest:
        return _(
            "{lead}. No opponent is within {span} points, so many ratings fit that score: the one nearest to the prior"
            " is {result}"
        ).format(lead=lead, span=plain(step.span), result=result)
    here = _(" (here {expected})").format(expected=number(step.expected_at_result, fixed=True))
    return _("{lead}: the rating at which the expected score{here} is that score {equals} {result}").format(
        lead=lead, here=here, equals=equals(step.result), result=digits(step.result)
    )


@sentence.register
def _bonus(step: Bonus, _names: Names) -> str:
    match step.reason:
        case BonusReason.MATCH:
            return _("Matches earn no bonus.")
        case BonusReason.TOO_FEW_GAMES:
            return _("None: {games}.").format(games=games(step.games))
        case BonusReason.OPPONENT_MET_TOO_OFTEN:
            return _("None: an opponent was met too often.")
        case BonusReason.LOSS:
            return _("None: a loss of {loss} earns none.").format(loss=number(_loss(step.gain), fixed=True))
    product = f"{plain(step.multiplier)} × √{plain(step.counted_games)} = {number(step.threshold, fixed=True)}"
    gain = number(step.gain, fixed=True)
    if step.reason is BonusReason.BELOW_THRESHOLD:
        return _("None: the gain of {gain} does not exceed {threshold}.").format(gain=gain, threshold=product)
    return _("The gain of {gain} exceeds {threshold} by {bonus}: that is the bonus.").format(
        gain=gain, threshold=product, bonus=number(step.bonus, fixed=True)
    )


def _loss(gain: Any) -> Any:
    if isinstance(gain, Rounded):
        return _unsigned(gain)
    return -gain if known(gain) else gain


# After the five steps


@sentence.register
def _match_limits(step: MatchLimits, _names: Names) -> str:
    text = _(
        "A match moves a rating by {limit} points at most, all matches within {days} days together by {in_days}, and"
        " within {years} years by {in_years}: {result}."
    ).format(
        limit=plain(step.limit),
        days=step.days,
        in_days=plain(step.limit_in_days),
        years=step.years,
        in_years=plain(step.limit_in_years),
        result=number(step.result),
    )
    if step.practice:
        practice = _("As practised, players on the special formula {practice}.").format(practice=step.practice)
        return f"{practice} {text}"
    return text


@sentence.register
def _floor(step: Floor, _names: Names) -> str:
    said = {
        "floor": number(step.floor),
        "why": floor_reason(step),
        "before": number(step.before),
    }
    if step.requested is not None:
        return _(
            "The match result {before} is below the floor of {floor} ({why}): a request to lower it; the floor holds"
            " until it is granted."
        ).format(**said)
    if step.holds:
        return _("{before} is below the floor of {floor} ({why}): the floor holds.").format(**said)
    return _("The floor is {floor} ({why}); it does not bind.").format(**said)


def floor_reason(step: Floor) -> str:
    """Say what gives the binding floor."""
    match step.binding:
        case FloorReason.EARNED:
            peak = next(one.peak for one in step.candidates if one.reason is FloorReason.EARNED)
            return _("earned by a peak of {peak}").format(peak=number(peak))
        case FloorReason.PRIZE:
            return _("set by a cash prize")
        case FloorReason.LIFE_MASTER:
            return _("of an Original Life Master")
        case FloorReason.LOWERED:
            return _("lowered on request")
    if step.personal is None:
        return _("the personal absolute floor, the same for every player")
    return _("the personal absolute floor: {sum}").format(sum=personal_floor(step.personal))


def personal_floor(sum_: PersonalFloor) -> str:
    """Write the sum behind a personal floor."""
    terms = [
        plain(sum_.base),
        f"{plain(sum_.per_win)} × " + ngettext("{count} win", "{count} wins", sum_.wins).format(count=sum_.wins),
        f"{plain(sum_.per_draw)} × " + ngettext("{count} draw", "{count} draws", sum_.draws).format(count=sum_.draws),
        f"{plain(sum_.per_event)} × "
        + ngettext("{count} event of three games or more", "{count} events of three games or more", sum_.events).format(
            count=sum_.events
        ),
    ]
    text = f"{' + '.join(terms)} = {plain(sum_.total)}"
    if sum_.total > sum_.cap:
        text += _(", at most {cap}").format(cap=plain(sum_.cap))
    if not sum_.whole_history:
        text += _("; not all earlier wins and draws are on record")
    return text


@sentence.register
def _ceiling(step: Ceiling, _names: Names) -> str:
    return _("The rating may not rise above its ceiling of {ceiling}.").format(ceiling=number(step.ceiling))
