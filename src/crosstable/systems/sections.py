"""The frame of the systems that rate a section at a time: rules by its start, findings collected, states carried on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, ClassVar, Self

from crosstable.errors import EventRejected, NoRulesOnDate
from crosstable.findings import declare, place_of
from crosstable.model import Answer, Event, Finding, Level, Place, Player, Rated, Rating, Section, Step, errors
from crosstable.model.derivation import Citation
from crosstable.rulebook import AS_WRITTEN, Rulebook, Rules
from crosstable.systems import structure
from crosstable.systems.field import PlayedPairing, SectionPlayers, clashing_entries, field_of
from crosstable.systems.options import Option, with_options
from crosstable.systems.protocol import StoredSection
from crosstable.systems.records import LEAST, RECORDS
from crosstable.systems.structure import LARGEST, error

declare(
    "no-rules-on-date",
    Level.ERROR,
    "The system has no rules for that day.",
    "Check the date, or choose a system that existed then.",
)
declare(
    "missing-*",
    Level.ERROR,
    "A rating record lacks a number that the system needs: missing-deviation, missing-volatility, missing-sigma.",
    "Add it, or leave out the whole record.",
)
declare(
    "wrong-*",
    Level.ERROR,
    "A number of a rating record or a setting is out of range: wrong-deviation, wrong-k.",
    "Correct it, or leave it out.",
)
declare("wrong-rating", Level.ERROR, "A rating is outside the system's range.", "Correct the record.")
declare(
    "rating-from-later",
    Level.WARNING,
    "A rating is dated after the section's end.",
    "The time without games counts as zero.",
)

#: 97.5 % of a normal distribution lies below: ratings with an uncertainty print with a 95 % interval
NINETY_FIVE = 1.959963984540054


@dataclass(frozen=True)
class SectionSystem(ABC):
    """Settings only; `book` holds the numbers. A subclass says how one section is rated."""

    book: Rulebook = field(repr=False)
    chosen: str = field(default="", kw_only=True)  # the options in the name by which it was asked for
    pool: ClassVar[str]
    options: ClassVar[Mapping[str, Option]] = {}
    kernel: ClassVar[str | None] = None
    reach: ClassVar[int | None] = None
    age_classes: ClassVar[bool] = False
    limits: ClassVar[tuple[float, float]] = (-LARGEST, LARGEST)

    @property
    def name(self) -> str:
        """The rulebook's, with the options."""
        return f"{self.book.system}:{self.chosen}" if self.chosen else self.book.system

    @property
    def title(self) -> str:
        return self.book.title

    @property
    def pools(self) -> tuple[str, ...]:
        return (self.pool,)

    @property
    def record(self) -> tuple[str, ...]:
        return RECORDS.get(self.pool, LEAST)

    def with_options(self, given: Mapping[str, str]) -> Self:
        chosen: Self = with_options(self, self.options, given)
        return chosen

    @property
    def latest(self) -> Rules:
        """The newest rules, for questions that name no day."""
        return self.book.on(date.max)

    def rules(self, day: date, profile: str = AS_WRITTEN) -> Rules:
        return self.book.on(day, profile)

    def age(self, state: Rating, days: int) -> Rating:  # noqa: ARG002  as the protocol calls it
        """Without an uncertainty there is nothing that time could widen."""
        return state

    def pools_of(
        self,
        event: Event,  # noqa: ARG002  the protocol
        section: Section,
        profile: str = AS_WRITTEN,  # noqa: ARG002  the protocol
    ) -> tuple[str, ...]:
        return (self.pool_of(section),)

    def pool_of(self, section: Section) -> str:  # noqa: ARG002  for systems with more than one
        """Return the pool that a section is rated in. Most systems have one, whatever the section is."""
        return self.pool

    def problems(self, event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
        """Return what any system needs first; then, if that is in order, our own checks of every section."""
        findings = [*structure.problems(event), *self._rulebook_problems(event, profile)]
        if errors(findings):
            return findings
        for section in sorted(event.sections, key=lambda section: (section.end or date.max, section.number)):
            findings += clashing_entries(section, self.pool_of(section))
            findings += self.check(field_of(section, self.pool_of(section), {}), self._rules_for(section, profile))
        return findings

    def rate(self, event: Event, profile: str = AS_WRITTEN, *, checked: Sequence[Finding] | None = None) -> Rated:
        """Sections by end date, then number (readings 14), each beginning with what the one before left."""
        findings = self.problems(event, profile) if checked is None else list(checked)
        refuse(findings)
        sections = sorted(event.sections, key=lambda section: (section.end, section.number))
        every: dict[str, dict[str, Rating]] = {}
        answers: list[Answer] = []
        for section in sections:
            carried = every.setdefault(self.pool_of(section), {})
            here = field_of(section, self.pool_of(section), carried)
            rated, noticed = self.rate_field(here, self._rules_for(section, profile))
            answers += rated
            findings += noticed
            ids = {player.number: player.id for player in here.entrants}
            carried.update({ids[answer.number]: answer.state for answer in rated if ids[answer.number]})
        refuse(findings)
        return Rated(event.name, self.name, tuple(answers), tuple(findings), source=event)

    def review(self, event: Event, profile: str = AS_WRITTEN) -> list[Finding]:
        """Much shows only while rating: games left out, results hard to believe."""
        if errors(structure.problems(event)):
            return []
        try:
            return list(self.rate(event, profile).findings)
        except EventRejected as rejected:
            return list(rejected.findings)

    def rate_kept(self, event: Event, kept: StoredSection, profile: str = AS_WRITTEN) -> Rated:
        """Rate as always. An answer also tells an age while it still is a rating that an age gave earlier."""
        rated = self.rate(event, profile)
        answers = (
            replace(one, by_age=one.by_age or kept.tells_an_age(one.number, one.pool, one.post))
            for one in rated.answers
        )
        return replace(rated, answers=tuple(answers))

    @abstractmethod
    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:
        """Yield what is wrong with the players' records, the games or our own settings."""

    @abstractmethod
    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        """One section, from the states in the field."""

    def _rules_for(self, section: Section, profile: str) -> Rules:
        return self.rules(section.start or date.max, profile)

    def _rulebook_problems(self, event: Event, profile: str) -> Iterator[Finding]:
        for section in event.sections:
            try:
                self._rules_for(section, profile)
            except NoRulesOnDate as problem:
                advice = "Check the date, or choose a system that existed then."
                yield error("no-rules-on-date", Place(section=section.number), f"{problem}.", advice)


def refuse(findings: Iterable[Finding]) -> None:
    """Refuse an event with errors; the exception carries everything that was found."""
    found = list(findings)
    if errors(found):
        raise EventRejected(found)


def warning(code: str, where: Place | str, message: str, advice: str = "") -> Finding:
    return Finding(Level.WARNING, code, place_of(where), message, advice)


def notice(code: str, where: Place | str, message: str, advice: str = "") -> Finding:
    return Finding(Level.NOTICE, code, place_of(where), message, advice)


def check_number(
    field: SectionPlayers, entrant: int, name: str, value: float | None, least: float, most: float
) -> Iterator[Finding]:
    """Check a number of a player's record that must be there and in a sensible range."""
    where = field.where(entrant)
    if value is None:
        yield error(
            f"missing-{name}", where, f"the rating record has no '{name}'.", "Add it, or leave out the whole record."
        )
    elif not least <= value <= most:
        message = f"the {name} {value:g} is not between {least:g} and {most:g}."
        yield error(f"wrong-{name}", where, message, "Correct the record, or leave it out for a newcomer.")


def check_rating(field: SectionPlayers, entrant: int, state: Rating) -> Iterator[Finding]:
    if not abs(state.rating) <= LARGEST:
        yield error("wrong-rating", field.where(entrant), f"{state.rating} is not a rating.", "Correct the record.")
    if state.date is not None and state.date > field.end:
        message = f"the rating is dated {state.date}, after the section's end on {field.end}."
        yield warning("rating-from-later", field.where(entrant), message, "The time without games counts as zero.")


def check_setting(name: str, value: float, above: float = 0.0) -> Iterator[Finding]:
    if not math.isfinite(value) or value <= above:
        yield error(
            f"wrong-{name}", "settings", f"{name} is {value:g}, but must be above {above:g}.", "Change the setting."
        )


def cited(rules: Rules, rule: str) -> Citation:
    """Cite a rule in force."""
    value = rules[rule]
    return Citation(rule=rule, document=value.document, section=value.section, since=value.holds_since)


def interval(rating: float, deviation: float) -> list[float]:
    """Where the true rating lies with 95 % probability."""
    return [rating - NINETY_FIVE * deviation, rating + NINETY_FIVE * deviation]


def rounded(rating: float) -> int:
    """Half up, as ratings are published."""
    return math.floor(rating + 0.5)


def new_answer(
    field: SectionPlayers,
    pool: str,
    entrant: int,
    games: Sequence[PlayedPairing],
    state: Rating,
    published: float,
    values: dict[str, Any],
    derivation: Iterable[Step],
) -> Answer:
    """Return an answer with the fields that all systems share, then the system's own."""
    player: Player = field.entrants[entrant]
    before = field.states[entrant]
    prior = None if before is None else before.rating
    scores = [pairing.score_of(entrant) for pairing in games]
    common = {
        "section": field.section.number,
        "pool": pool,
        "number": player.number,
        "id": player.id,
        "name": player.name,
        "prior": prior,
        "games": len(scores),
        "score": sum(scores),
    }
    every = common | values | {"post": state.rating, "published": published}
    return Answer(
        field.section.number,
        pool,
        player.number,
        player.id,
        prior,
        state.rating,
        published,
        state,
        every,
        tuple(derivation),
    )


def opponent_number(field: SectionPlayers, entrant: int, pairing: PlayedPairing) -> int:
    """Return the pairing number of a player's opponent."""
    return field.entrants[pairing.opponent_of(entrant)].number
