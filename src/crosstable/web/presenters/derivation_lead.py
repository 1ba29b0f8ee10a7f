"""The sentence at the top of a derivation page, which tells the whole story."""

from __future__ import annotations

from crosstable.model.us_chess_steps import MatchLimits
from crosstable.office.queries.derivation import DerivationPage
from crosstable.office.queries.words import count, points, pool, signed, small, whole
from crosstable.web.presenters.derivation import Story
from crosstable.web.presenters.figures import figure, or_none


def lead(page: DerivationPage) -> str:
    """Tell the whole story in a sentence."""
    story, values, after = Story(page), page.answer.values, page.numbers.after
    name, score, games = page.person.name, values.get("score"), values.get("games") or 0
    scored = f"{name} scored {points(score or 0)} out of {games}"
    if after is None:
        return f"{scored}. The new rating is not shown yet: it could still reveal an age."
    if values.get("formula") == "standard":
        return _standard_lead(story, name, scored)
    if values.get("formula") == "special":
        kind = "the first rating" if values.get("initialized") else "the new rating"
        against = f"these {small(games)} opponents" if games > 1 else "this opponent"
        return (
            f"{scored}. A player of {whole(after)} would be expected to score just that against "
            f"{against}{_counted_before(story)} so {whole(after)} is {kind}."
        )
    played = f"{scored}: " if games else f"{name}: "
    prior = story.value("prior")
    if prior is None:
        return f"{played}the first rating is {whole(after)}."
    return f"{played}{figure(prior)} became {whole(after)} in {pool(page.pool)}."


def _counted_before(story: Story) -> str:
    """Say what counts beside the games, in the special formula."""
    values, prior, worth = story.answer.values, story.value("prior"), story.value("effective_games")
    if not values.get("prior_games"):
        return ","
    if not values.get("initialized"):
        return f", together with the {count(values['prior_games'], 'game')} before,"
    if prior is None or worth is None:
        return ", together with the rating from elsewhere that it starts from,"
    return f", with the start of {whole(prior)} counting as {figure(worth).removesuffix('.0')} games more,"


def _standard_lead(story: Story, name: str, scored: str) -> str:
    expected, gain, bonus = story.value("expected"), story.gained, story.value("bonus")
    if expected is None:
        return f"{scored}. What was expected is not shown: it would reveal a player’s age."
    text = f"{name} scored {points(story.answer.values['score'])} where {_about(figure(expected, 2))} was expected"
    if gain is None:
        return f"{text}. What that was worth is not shown: it would reveal a player’s age."
    text += f": {_about(signed(gain, 1))}"
    if bonus:
        text += f", and a bonus of {_about(figure(bonus))} because the gain was exceptional"
    limits = story.step(MatchLimits)
    if limits is not None:
        before, reached = or_none(limits.before), or_none(limits.result)
        by = f", here {signed(reached - before, 1)}" if before is not None and reached is not None else ""
        text += f"; a match may move a rating only so far{by}"
    return f"{text}, and the floor stopped the fall." if story.floor_holds else f"{text}."


def _about(shown: str) -> str:
    return f"about {shown.removeprefix('≈')}" if shown.startswith("≈") else shown
