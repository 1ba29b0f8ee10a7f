"""One section in passes: unrated players first, then provisional, finally established (4.2). Shared with uscf_1994."""

from __future__ import annotations

import enum
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.findings import declare
from crosstable.model import Answer, Finding, Level, Player, Rating, Section, Step
from crosstable.model.system_steps import PeakFloor
from crosstable.rulebook import Rules
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import SectionSystem, check_rating, cited, new_answer, rounded, warning
from crosstable.systems.structure import error
from crosstable.systems.uscf_1996.floors import floor_of, peak_of

declare("no-conversion", Level.WARNING, "A foreign rating is outside the printed table.", "These games are not rated.")
declare(
    "wrong-games",
    Level.ERROR,
    "A USCF rating has no number of games, or an impossible one.",
    "Give the number of games so far.",
)

#: How far a win or a loss moves a first rating from the opponent's, and what counts as the same rating
SPAN, NEAR = 400.0, 0.01


class RatingGroup(enum.StrEnum):
    UNRATED = "unrated"
    PROVISIONAL = "provisional"
    ESTABLISHED = "established"


@dataclass(frozen=True, slots=True)
class PassEntry:
    """A player as the event begins. `seen` is the rating that others meet until a pass gives a new one."""

    group: RatingGroup
    seen: float
    state: Rating | None = None
    steps: tuple[Step, ...] = ()
    imputed: bool = False  # `seen` is no USCF rating: a converted or age-based one stands in
    converted: bool = False  # of these, a converted one
    by_age: float = 0.0  # the age-based rating, which decides what a newcomer's games leave open
    from_birth_date: bool = False  # and it would tell the player's age


