"""A school club's ratings, one game at a time: the St. Charles Chess Club, and its relatives by other rulebooks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from crosstable.errors import RulebookError
from crosstable.findings import declare
from crosstable.model import Answer, Finding, Game, Level, Player, Rating, Step
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import Field, Pairing
from crosstable.systems.sections import SectionSystem, check_rating, cite, new_answer
from crosstable.systems.st_charles import formulas
from crosstable.systems.structure import error

declare("no-rating", Level.ERROR, "A club record has no rating.", "Add it, or leave out the whole record.")
declare("under-the-floor", Level.ERROR, "A club rating is below the lowest that there is.", "Correct it.")

_ROUNDING = {"none": formulas.NOT_ROUNDED, "nearest": formulas.NEAREST, "down": formulas.DOWN}


@dataclass(frozen=True, slots=True)
class Points:
    """What one game does to one player, with the parts that a parent can follow."""

    at_risk: float
    adjustment: float  # the rating difference over 25, rounded
    limited: float  # after rules 1 to 3
    post: float  # after the floor

    @property
    def sum(self) -> float:
        return self.at_risk + self.adjustment


@dataclass(frozen=True)
class StCharles(SectionSystem):
    """`book`: another club's numbers, such as `rulebook("cxr")` or `rulebook.build(…)` of its own file."""

    book: Rulebook = field(default_factory=lambda: rulebook("st_charles"), repr=False)
    pool: ClassVar[str] = "CLUB"

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  as the protocol calls it
        rules = self.rules(day)
        if "start" not in rules:
            raise RulebookError(f"{self.title} has no starting rating, and player {player.number} has none.")
        return _whole(Rating(rules["start"]["rating"], games=0, date=day))

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        rule = self.latest["formula"]
        return formulas.expected(a.rating, b.rating, rule["divisor"], rule["at_risk"])

    def score(self, own: float, opponent: float, result: float, rules: Rules | None = None) -> tuple[Points, Points]:
        """One game: both players' points. `result` is the first player's: 1, 1/2 or 0."""
        rules = rules or self.latest
        return _points(own, opponent, result, rules), _points(opponent, own, 1.0 - result, rules)

    def status(self, games: int, rules: Rules | None = None) -> str:
        """How far to trust a rating after so many games: "tentative" or "official"."""
        rules = rules or self.latest
        stages = rules["status"]["stages"] if "status" in rules else ()
        return next((str(stage["status"]) for stage in reversed(stages) if games >= stage["games"]), "")

    def mark(self, games: int, rules: Rules | None = None) -> str:
        """What a list prints beside a name: "tentative", "still settling" or nothing."""
        rules = rules or self.latest
        stages = rules["status"]["stages"] if "status" in rules else ()
        if stages and games < stages[-1]["games"]:
            return self.status(games, rules)
        settling = "settling" in rules and games < rules["settling"]["games"]
        return str(rules["settling"]["mark"]) if settling else ""

    def check(self, field: Field, rules: Rules) -> Iterator[Finding]:
        floor = _floor(rules)
        for entrant, state in enumerate(field.states):
            if state is None and "start" not in rules:
                advice = "Give the player a rating."
                yield error("no-rating", field.where(entrant), f"{self.title} has no starting rating.", advice)
            if state is not None:
                yield from check_rating(field, entrant, state)
                if state.rating < floor:
                    message = f"the rating {state.rating:g} is under the floor of {floor:g}."
                    yield error("under-the-floor", field.where(entrant), message, "Nobody can have it: correct it.")

    def rate_field(self, field: Field, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        """Games in round order, each from the ratings that the one before left."""
        states = [
            state or self.start(player, field.start) for state, player in zip(field.states, field.entrants, strict=True)
        ]
        now = [state.rating for state in states]
        traces: list[list[Step]] = [[] for _ in states]
        for pairing in field.pairings:
            places = pairing.white, pairing.black
            both = self.score(now[places[0]], now[places[1]], pairing.score, rules)
            for entrant, points in zip(places, both, strict=True):
                before = now[entrant], now[pairing.opponent_of(entrant)]
                traces[entrant].append(_step(field, entrant, pairing, before, points, rules))
            now[places[0]], now[places[1]] = both[0].post, both[1].post
        return [
            self._answer(field, entrant, games, states[entrant], now[entrant], traces[entrant], rules)
            for entrant, games in enumerate(field.schedule())
        ], []

    def _answer(
        self,
        field: Field,
        entrant: int,
        games: list[Pairing],
        before: Rating,
        post: float,
        trace: list[Step],
        rules: Rules,
    ) -> Answer:
        played = (before.games or 0) + len(games)
        state = _whole(Rating(post, games=played, date=field.end))
        status = self.status(played, rules)
        marks = ", ".join(dict.fromkeys(word for word in (status, self.mark(played, rules)) if word))
        words = f"{before.rating:g} {post - before.rating:+g} = {post:g} after {played} club games"
        trace.append(Step("New rating", f"{words} ({marks})" if marks else words, post, "status" if status else ""))
        published = state.rating if float(post).is_integer() else post
        return new_answer(
            field, self.pool, entrant, games, state, published, {"start": before.rating, "status": status}, trace
        )


def numbers(rules: Rules) -> tuple[float, float, int, float, float, float, float, float]:
    """What the formulas read: at risk, divisor, rounding, equal within, largest difference, least, most, floor."""
    rule = rules["formula"]
    least, most = -math.inf, math.inf
    if "limits" in rules:
        least, most = (float(rules["limits"][name]) for name in ("least_for_winner", "most"))
    largest = float(rule.fields.get("largest_difference", math.inf))
    return (
        float(rule["at_risk"]),
        float(rule["divisor"]),
        _ROUNDING[rule["rounding"]],
        float(rule.fields.get("equal_within", 0.0)),
        largest,
        least,
        most,
        _floor(rules),
    )


def _points(own: float, opponent: float, result: float, rules: Rules) -> Points:
    at_risk, divisor, rounding, equal_within, largest, least, most, floor = numbers(rules)
    adjustment = formulas.adjustment(own, opponent, divisor, rounding, equal_within, largest)
    limited = formulas.points(adjustment, result, at_risk, least, most)
    return Points(at_risk * (2 * result - 1), adjustment, limited, max(own + limited, floor))


def _floor(rules: Rules) -> float:
    return float(rules["floor"]["rating"]) if "floor" in rules else -math.inf


def _whole(state: Rating) -> Rating:
    """Club ratings are whole numbers and are written so."""
    if float(state.rating).is_integer():
        return Rating(int(state.rating), games=state.games, date=state.date)
    return state


def sentence(
    opponent: str, own_rating: float, opponent_rating: float, result: float, points: Points, floor: float
) -> str:
    """One game in one friendly sentence: "You beat Sam, who was 100 points higher: 21 + 4 = 25"."""
    verb = {1.0: "beat", 0.5: "drew with", 0.0: "lost to"}[result]
    gap = opponent_rating - own_rating
    if points.adjustment == 0:
        apart = (
            "who had your rating"
            if gap == 0
            else f"whose rating was as good as yours ({abs(gap):g} points {_side(gap)})"
        )
    else:
        apart = f"who was {abs(gap):g} points {_side(gap)}"
    sum_words = (
        f"{points.at_risk:g} {'+' if points.adjustment > 0 else '-'} {abs(points.adjustment):g} = {points.sum:g}"
    )
    if points.adjustment == 0 or points.at_risk == 0:
        sum_words = f"{points.sum:g}" if points.sum <= 0 else f"+{points.sum:g}"
    text = f"You {verb} {opponent}, {apart}: {sum_words}"
    if points.limited != points.sum:
        text += f", but {_limit(result, points)}: {points.limited:g}"
    if points.post != own_rating + points.limited:
        text += f", and nobody falls under {floor:g}"
    return text + "."


def _side(gap: float) -> str:
    return "higher" if gap > 0 else "lower"


def _limit(result: float, points: Points) -> str:
    if result == 1.0 and points.limited > points.sum:
        return f"a winner always gains at least {points.limited:g}"
    if result == 0.0 and points.limited < points.sum:
        return f"a loser always loses at least {-points.limited:g}"
    return f"nobody moves more than {abs(points.limited):g}"


def _step(
    field: Field, entrant: int, pairing: Pairing, before: tuple[float, float], points: Points, rules: Rules
) -> Step:
    name = field.called(pairing.opponent_of(entrant))
    text = sentence(name, *before, pairing.score_of(entrant), points, _floor(rules))
    return Step(f"Round {pairing.round}", text, points.post - before[0], "formula", cite(rules["formula"]))
