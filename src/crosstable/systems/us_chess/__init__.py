"""The US Chess rating system, editions of 2015, 2017 and 2025 and the older values of their history list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.model import Event, Finding, Game, Player, Rated, Rating, Section
from crosstable.rulebook import AS_WRITTEN, Rulebook, Rules, rulebook
from crosstable.systems import structure
from crosstable.systems.options import Option, with_options
from crosstable.systems.protocol import StoredSection
from crosstable.systems.us_chess.classification import rated_in
from crosstable.systems.us_chess.coefficients import coefficients, coefficients_on
from crosstable.systems.us_chess.event import rate, rate_kept
from crosstable.systems.us_chess.formulas import winning_expectancy
from crosstable.systems.us_chess.pools import KEYS, MAIN, RECORD
from crosstable.systems.us_chess.section import start_of
from crosstable.systems.us_chess.update import Circumstances
from crosstable.systems.us_chess.validity import problems, section_rules

#: No one has had, or will have, more points than this
HIGHEST = 3500.0


@dataclass(frozen=True, slots=True)
class UsChess:
    """US Chess behind the one protocol: a rating for each pool, no uncertainty, nothing fades with time."""

    name: str = "us_chess"
    title: str = "US Chess"
    pools: tuple[str, ...] = KEYS
    kernel: str | None = "us_chess"
    #: Step 5 reads the opponents' Step 4, that their opponents' Step 3, and that their opponents' ratings
    reach: int | None = 3
    age_classes: bool = False
    record: tuple[str, ...] = RECORD

    @property
    def book(self) -> Rulebook:
        return rulebook(self.name)

    @property
    def limits(self) -> tuple[float, float]:
        return self.rules(self.book.first)["absolute_floor"]["floor"], HIGHEST

    @property
    def options(self) -> Mapping[str, Option]:
        return {}

    def with_options(self, given: Mapping[str, str]) -> UsChess:
        chosen: UsChess = with_options(self, self.options, given)
        return chosen

    def rules(self, day: date, profile: str = AS_WRITTEN) -> Rules:
        return rulebook(self.name).on(day, profile)

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:
        rules = self.rules(day)
        matches = rules["matches"]
        here = Circumstances(coefficients(rules), False, False, 1, day, day, matches["days"], matches["years"])
        begun = start_of(here, pool or MAIN, player, player.ratings, day)
        return replace(
            begun.record or Rating(begun.rating, begun.games, day, 0, 0, 0, assigned_games=begun.games),
            rating=begun.rating,
        )

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        day = max((rating.date for rating in (a, b) if rating.date), default=rulebook(self.name).first)
        return winning_expectancy(coefficients_on(day), a.rating, b.rating)

    def age(self, state: Rating, days: int) -> Rating:  # noqa: ARG002  as the protocol calls it
        return state

    def pools_of(self, event: Event, section: Section, profile: str = AS_WRITTEN) -> tuple[str, ...]:
        return section_rules(event, section, profile)[1]

    def problems(self, event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
        return structure.problems(event) + problems(event, profile)

    def review(self, event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
        return problems(event, profile)

    def rate_kept(self, event: Event, kept: StoredSection, profile: str = AS_WRITTEN) -> Rated:
        return rate_kept(event, kept, profile)

    def rate(self, event: Event, profile: str = AS_WRITTEN, *, checked: Sequence[Finding] | None = None) -> Rated:
        return rate(event, profile, checked=checked)


SYSTEM = UsChess()

__all__ = ["KEYS", "SYSTEM", "UsChess", "coefficients", "coefficients_on", "rate", "rated_in"]
