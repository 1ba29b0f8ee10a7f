"""A made-up second federation's system, as another package would bring it: this module and rules/river.toml.

A win moves K points from the loser to the winner whatever their ratings, a draw none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import ClassVar

from crosstable.model import Answer, Finding, Game, Player, Rating
from crosstable.model.system_steps import NewRating
from crosstable.rulebook import Rulebook, Rules, load
from crosstable.systems.field import SectionPlayers
from crosstable.systems.options import Option, number
from crosstable.systems.sections import SectionSystem, check_rating, cited, new_answer

NAME = "river"


@dataclass(frozen=True)
class River(SectionSystem):
    """`k`: None for the rulebook's."""

    book: Rulebook = field(default_factory=lambda: load(NAME, Path(__file__).parent / "rules"), repr=False)
    k: float | None = None
    pool: ClassVar[str] = "RIVER"
    options: ClassVar[dict[str, Option]] = {"k": number("points for a win", "k")}

    @property
    def record(self) -> tuple[str, ...]:
        return ("rating", "games", "date", "peak")

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        return Rating(float(self.rules(day)["points"]["start"]), games=0, date=day)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002 - colours do not count
        return 0.5 if a.rating == b.rating else 0.75 if a.rating > b.rating else 0.25

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:  # noqa: ARG002 - no rule sets a limit
        for entrant, state in enumerate(field.states):
            if state is not None:
                yield from check_rating(field, entrant, state)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        k = self.k or float(rules["points"]["win"])
        answers = []
        for entrant, games in enumerate(field.schedule()):
            before = field.states[entrant] or self.start(field.entrants[entrant], field.start)
            moved = sum(k * (2 * pairing.score_of(entrant) - 1) for pairing in games)
            post = before.rating + moved
            state = replace(
                before,
                rating=post,
                games=(before.games or 0) + len(games),
                date=field.end,
                peak=max(before.peak or before.rating, post),
            )
            step = NewRating(before=before.rating, change=moved, result=post, cite=cited(rules, "points"))
            answers.append(new_answer(field, self.pool, entrant, games, state, round(post), {}, [step]))
        return answers, []


SYSTEM = River()
