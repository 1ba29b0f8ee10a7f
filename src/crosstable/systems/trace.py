"""The public form of an answer: what would give a birth date or an age away is not shown."""

from __future__ import annotations

import math
from dataclasses import replace

from crosstable.model import Answer, Rating, Step

MASK = "Not shown: it would give the player's age away."


def public(answer: Answer) -> Answer:
    """An answer that anybody may see. Who rates their own file sees everything instead."""
    values = {name: None if name in answer.private else value for name, value in answer.values.items()}
    hidden = "post" in answer.private  # all digits of a rating can tell more than the whole number that is published
    return replace(
        answer,
        prior=None if "prior" in answer.private else answer.prior,
        post=math.nan if hidden else answer.post,
        published=None if "published" in answer.private else answer.published,
        state=Rating(math.nan)
        if hidden
        else replace(answer.state, pending=()),  # saved games name opponents' first ratings
        values=values,
        trace=tuple(_masked(step) for step in answer.trace),
    )


def _masked(step: Step) -> Step:
    return replace(step, text=MASK, value=None) if step.private else step
