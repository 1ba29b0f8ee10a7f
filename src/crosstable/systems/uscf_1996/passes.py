"""One section in passes: unrated players first, then provisional, finally established (4.2). Shared with uscf_1994."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Protocol

from crosstable.model import Answer, Finding, Level, Player, Rating, Section, Step
from crosstable.rulebook import Rules
from crosstable.systems.uscf_1996.entrants import Entrant, entrants
from crosstable.systems.uscf_1996.floors import floor_of, peak_of


class Group(enum.StrEnum):
    UNRATED = "unrated"
    PROVISIONAL = "provisional"
    ESTABLISHED = "established"


@dataclass(frozen=True, slots=True)
class Entry:
    """A player as the event begins. `seen` is the rating that others meet until a pass gives a new one."""

    group: Group
    seen: float
    state: Rating | None = None
    steps: tuple[Step, ...] = ()
    imputed: bool = False  # `seen` is no USCF rating: a converted or age-based one stands in
    converted: bool = False  # of these, a converted one
    by_age: float = 0.0  # the age-based rating, which decides what a newcomer's games leave open


@dataclass(frozen=True, slots=True)
class Update:
    """What the games make of a rating, before floors."""

    formula: str
    post: float
    expected: float | None = None
    k: float | None = None
    pending: tuple[tuple[float, float], ...] = ()
    steps: tuple[Step, ...] = field(default_factory=tuple)


class Method(Protocol):
    """What tells one system of these years from the other."""

    @property
    def key(self) -> str: ...

    def enter(self, rules: Rules, player: Player, state: Rating | None, day: date) -> Entry: ...

    def update(
        self, rules: Rules, entry: Entry, opponents: Sequence[float], scores: Sequence[float], weight: float
    ) -> Update: ...

    def established(self, rules: Rules, games: int | None) -> bool: ...


@dataclass(frozen=True, slots=True)
class Sitting:
    """One section under one method and the rules of its day."""

    method: Method
    rules: Rules
    section: Section
    end: date

    def established(self, state: Rating | None) -> bool:
        return state is not None and self.method.established(self.rules, state.games)

    def peak(self, state: Rating | None) -> float | None:
        return peak_of(state, self.established(state))


def round_half_up(value: float) -> int:
    return math.floor(value + 0.5)


def rate_section(sitting: Sitting, carried: Mapping[str, Rating]) -> tuple[list[Answer], list[Finding]]:
    """An answer for everybody with a rated game, and findings. `carried`: states that earlier sections left."""
    section, method = sitting.section, sitting.method
    people, findings = entrants(section)
    entries = {}
    for number, person in people.items():
        state = carried.get(person.player.id, person.player.ratings.get(method.key))
        entries[number] = method.enter(sitting.rules, person.player, state, sitting.end)
    if section.kind == "fide":
        people, noticed = _fide_games(people, entries, section)
        findings += noticed
    seen = {number: entry.seen for number, entry in entries.items()}
    answers: dict[int, Answer] = {}
    for group in Group:
        rated = {
            number: _answer(sitting, person, entries[number], seen)
            for number, person in people.items()
            if entries[number].group is group and person.games
        }
        answers |= rated
        seen |= {number: answer.post for number, answer in rated.items()}
    return [answers[number] for number in sorted(answers)], findings


def _fide_games(
    people: Mapping[int, Entrant], entries: Mapping[int, Entry], section: Section
) -> tuple[dict[int, Entrant], list[Finding]]:
    """A FIDE event updates USCF ratings only; opponents count who are USCF-rated or whose FIDE rating converts."""
    findings = []
    kept = {}
    for number, person in people.items():
        if entries[number].imputed or entries[number].group is Group.UNRATED:
            continue
        known = tuple(game for game in person.games if _has_strength(entries[game.opponent]))
        if lost := len(person.games) - len(known):
            where = f"section {section.number}, player {number}"
            message = f"{lost} games against opponents without a rating that converts."
            findings.append(Finding(Level.WARNING, "no-conversion", where, message, "They are not rated."))
        kept[number] = replace(person, games=known)
    return kept, findings


def _has_strength(entry: Entry) -> bool:
    return not entry.imputed or entry.converted


def _weight(rules: Rules, section: Section) -> float:
    rule = rules["event_weight"]
    if section.kind == "fide":
        return float(rule["fide"])
    return 1.0 if section.weight == "full" else float(rule[section.weight])


def _answer(sitting: Sitting, person: Entrant, entry: Entry, seen: Mapping[int, float]) -> Answer:
    section, rules, key = sitting.section, sitting.rules, sitting.method.key
    opponents = [seen[game.opponent] for game in person.games]
    scores = [game.score for game in person.games]
    update = sitting.method.update(rules, entry, opponents, scores, _weight(rules, section))
    before = entry.state
    prior = None if before is None else before.rating
    floor = floor_of(rules["floor"], sitting.peak(before))
    post = max(update.post, floor)
    state = _after(sitting, before, post, scores, update)
    published = round_half_up(post)
    values = {
        "section": section.number,
        "system": key,
        "number": person.number,
        "id": person.player.id,
        "prior": prior,
        "prior_games": None if before is None else before.games,
        "initialized": entry.imputed,
        "formula": update.formula,
        "games": len(scores),
        "score": sum(scores),
        "expected": update.expected,
        "k": update.k,
        "unfloored": update.post,
        "floor": floor,
        "post": post,
        "post_games": state.games,
        "published": published,
    }
    steps = (*entry.steps, *update.steps, _floor_step(sitting, before, update.post, floor))
    return Answer(section.number, key, person.number, person.player.id, prior, post, published, state, values, steps)


def _after(sitting: Sitting, before: Rating | None, post: float, scores: Sequence[float], update: Update) -> Rating:
    """The record to carry into the next event. An unknown number of games, an established player's, stays unknown."""
    start = before or Rating(post, games=0, wins=0, draws=0, losses=0)
    games = None if start.games is None else start.games + len(scores)
    peak = sitting.peak(before)
    if sitting.method.established(sitting.rules, games):
        peak = post if peak is None else max(peak, post)
    return replace(
        start,
        rating=post,
        games=games,
        date=sitting.end,
        wins=_count(start.wins, scores, 1.0),
        draws=_count(start.draws, scores, 0.5),
        losses=_count(start.losses, scores, 0.0),
        peak=peak,
        pending=update.pending,
    )


def _count(before: int | None, scores: Sequence[float], worth: float) -> int | None:
    return None if before is None else before + sum(score == worth for score in scores)


def _floor_step(sitting: Sitting, before: Rating | None, raw: float, floor: float) -> Step:
    rule, peak = sitting.rules["floor"], sitting.peak(before)
    words = "no established peak" if peak is None else f"peak {peak:g}"
    verdict = f"{raw:.2f} is raised to it" if floor > raw else f"{raw:.2f} stands"
    source = f"{rule.document} {rule.section}"
    return Step("Floor", f"{words}: floor {floor:g}; {verdict}", max(raw, floor), "floor", source)
