"""A derivation in words: every kind of step that this package knows is registered once this module is loaded."""

from __future__ import annotations

from typing import Any

from crosstable.model import Answer, Section
from crosstable.model.derivation import Step, facts
from crosstable.words import system_steps, us_chess_steps
from crosstable.words.steps import Names, citation, contains, is_partial, say, sentence, title

__all__ = [
    "Names",
    "citation",
    "contains",
    "derivation_json",
    "is_partial",
    "names_of",
    "say",
    "sentence",
    "step_json",
    "title",
]

#: The modules whose sentences are registered
REGISTERED = (us_chess_steps, system_steps)


def step_json(step: Step, names: Names | None = None) -> dict[str, Any]:
    """Return a step's facts with its sentence as `text`."""
    return {**facts(step), "text": say(step, names)}


def derivation_json(answer: Answer, names: Names | None = None) -> list[dict[str, Any]]:
    """Return an answer's derivation as programs read it."""
    return [step_json(step, names) for step in answer.derivation]


def names_of(section: Section) -> Names:
    """Return the names of a section's players by pairing number."""
    return {player.number: player.name for player in section.players if player.name}
