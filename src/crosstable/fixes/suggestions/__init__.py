"""Finding → the fixes that could put it right. What only a register knows comes in as candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from crosstable.fixes.places import place_of
from crosstable.fixes.suggestions import events, games, players
from crosstable.fixes.suggestions.base import SUGGESTIONS, Candidate, Case, suggestions
from crosstable.model import Event, Finding

__all__ = ["SUGGESTIONS", "Candidate", "Case", "events", "games", "players", "suggestions", "with_fixes"]


def with_fixes(
    event: Event, findings: Iterable[Finding], known: Mapping[str, Sequence[Candidate]] | None = None
) -> list[Finding]:
    """Return the findings with their fixes. `known`: a name, or an id without one, and those whose it may be."""
    return [
        replace(one, fixes=tuple(suggestions(Case(event, one, place_of(one, event), known or {})))) for one in findings
    ]
