"""A rated event: an answer per player, section and pool, with the steps that lead to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from crosstable.extras import needed_for
from crosstable.model.derivation import Step
from crosstable.model.event import Event, Rating
from crosstable.model.finding import Finding
from crosstable.rated_text import short_text


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's new rating in one section and one pool, with all that led to it."""

    section: int
    pool: str  # the key in `ratings`: "OTBR", "GLICKO"
    number: int
    id: str
    prior: float | None
    post: float  # NaN in a public form that hides it
    published: int | float | None  # None in a public form that hides it
    state: Rating
    values: Mapping[str, Any]  # every field the system answers with, in print order
    derivation: tuple[Step, ...] = ()
    by_age: bool = False  # the new rating still is what an age made it: no result has moved it


@dataclass(frozen=True, slots=True)
class Rated:
    """A rated event: an answer per player, section and pool, and what was noticed on the way."""

    event: str
    system: str
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...] = ()
    source: Event | None = field(default=None, repr=False, compare=False)  # the event; of a public form without ages

    def ratings(self) -> dict[str, dict[str, Rating]]:
        """Return what every player leaves with, by id and pool, to bring to the next event;
        pools that it did not touch stay.
        """
        players = [player for section in self.source.sections for player in section.players] if self.source else []
        found = {player.id: dict(player.ratings) for player in players if player.id}
        for answer in sorted(self.answers, key=lambda answer: answer.state.date or date.min):
            if answer.id:
                found.setdefault(answer.id, {})[answer.pool] = answer.state
        return found

    def frame(self) -> Any:
        """Return the answers as a polars frame: a row per player, section and pool."""
        with needed_for("frame"):
            import polars as pl
        return pl.DataFrame([dict(answer.values) for answer in self.answers], infer_schema_length=None, strict=False)

    def to_html(self) -> str:
        """One self-contained page: the crosstables with the new ratings, and the work behind each."""
        from crosstable.words.rated_page import page

        return page([self])

    def __repr__(self) -> str:
        return short_text(self)

    def _repr_html_(self) -> str:
        from crosstable.words.rated_page import table

        return table(self)
