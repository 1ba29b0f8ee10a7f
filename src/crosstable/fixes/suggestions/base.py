"""What a suggestion looks at, and where suggestions are registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from crosstable.model import Event, Finding, Fix, Place, Player, Section


@dataclass(frozen=True, slots=True)
class Candidate:
    """A registered player who may be meant, with what helps to tell namesakes apart."""

    id: str
    name: str
    state: str = ""
    rating: int | None = None
    last_event: str = ""
    birth_year: int | None = None  # only for a reader who may know it


@dataclass(frozen=True, slots=True)
class Case:
    """A finding at its place in the event, and the candidates for the names in it, or for an id without a name."""

    event: Event
    finding: Finding
    place: Place
    known: Mapping[str, Sequence[Candidate]] = field(default_factory=dict)

    @property
    def section(self) -> Section | None:
        return next((one for one in self.event.sections if one.number == self.place.section), None)

    @property
    def player(self) -> Player | None:
        section = self.section
        if section is None:
            return None
        return next((one for one in section.players if one.number == self.place.player), None)

    @property
    def here(self) -> dict[str, str]:
        """The section and the player, as values of a fix."""
        values = {} if self.place.section is None else {"section": str(self.place.section)}
        return values | ({} if self.place.player is None else {"player": str(self.place.player)})


Suggest = Callable[[Case], list[Fix]]
SUGGESTIONS: dict[str, Suggest] = {}
KEEP = Fix("keep")


def suggest(*codes: str) -> Callable[[Suggest], Suggest]:
    """Register the fixes for findings of these codes."""

    def register(function: Suggest) -> Suggest:
        SUGGESTIONS.update(dict.fromkeys(codes, function))
        return function

    return register


def suggestions(case: Case) -> list[Fix]:
    """Return the fixes for a finding; none where only its owner can say what is meant."""
    found = SUGGESTIONS.get(case.finding.code)
    return found(case) if found else []
