"""What the steps of the other systems say: Elo, Glicko and its kin, FIDE, the USCF of 1994 and 1996, St. Charles, the
AGA.
"""

from __future__ import annotations

from crosstable.model.system_steps import (
    K1996,
    ClubGame,
    DevelopmentCoefficient,
    EloGame,
    EventPerformanceRating,
    Exceptional,
    FideGame,
    FirstRating,
    ForeignStart,
    GameStep,
    GlickoGame,
    GoEstimate,
    GoGame,
    GoStart,
    KFactor,
    KReason,
    NeighbourPull,
    NewDeviation,
    NewRating,
    NewSigma,
    NotPublished,
    PeakFloor,
    PriorSource,
    ProvisionalAverage,
    Rounding,
    StandardUpdate,
    StandInStart,
    Unlisted,
    Volatility,
)
from crosstable.model.values import Number, known
from crosstable.words.language import _, ngettext
from crosstable.words.numbers import MINUS, assigned, games, number, plain, points, signed, total
from crosstable.words.steps import Names, sentence


def met(step: GameStep, names: Names) -> str:
    """Write "beat Sam", "drew with Sam", "lost to Sam"."""
    name = names.get(step.opponent) or _("player {number}").format(number=step.opponent)
    what = {1.0: _("beat {opponent}"), 0.5: _("drew with {opponent}"), 0.0: _("lost to {opponent}")}[step.score]
    return what.format(opponent=name)


def _times(left: str, right: str) -> str:
    return f"{left} × {right}"


@sentence.register
def _game(step: GameStep, names: Names) -> str:
    return f"{met(step, names)} ({plain(step.rating)})"


@sentence.register
def _elo_game(step: EloGame, names: Names) -> str:
    if not known(step.k) and known(step.expected):
        return _("{game} ({rating}): expected {expected}").format(
            game=met(step, names), rating=plain(step.rating), expected=number(step.expected, fixed=True)
        )
    above = f"({plain(step.score)} {MINUS} {number(step.expected, fixed=True)})"
    return f"{met(step, names)} ({plain(step.rating)}): {_product(step.k, above, [step.k, step.expected], step.gain)}"


def _product(k: Number, above: str, operands: list[Number], gain: Number | None) -> str:
    if not known(gain) or not all(known(one) for one in operands):
        return total("", operands, gain)
    return f"{_times(plain(k), above)} = {signed(gain, 4)}"


@sentence.register
def _glicko_game(step: GlickoGame, names: Names) -> str:
    strength = f"{plain(step.rating)} ± {number(step.deviation, 1, fixed=True)}"
    return _("{game} ({strength}): expected {expected}, weight {weight}, {gain}").format(
        game=met(step, names),
        strength=strength,
        expected=number(step.expected, fixed=True),
        weight=number(step.weight, fixed=True),
        gain=number(step.gain) if step.gain is None else signed(step.gain),
    )


@sentence.register
def _fide_game(step: FideGame, names: Names) -> str:
    difference = signed(step.difference, 0)
    if step.counted != step.difference:
        difference = _("{difference}, counted as {counted}").format(
            difference=difference, counted=signed(step.counted, 0)
        )
    expected = number(step.expected, 2, fixed=True)
    text = (
        _("{game} ({rating}): difference {difference}, expected {expected}: {k} × ({score} − {expected}) = {gain}")
        if known(step.k)
        else _("{game} ({rating}): difference {difference}, expected {expected}")
    )
    return text.format(
        game=met(step, names),
        rating=plain(step.rating),
        difference=difference,
        expected=expected,
        k=plain(step.k),
        score=plain(step.score),
        gain=number(step.gain) if step.gain is None else signed(step.gain, 2),
    )


def go_conditions(handicap: int, komi: float) -> str:
    """Return what a game of go was played with: ", 3 stones, komi 0.5"; nothing for an even game without komi."""
    stones = ""
    if handicap > 1:
        stones = ngettext(", {count} stone", ", {count} stones", handicap).format(count=handicap)
    return stones + (_(", komi {komi}").format(komi=plain(komi)) if komi else "")


