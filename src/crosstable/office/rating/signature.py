"""A section's signature: its results, its rules, its players' inputs, and what came out of them.

Where one of the first three differs, the section must be rated again; where the last is the same, its rows stay as they
are. "us_chess=RESULTS.RULES.INPUTS.OUTCOME", one for each rating system the section is rated in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from crosstable.office.rating.timeline import Placed

MOVED = "moved"


class Signature(NamedTuple):
    results: str
    rules: str
    inputs: str
    outcome: str = ""

    def __str__(self) -> str:
        return ".".join(self)

    def same_inputs(self, other: Signature | None) -> bool:
        """Then the outcome is the same, too."""
        return other is not None and self[:3] == other[:3]

    def differs_in(self, other: Signature | None) -> str:
        """Why a section must be rated again, in words; empty if it need not."""
        if other is None:
            return "it was not rated until now"
        if self.results != other.results:
            return "its results changed"
        if self.rules != other.rules:
            return "its rules changed"
        if self.inputs != other.inputs:
            return "its players came with other ratings"
        return "a decision or the program changed" if self.outcome != other.outcome else ""


def short(*parts: bytes) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def results_of(section: Placed) -> str:
    """Return what was played, by whom, under which heading."""
    heading = (
        f"{section.start} {section.end} {section.event_end} {section.kind} {section.weight} {section.youth}"
        f" {section.keys}"
    )
    return short(heading.encode(), b"|", section.entries, b"|", section.games)


def parse(text: str) -> dict[str, Signature]:
    """By rating system."""
    found = {}
    for part in text.split():
        name, _, parts = part.partition("=")
        if parts:
            found[name] = Signature(*parts.split("."))
    return found


def moved(text: str) -> str:
    """Return the signature of a section that has another place in the order: the next run looks at its rows."""
    return f"{MOVED} {text.removeprefix(MOVED).strip()}"


def joined(signatures: Iterable[tuple[str, Signature]]) -> str:
    return " ".join(f"{name}={signature}" for name, signature in sorted(signatures))
