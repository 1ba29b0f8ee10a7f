"""What a step of a derivation is called and what it says: the functions that every kind of step shares.

`sentence` is one function per kind of step. A system outside this package registers its own kinds with
`sentence.register` and
`TITLES`; a kind without words is shown by its facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import singledispatch
from typing import Any

from crosstable.model.derivation import Citation, HiddenStep, OwnRating, Published, Step, facts
from crosstable.model.system_steps import GameStep
from crosstable.model.us_chess_steps import Pass
from crosstable.model.values import Hidden, Rounded, exact, known
from crosstable.words.language import _
from crosstable.words.numbers import day, games, not_shown, number

#: The opponents' names by pairing number
Names = Mapping[int, str]

#: A document's short name in a citation
DOCUMENTS = {
    "us-chess-2015": "2015",
    "us-chess-2017": "2017",
    "us-chess-2025": "2025",
    "glickman-2004": "Glickman 2004",
}

#: What a step is called, by its kind
TITLES = {
    "own-rating": "Pre-event rating",
    "age-start": "Initial rating (Step 1)",
    "hidden-start": "Initial rating (Step 1)",
    "blend": "Initial rating (Step 1)",
    "taken-over": "Initial rating (Step 1)",
    "effective-games": "Effective games (Step 2)",
    "first-estimate": "First estimate (Step 3)",
    "formula": "Which formula",
    "bonus": "Bonus",
    "match-limits": "Match limits",
    "floor": "Floor",
    "ceiling": "Ceiling",
    "published": "Published",
    "game": "Game",
    "new-rating": "New rating",
    "new-deviation": "New deviation",
    "volatility": "Volatility",
    "exceptional": "Was the score exceptional?",
    "neighbour-pull": "Towards the opponents",
    "k-factor": "K",
    "development-coefficient": "Development coefficient",
    "rounding": "Rounding",
    "first-rating": "First rating",
    "not-published": "Not yet published",
    "unlisted": "Lowest rating",
    "foreign-start": "Converted rating",
    "stand-in-start": "Unrated",
    "event-performance": "First rating",
    "k-1996": "K",
    "standard-update": "New rating",
    "provisional-average": "New rating",
    "peak-floor": "Floor",
    "go-start": "Before the event",
    "new-sigma": "New sigma",
}


@singledispatch
def sentence(step: Step, names: Names) -> str:  # noqa: ARG001  as every kind is called
    """Say what a step did. Opponents are named where `names` has them."""
    own = facts(step)
    given = [one.name for one in fields(step) if one.name != "cite" and own.get(one.name) is not None]
    return "; ".join(f"{name.replace('_', ' ')} {own[name]}" for name in given) + "."


def say(step: Step, names: Names | None = None) -> str:
    """Say what a step did, and that numbers are left out where they are."""
    text = sentence(step, names or {})
    if is_partial(step) and not isinstance(step, HiddenStep):
        return f"{text} " + _("(Numbers that would reveal a player's age are rounded or left out.)")
    return text


def title(step: Step) -> str:
    """Name a step."""
    if isinstance(step, Pass):
        return _("Intermediate rating (Step 4)") if step.step == 4 else _("New rating (Step 5)")
    if isinstance(step, GameStep):
        return _("Round {round}").format(round=step.round)
    kind = step.step if isinstance(step, HiddenStep) else step.kind
    if kind == "pass":
        return _("New rating (Step 5)")
    return _(TITLES[kind]) if kind in TITLES else kind.replace("-", " ").capitalize()


def citation(cite: Citation | None) -> str:
    """Cite a rule: "2025 §4.2, since 2025-01-01"."""
    if cite is None:
        return ""
    document = DOCUMENTS.get(cite.document)
    if document is None:
        return f"{cite.document}, {cite.section}" if cite.section else cite.document
    since = _("since {day}").format(day=day(cite.since)) if cite.since else ""
    dated = f" ({_short(cite.dated_by)})" if cite.dated_by else ""
    return f"{document} §{cite.section}" + (f", {since}" if since else "") + dated


def _short(source: str) -> str:
    for name, short in DOCUMENTS.items():
        source = source.replace(name, short)
    return source


def is_partial(step: Any) -> bool:
    """Whether a number of a step is rounded or hidden."""
    return contains(step, Rounded | Hidden | HiddenStep)


def contains(record: Any, kinds: Any) -> bool:
    """Whether a record is one of these, or holds one anywhere inside."""
    if isinstance(record, kinds):
        return True
    if isinstance(record, tuple):
        return any(contains(one, kinds) for one in record)
    return is_dataclass(record) and any(contains(getattr(record, one.name), kinds) for one in fields(record))


def opponent(pairing_number: int, names: Names) -> str:
    """Name an opponent: "#5 Bo Muller"."""
    name = names.get(pairing_number)
    return f"#{pairing_number} {name}" if name else f"#{pairing_number}"


@sentence.register
def _hidden(_step: HiddenStep, _names: Names) -> str:
    return _("Not shown: it would reveal a player's age.")


@sentence.register
def _own_rating(step: OwnRating, _names: Names) -> str:
    if step.deviation is not None:
        return _own_rating_with_deviation(step)
    dated = _(", as of {day}").format(day=day(step.dated)) if step.dated else ""
    return _("The {pool} rating before the event is {rating}, based on {games}{dated}.").format(
        pool=step.pool, rating=number(step.rating), games=games(step.games or 0), dated=dated
    )


def _own_rating_with_deviation(step: OwnRating) -> str:
    rating, deviation = number(step.rating), number(step.deviation, 2, fixed=True)
    if step.widened is None:
        return _("The rating at the start of the period is {rating}, with a deviation of {deviation}.").format(
            rating=rating, deviation=deviation
        )
    return _(
        "The rating is {rating}, with a deviation of {deviation} that the games of the period widen to {widened}."
    ).format(rating=rating, deviation=deviation, widened=number(step.widened, 2, fixed=True))


@sentence.register
def _published(step: Published, _names: Names) -> str:
    based = games(step.games)
    if not known(step.published):
        return _("Published: {not_shown}, based on {games}.").format(not_shown=not_shown(), games=based)
    if not exact(step.stored):
        return _("Published as {published}, based on {games}.").format(published=number(step.published), games=based)
    return _("Stored as {stored}, published as {published}, based on {games}.").format(
        stored=number(step.stored), published=number(step.published), games=based
    )
