"""What the sentences of a trace say, for the story that is told of them."""

from __future__ import annotations

import re

from crosstable.office.reading.words import joined, pool

_ELSEWHERE = re.compile(r"([A-Z]+) (\d+(?:\.\d+)?)(?: \(converted (\d+)(?:\.\d+)?\))? of \d{4}-")
_NOT_ENOUGH = re.compile(r"the gain of (\d+\.\d+) does not exceed .* = (\d+\.\d+)")

#: What the games gave: word, colour and side of the expectation, by the sign
SIDES = {
    1: ("Gain", "up", "above"),
    0: ("Change", "soft", "above or below"),
    -1: ("Loss", "down", "below"),
}
LEFT_OUT = "The sum is left out: in full its numbers would tell somebody’s age, and rounded ones do not add up."


def elsewhere(start: str) -> str:
    """What a first rating was made from, as far as it is told: FIDE 1987 (converted: 2040)."""
    parts = [
        f"{pool(source)} {rating}{f' (converted: {worth})' if worth else ''}"
        for source, rating, worth in _ELSEWHERE.findall(start)
    ]
    return joined(parts) if parts else "what the player had elsewhere"


def no_bonus(bonus: str) -> str:
    """Why there was none, in round numbers; nothing where the sentence says it already."""
    if gain := _NOT_ENOUGH.search(bonus):
        return f"None: a gain of {float(gain[1]):.1f} is not above {float(gain[2]):.1f}."
    if "a loss of" in bonus:
        return "None: a loss earns none."
    return "None: the gain was not exceptional." if "the gain of" in bonus else ""


def floor_holds(floor: str) -> bool:
    """Whether it stopped the fall; of a match also while a request to lower it waits."""
    return "the floor holds" in floor or "until granted it holds" in floor


def which_formula(text: str) -> str:
    """The number of games has just been told."""
    return sentence(re.sub(r"(^|: )\d+ games?(?: before)?, ((?:not )?more than \d+)", r"\1\2 games", text))


def sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}"