@sentence.register
def _go_game(step: GoGame, names: Names) -> str:
    chance = number(step.chance * 100, 1, fixed=True) + " %" if known(step.chance) else number(step.chance)
    return _("{game}{conditions}: a chance of {chance} at the new ratings; it pulls by {pull}").format(
        game=met(step, names),
        conditions=go_conditions(step.handicap, step.komi),
        chance=chance,
        pull=number(step.gain) if step.gain is None else signed(step.gain, 5),
    )


@sentence.register
def _new_rating(step: NewRating, _names: Names) -> str:
    places = 0 if step.games is not None else 5 if step.across_gap else 4
    across = _(" across the gap") if step.across_gap else ""
    change = signed(step.change, places, fixed=False) if known(step.change) else number(step.change)
    text = total(f"{plain(step.before)} {change}{across}", [step.before, step.change], step.result)
    if step.games is None:
        return text
    text += _(" after {count} club games").format(count=step.games)
    return f"{text} ({', '.join(_(one) for one in step.statuses)})" if step.statuses else text


@sentence.register
def _new_deviation(step: NewDeviation, _names: Names) -> str:
    return _("{before} becomes {after}").format(
        before=number(step.before, fixed=True), after=number(step.result, fixed=True)
    )


@sentence.register
def _volatility(step: Volatility, _names: Names) -> str:
    return _("v = {variance}, Δ = {improvement}: the volatility {before} becomes {after}").format(
        variance=number(step.variance, fixed=True),
        improvement=number(step.improvement, fixed=True),
        before=number(step.before, 6, fixed=True),
        after=number(step.result, 6, fixed=True),
    )


@sentence.register
def _exceptional(step: Exceptional, _names: Names) -> str:
    return _(
        "{surprise} standard deviations from the expected score; the deviation to start from is {deviation}"
    ).format(surprise=signed(step.surprise, 2), deviation=number(step.deviation, 2, fixed=True))


@sentence.register
def _neighbour_pull(step: NeighbourPull, _names: Names) -> str:
    return _("{change} of the change, spread over the games").format(change=signed(step.change))


# FIDE


@sentence.register
def _k_factor(step: KFactor, _names: Names) -> str:
    why = {
        KReason.REACHED_2400: _("a rating of {senior_from} was reached once"),
        KReason.EXPERIENCED: _("never {senior_from}, and {newcomer_games} games or more"),
        KReason.NEW: _("fewer than {newcomer_games} games so far"),
        KReason.JUNIOR: _("not over {junior_until} this year, and never {junior_below}"),
    }[step.reason].format(
        senior_from=step.senior_from,
        newcomer_games=step.newcomer_games,
        junior_until=step.junior_until,
        junior_below=step.junior_below,
    )
    text = f"{step.own_k}: {why}"
    if step.k != step.own_k:
        text += _("; {own_k} × {games} games exceed {most_points}, so {k}").format(
            own_k=step.own_k, games=step.games, most_points=step.most_points, k=plain(step.k)
        )
    return text


@sentence.register
def _rounding(step: Rounding, _names: Names) -> str:
    return _("{exact} counts as {change}").format(exact=signed(step.exact, 2), change=signed(float(step.change), 0))


@sentence.register
def _first_rating(step: FirstRating, _names: Names) -> str:
    imagined = ""
    if step.imagined:
        imagined = _(" and {count} imagined draws with {rating}").format(
            count=step.imagined, rating=step.imagined_rating
        )
    return _("{score} of {games} against opponents who sum up to {total}{imagined}: {exact}, so {result}").format(
        score=plain(step.score),
        games=step.games,
        total=plain(step.opponents_total),
        imagined=imagined,
        exact=number(step.exact, 2, fixed=True),
        result=plain(step.result),
    )


