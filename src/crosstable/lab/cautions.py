"""What to know before trusting a figure: facts about a source or a window, and the sentence for each kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

_SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "few-events": (
            "Only {events:,} events are in the window. Intervals from resampled events need at least {least}: use those"
            " of the players, or give the table an 'event' column."
        ),
        "rules-not-yet-in-force": (
            "{name}: {games:,} games were played before {first}, the first day of its rulebook. They are rated "
            "by the rules of that day, not by those of their own."
        ),
        "from-a-file": (
            "{names}: the predictions come from a file, so no one can check that they were made before the games."
        ),
        "first-named-wins": (
            "The player named first scored {score:.2f} on average in {games:,} games, more than White ever does. If the"
            " columns only name the players, add --no-colours."
        ),
        "repeated-rows": (
            "{rows:,} rows repeat an earlier row in every column, the first on line {line}. Remove them, or number the"
            " rounds if the same players met more than once."
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Caution:
    """One thing to know: its kind, and the facts that its sentence needs."""

    kind: str
    facts: Mapping[str, Any]

    @property
    def text(self) -> str:
        return _SENTENCES[self.kind].format(**self.facts)

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "facts": dict(self.facts), "text": self.text}
