"""The public form of an answer: what would give a birth date or an age away is not shown."""

from __future__ import annotations

from dataclasses import replace

from crosstable.model import Answer, Step

MASK = "Not shown: it would give the player's age away."


def public(answer: Answer) -> Answer:
    """An answer that anybody may see. Who rates their own file sees everything instead."""
    values = {name: None if name in answer.private else value for name, value in answer.values.items()}
    prior = None if "prior" in answer.private else answer.prior
    return replace(answer, prior=prior, values=values, trace=tuple(_masked(step) for step in answer.trace))


def _masked(step: Step) -> Step:
    return replace(step, text=MASK, value=None) if step.private else step