@sentence.register
def _not_published(step: NotPublished, _names: Names) -> str:
    if step.games < step.needed:
        return _("{games} of {needed} games: the games are saved").format(games=step.games, needed=step.needed)
    return _("below {floor}: the games are saved").format(floor=plain(step.floor))


@sentence.register
def _unlisted(step: Unlisted, _names: Names) -> str:
    return _("below {floor}: unrated from the next list on").format(floor=plain(step.floor))


# DWZ


@sentence.register
def _development_coefficient(step: DevelopmentCoefficient, _names: Names) -> str:
    parts = [("J", step.base), ("fB", step.acceleration), ("SBr", step.brake)]
    text = ", ".join(assigned(name, value, fixed=False) for name, value in parts)
    return f"{text}: {assigned('E', step.result, fixed=False)}"


# The USCF of 1994 and 1996


@sentence.register
def _foreign_start(step: ForeignStart, _names: Names) -> str:
    text = _("no USCF rating; the {source} rating converts to {rating}").format(
        source=step.source, rating=plain(step.rating)
    )
    if step.games is None:
        return text + _(", for the opponents only")
    return text + _(", provisional, based on {games}").format(games=games(step.games))


@sentence.register
def _stand_in_start(step: StandInStart, _names: Names) -> str:
    if step.convertible:
        return _(
            "no USCF rating and no conversion; the opponents meet the age-based rating {rating}, a stand-in"
        ).format(rating=plain(step.rating))
    return _("no USCF rating; opponents without one meet {rating}, an age-based stand-in").format(
        rating=plain(step.rating)
    )


@sentence.register
def _event_performance(step: EventPerformanceRating, _names: Names) -> str:
    saved = _(" ({count} saved from earlier events)").format(count=step.saved) if step.saved else ""
    text = _("{method} over {games}{saved}, score {score}: {result}. This is {remark}.").format(
        method=step.method,
        games=games(step.games),
        saved=saved,
        score=points(step.score),
        result=number(step.result, 2, fixed=True),
        remark=step.remark,
    )
    if step.one_sided:
        return f"{text} " + _(
            "Only wins or only losses: the rating is nominal, and the games are saved for the next event."
        )
    if step.too_few:
        return f"{text} " + _("Fewer than four games: they are saved and rated together with the next event.")
    return text


@sentence.register
def _k_1996(step: K1996, _names: Names) -> str:
    parts = [
        f"R = {plain(step.rating)}",
        _("established") if step.games is None else f"N = {step.games}",
        f"m = {step.played}",
    ]
    if step.adjusted_games is not None:
        parts.append(f"N* = {plain(step.adjusted_games)}")
    if step.weight != 1:
        parts.append(_("weight {weight}").format(weight=plain(step.weight)))
    return f"{', '.join(parts)}: K = {number(step.k)}"


@sentence.register
def _standard_update(step: StandardUpdate, _names: Names) -> str:
    terms = (
        f"{plain(step.before)} + {number(step.k)} × ({plain(step.score)} {MINUS}"
        f" {number(step.expected, 3, fixed=True)})"
    )
    return total(terms, [step.before, step.k, step.expected], step.result, 2)


@sentence.register
def _provisional_average(step: ProvisionalAverage, _names: Names) -> str:
    return _(
        "average of {before} earlier and {played} new games, {span} up for a win, down for a loss: {result}"
    ).format(
        before=step.before,
        played=step.played,
        span=plain(step.span),
        result=number(step.result, 2, fixed=True),
    )


@sentence.register
def _peak_floor(step: PeakFloor, _names: Names) -> str:
    peak = _("no rating so far") if step.peak is None else _("peak {peak}").format(peak=plain(step.peak))
    before = number(step.before, 2, fixed=True)
    verdict = _("{before} is raised to it") if step.holds else _("{before} remains")
    return _("{peak}: floor {floor}; {verdict}").format(
        peak=peak, floor=plain(step.floor), verdict=verdict.format(before=before)
    )


# St. Charles


