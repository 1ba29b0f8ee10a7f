"""The sentence at the top of a derivation page, which tells the whole story."""

from __future__ import annotations

from crosstable.model import Answer
from crosstable.model.us_chess_steps import MatchLimits
from crosstable.model.values import Rounded, exact
from crosstable.words.account import Account
from crosstable.words.figures import digits_of, figure, or_none
from crosstable.words.language import _
from crosstable.words.numbers import number, signed_digits
from crosstable.words.phrases import count, points, pool, rating_text, signed, small, whole


def lead(name: str, answer: Answer, after: float | None) -> str:
    """Tell the whole story in a sentence. `after` is the published rating, None where it is not shown."""
    story, values = Account(answer), answer.values
    score, games = values.get("score"), values.get("games") or 0
    scored = _("{name} scored {score} out of {games}").format(name=name, score=points(score or 0), games=games)
    if after is None:
        hidden = _("The new rating is not shown yet: it could still reveal an age.")
        return f"{scored}. {hidden}"
    if values.get("formula") == "standard":
        return _standard_lead(story, name, scored)
    if values.get("formula") == "special":
        return f"{scored}. {_special_lead(story, after, games)}"
    played = scored if games else name
    prior = story.value("prior")
    if prior is None:
        return _("{who}: the first rating is {after}.").format(who=played, after=rating_text(after))
    became = _("{who}: {before} became {after} in {pool}.")
    before = rating_text(prior) if exact(prior) else figure(prior)
    return became.format(who=played, before=before, after=rating_text(after), pool=pool(answer.pool))


def _special_lead(story: Account, after: float, games: int) -> str:
    against = _("these {number} opponents").format(number=small(games)) if games > 1 else _("this opponent")
    if story.answer.values.get("initialized"):
        text = _(
            "A player of {after} would be expected to score just that against {against} so {after} is the first rating."
        )
    else:
        text = _(
            "A player of {after} would be expected to score just that against {against} so {after} is the new rating."
        )
    return text.format(after=whole(after), against=f"{against}{_counted_before(story)}")


def _counted_before(story: Account) -> str:
    """Say what counts beside the games, in the special formula."""
    values, prior, worth = story.answer.values, story.value("prior"), story.value("effective_games")
    if not values.get("prior_games"):
        return ","
    if not values.get("initialized"):
        return _(", together with the {games} before,").format(games=count(values["prior_games"], "game"))
    if prior is None or worth is None:
        return _(", together with the rating from elsewhere that it starts from,")
    more = _(", with the start of {prior} counting as {games} games more,")
    return more.format(prior=whole(prior), games=number(worth, 1))


def _standard_lead(story: Account, name: str, scored: str) -> str:
    expected, gain, bonus = story.value("expected"), story.gained, story.value("bonus")
    if expected is None:
        hidden = _("What was expected is not shown: it would reveal a player’s age.")
        return f"{scored}. {hidden}"
    text = _("{name} scored {score} where {expected} was expected").format(
        name=name, score=points(story.answer.values["score"]), expected=_about(expected, digits_of(expected, 2))
    )
    if gain is None:
        hidden = _("What that was worth is not shown: it would reveal a player’s age.")
        return f"{text}. {hidden}"
    text += f": {_about(gain, signed_digits(gain, 1))}"
    if bonus:
        because = _(", and a bonus of {bonus} because the gain was exceptional")
        text += because.format(bonus=_about(bonus, digits_of(bonus)))
    limits = story.step(MatchLimits)
    if limits is not None:
        before, reached = or_none(limits.before), or_none(limits.result)
        if before is not None and reached is not None:
            limited = _("; a match may move a rating only so far, here {change}")
            text += limited.format(change=signed(reached - before, 1))
        else:
            text += _("; a match may move a rating only so far")
    return _("{text}, and the floor stopped the fall.").format(text=text) if story.floor_holds else f"{text}."


def _about(value: float, digits: str) -> str:
    return _("about {number}").format(number=digits) if isinstance(value, Rounded) else digits