@dataclass(frozen=True, slots=True)
class PassUpdate:
    """What the games make of a rating, before floors."""

    formula: str
    post: float
    expected: float | None = None
    k: float | None = None
    pending: tuple[tuple[float, float], ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class PassesSystem(SectionSystem):
    """The frame of both systems; a subclass says who enters how, and what the games make of a rating."""

    @abstractmethod
    def enter(self, rules: Rules, player: Player, state: Rating | None, day: date) -> PassEntry:
        """Enter a player as the event begins."""

    @abstractmethod
    def update(
        self, rules: Rules, entry: PassEntry, opponents: Sequence[float], scores: Sequence[float], weight: float
    ) -> PassUpdate:
        """One player's games, against the ratings that the opponents have in this pass."""

    @abstractmethod
    def established(self, rules: Rules, games: int | None) -> bool:
        """Whether a rating on so many games is established. Unknown: yes."""

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:  # noqa: ARG002  as the protocol calls it
        for entrant, state in enumerate(field.states):
            if state is None:
                continue
            yield from check_rating(field, entrant, state)
            if state.games is not None and state.games < 0:
                message = f"a rating based on {state.games} games."
                yield error("wrong-games", field.where(entrant), message, "Give the number of games so far.")

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        entries = [
            self.enter(rules, player, state, field.end)
            for player, state in zip(field.entrants, field.states, strict=True)
        ]
        schedule, findings = _rated_games(field, entries)
        seen = [entry.seen for entry in entries]
        answers: dict[int, Answer] = {}
        for group in RatingGroup:
            here = [place for place, entry in enumerate(entries) if entry.group is group and schedule[place]]
            rated = {
                place: self._answer(field, rules, place, entries[place], (schedule[place], seen)) for place in here
            }
            for place, answer in rated.items():
                seen[place] = answer.post
            answers |= {
                place: replace(answer, by_age=_is_by_age(answer, place, schedule[place], entries))
                for place, answer in rated.items()
            }
        return [answers[place] for place in sorted(answers)], findings

    def _answer(
        self,
        field: SectionPlayers,
        rules: Rules,
        place: int,
        entry: PassEntry,
        met: tuple[Sequence[PlayedPairing], Sequence[float]],
    ) -> Answer:
        games, seen = met
        opponents = [seen[pairing.opponent_of(place)] for pairing in games]
        scores = [pairing.score_of(place) for pairing in games]
        update = self.update(rules, entry, opponents, scores, _weight(rules, field.section))
        before = entry.state
        peak = self._peak(rules, before)
        floor = floor_of(rules["floor"], peak)
        post = max(update.post, floor)
        state = self._after(rules, before, update, replace(_played(before, scores), rating=post, date=field.end))
        prior = None if before is None else before.rating
        values = {
            "prior": prior,
            "prior_games": None if before is None else before.games,
            "initialized": entry.imputed,
            "formula": update.formula,
            "expected": update.expected,
            "k": update.k,
            "unfloored": update.post,
            "floor": floor,
            "post_games": state.games,
        }
        steps = (*entry.steps, *update.steps, _floor_step(rules, peak, update.post, floor))
        answer = new_answer(field, self.pool, place, games, state, rounded(post), values, steps)
        return replace(answer, prior=prior)

    def _peak(self, rules: Rules, state: Rating | None) -> float | None:
        return peak_of(state, state is not None and self._counts(rules, state))

    def _after(self, rules: Rules, before: Rating | None, update: PassUpdate, state: Rating) -> Rating:
        """Return the record to carry into the next event, with the peak raised by a rating that counts for floors."""
        peak, after = self._peak(rules, before), replace(state, pending=update.pending)
        if self._counts(rules, after):
            peak = state.rating if peak is None else max(peak, state.rating)
        return replace(after, peak=peak)

    def _counts(self, rules: Rules, state: Rating) -> bool:
        """Whether a rating is one that a floor looks at. Who is still rated as unrated (4.2) has attained none yet."""
        if rules["floor"]["provisional_peaks"]:
            return not state.pending and (state.games is None or state.games >= rules["k_factor"]["fewest"])
        return self.established(rules, state.games)


def _is_by_age(answer: Answer, place: int, games: Sequence[PlayedPairing], entries: Sequence[PassEntry]) -> bool:
    """Whether a newcomer's rating is someone's age-based rating, or a win or loss beside it."""
    entry = entries[place]
    rivals = [entries[pairing.opponent_of(place)] for pairing in games]
    ages = [known.by_age for known in (entry, *rivals) if known.from_birth_date]
    apart = [abs(answer.post - age) for age in ages]
    return entry.group is RatingGroup.UNRATED and any(min(gap, abs(gap - SPAN)) < NEAR for gap in apart)


def _rated_games(
    field: SectionPlayers, entries: Sequence[PassEntry]
) -> tuple[list[list[PlayedPairing]], list[Finding]]:
    """Each entrant's rated games. A FIDE event updates USCF ratings only, by opponents whose strength is known."""
    schedule = field.schedule()
    if field.section.kind != "fide":
        return schedule, []
    findings = []
    for place, games in enumerate(schedule):
        if entries[place].imputed or entries[place].group is RatingGroup.UNRATED:
            schedule[place] = []
            continue
        known = [pairing for pairing in games if _has_strength(entries[pairing.opponent_of(place)])]
        if lost := len(games) - len(known):
            message = f"{lost} games against opponents without a rating that converts."
            findings.append(warning("no-conversion", field.where(place), message, "These games are not rated."))
        schedule[place] = known
    return schedule, findings


def _has_strength(entry: PassEntry) -> bool:
    return not entry.imputed or entry.converted


def _weight(rules: Rules, section: Section) -> float:
    rule = rules["event_weight"]
    if section.kind == "fide":
        return float(rule["fide"])
    return 1.0 if section.weight == "full" else float(rule[section.weight])


def _played(before: Rating | None, scores: Sequence[float]) -> Rating:
    """Return the record with these games counted.

    An unknown number of games, an established player's, stays unknown.
    """
    start = before or Rating(0.0, games=0, wins=0, draws=0, losses=0)
    return replace(
        start,
        games=None if start.games is None else start.games + len(scores),
        wins=_count(start.wins, scores, 1.0),
        draws=_count(start.draws, scores, 0.5),
        losses=_count(start.losses, scores, 0.0),
    )


def _count(before: int | None, scores: Sequence[float], worth: float) -> int | None:
    return None if before is None else before + sum(score == worth for score in scores)


def _floor_step(rules: Rules, peak: float | None, raw: float, floor: float) -> Step:
    result = max(raw, floor)
    return PeakFloor(peak=peak, floor=floor, before=raw, result=result, holds=floor > raw, cite=cited(rules, "floor"))