@sentence.register
def _club_game(step: ClubGame, names: Names) -> str:
    return club_game(step, names.get(step.opponent) or _("player {number}").format(number=step.opponent))


def club_game(step: ClubGame, opponent: str) -> str:
    """Tell a child what one game did: "You beat Sam, who was 100 points higher: 21 + 4 = 25."."""
    you = {
        1.0: _("You beat {opponent}"),
        0.5: _("You drew with {opponent}"),
        0.0: _("You lost to {opponent}"),
    }[step.score].format(opponent=opponent)
    text = f"{you}, {_apart(step)}: {_club_sum(step)}"
    if step.limited != step.sum:
        text += _(", but {limit}: {points}").format(limit=_club_limit(step), points=plain(step.limited))
    if step.post != step.own + step.limited:
        text += _(", and no rating falls below {floor}").format(floor=plain(step.floor))
    return text + "."


def _apart(step: ClubGame) -> str:
    gap = step.rating - step.own if known(step.rating) else 0.0
    if gap == 0:
        return _("who had your rating")
    apart = ngettext("{count} point", "{count} points", abs(gap)).format(count=plain(abs(gap)))
    side = _("{points} higher") if gap > 0 else _("{points} lower")
    apart = side.format(points=apart)
    if step.adjustment == 0:
        return _("whose rating was as good as yours ({apart})").format(apart=apart)
    return _("who was {apart}").format(apart=apart)


def _club_sum(step: ClubGame) -> str:
    if step.adjustment == 0 or step.at_risk == 0:
        return plain(step.sum) if step.sum <= 0 else f"+{plain(step.sum)}"
    sign = "+" if step.adjustment > 0 else "-"
    return f"{plain(step.at_risk)} {sign} {plain(abs(step.adjustment))} = {plain(step.sum)}"


def _club_limit(step: ClubGame) -> str:
    limited = float(step.limited)
    if step.score == 1.0 and limited > step.sum:
        return _("a winner always gains at least {points}").format(points=plain(limited))
    if step.score == 0.0 and limited < step.sum:
        return _("a loser always loses at least {points}").format(points=plain(-limited))
    return _("no rating moves more than {points}").format(points=plain(abs(limited)))


# The AGA


@sentence.register
def _go_start(step: GoStart, _names: Names) -> str:
    text = "; ".join(_go_estimate(one) for one in step.estimates)
    if len(step.estimates) > 1:
        text += _("; together {rating} ± {sigma}").format(rating=number(step.rating), sigma=number(step.sigma, 5))
    return text + _("; sigma {sigma}").format(sigma=number(step.sigma, 5))


def _go_estimate(one: GoEstimate) -> str:
    match one.source:
        case PriorSource.RECORD:
            text = _("{record} ± {sigma}, {days} days ago: the sigma is now {now}")
        case PriorSource.START:
            text = _("a newcomer")
        case PriorSource.RANK:
            text = _("a newcomer entered as {rank}")
        case PriorSource.CERTIFIED:
            text = _("certified by {by} at {rating} ± {now}")
        case PriorSource.RESEEDED:
            text = _("entered as {rank}, {promotion} ranks above {record}: a new start at {rating}")
        case PriorSource.PROMOTED:
            text = _("entered as {rank}, {promotion} ranks above {record}: moved up to {rating}")
    return text.format(
        rank=one.rank,
        by=one.by,
        days=one.days,
        rating=number(one.rating, 5),
        now=number(one.sigma, 5),
        record=number(one.record, 5),
        sigma=number(one.record_sigma, 5),
        promotion=number(one.promotion, 2, fixed=True),
    )


@sentence.register
def _new_sigma(step: NewSigma, _names: Names) -> str:
    if not step.method:
        return _("{sigma} next time: it depends on the times rated only").format(sigma=plain(step.result))
    return _("{before} before, {after} after ({method})").format(
        before=number(step.before, 5, fixed=True), after=number(step.result, 5, fixed=True), method=_(step.method)
    )
