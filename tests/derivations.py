"""A derivation as a reader sees it, for tests of what it says."""

from __future__ import annotations

from typing import Any, NamedTuple

from crosstable.model import Answer
from crosstable.words.derivation import Names, citation, say, title


class Shown(NamedTuple):
    """One step: what it is called, what it says, its number and its rule."""

    title: str
    text: str
    value: Any
    rule: str
    source: str


def shown_steps(answer: Answer, names: Names | None = None) -> list[Shown]:
    """Return an answer's steps in words."""
    return [
        Shown(title(step), say(step, names), step.value, step.cite.rule if step.cite else "", citation(step.cite))
        for step in answer.derivation
    ]


def by_title(answer: Answer) -> dict[str, Shown]:
    """Return the steps by what they are called."""
    return {step.title: step for step in shown_steps(answer)}
