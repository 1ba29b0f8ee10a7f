"""What every rating system offers, so that an office, a club or a lab can choose one by name."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from crosstable.model import Event, Finding, Game, Player, Rated, Rating, Section
from crosstable.rulebook import AS_WRITTEN, Rules


class RatingSystem(Protocol):
    """A system stores settings only; its parameters are rulebook data and its functions are pure."""

    @property
    def name(self) -> str:
        """The name in `rate --system NAME` and of its rulebook."""

    @property
    def title(self) -> str:
        """For people."""

    @property
    def pools(self) -> tuple[str, ...]:
        """The ratings that it keeps apart, by their keys in a player's `ratings`: ("GLICKO",)."""

    def pools_of(self, event: Event, section: Section, profile: str = AS_WRITTEN) -> tuple[str, ...]:
        """The pools that a section is rated in; none where it is not ratable, and `problems` says why."""

    def problems(self, event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
        """Everything that stands in the way of rating this event, and what is odd about it."""

    def rules(self, day: date, profile: str = AS_WRITTEN) -> Rules:
        """The parameters in force."""

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:
        """The state of a player whom this system has never seen."""

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:
        """The expected score of `a` against `b` (1 a sure win). `game`: what is known of it; then `a` has White."""

    def age(self, state: Rating, days: int) -> Rating:
        """The state after a time without games: uncertainty may only widen."""

    def rate(self, event: Event, profile: str = AS_WRITTEN) -> Rated:
        """New states with their traces. Raises EventRejected with every finding if the event cannot be rated."""
