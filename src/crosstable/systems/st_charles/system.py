"""A school club's ratings, one game at a time: the St. Charles Chess Club, and its relatives by other rulebooks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import ClassVar

from crosstable.errors import RulebookError
from crosstable.findings import declare
from crosstable.model import Answer, Finding, Game, Level, Player, Rating, Step
from crosstable.model.system_steps import ClubGame, NewRating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import SectionSystem, check_rating, cited, new_answer, opponent_number
from crosstable.systems.st_charles import formulas
from crosstable.systems.structure import error

declare("no-rating", Level.ERROR, "A club record has no rating.", "Add it, or leave out the whole record.")
declare("under-the-floor", Level.ERROR, "A club rating is below the lowest possible rating.", "Correct it.")

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

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
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

    def game(self, own: float, opponent: float, result: float) -> ClubGame:
        """One game from the first player's side, with every number on the way."""
        return _game(own, opponent, result, self.score(own, opponent, result)[0], self.latest)

    def status(self, games: int, rules: Rules | None = None) -> str:
        """How far to trust a rating after so many games: "tentative" or "official"."""
        rules = rules or self.latest
        stages = rules["status"]["stages"] if "status" in rules else ()
        return next((str(stage["status"]) for stage in reversed(stages) if games >= stage["games"]), "")

    def mark(self, games: int, rules: Rules | None = None) -> str:
        """Return what a list prints beside a name: "tentative", "still settling" or nothing."""
        rules = rules or self.latest
        stages = rules["status"]["stages"] if "status" in rules else ()
        if stages and games < stages[-1]["games"]:
            return self.status(games, rules)
        settling = "settling" in rules and games < rules["settling"]["games"]
        return str(rules["settling"]["mark"]) if settling else ""

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:
        floor = _floor(rules)
        for entrant, state in enumerate(field.states):
            if state is None and "start" not in rules:
                advice = "Give the player a rating."
                yield error("no-rating", field.where(entrant), f"{self.title} has no starting rating.", advice)
            if state is not None:
                yield from check_rating(field, entrant, state)
                if state.rating < floor:
                    message = f"the rating {state.rating:g} is under the floor of {floor:g}."
                    yield error(
                        "under-the-floor", field.where(entrant), message, "No player can have this rating. Correct it."
                    )

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        """Games in round order, each from the ratings that the one before left."""
        states = [
            state or self.start(player, field.start) for state, player in zip(field.states, field.entrants, strict=True)
        ]
        now = [state.rating for state in states]
        steps: list[list[Step]] = [[] for _ in states]
        for pairing in field.pairings:
            places = pairing.white, pairing.black
            both = self.score(now[places[0]], now[places[1]], pairing.score, rules)
            for entrant, points in zip(places, both, strict=True):
                own, opponent = now[entrant], now[pairing.opponent_of(entrant)]
                game = _game(own, opponent, pairing.score_of(entrant), points, rules)
                number = opponent_number(field, entrant, pairing)
                steps[entrant].append(replace(game, round=pairing.round, opponent=number))
            now[places[0]], now[places[1]] = both[0].post, both[1].post
        return [
            self._answer(field, entrant, games, states[entrant], now[entrant], steps[entrant], rules)
            for entrant, games in enumerate(field.schedule())
        ], []

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: list[PlayedPairing],
        before: Rating,
        post: float,
        steps: list[Step],
        rules: Rules,
    ) -> Answer:
        played = (before.games or 0) + len(games)
        state = _whole(Rating(post, games=played, date=field.end))
        status = self.status(played, rules)
        mark = self.mark(played, rules)
        new = NewRating(
            before=before.rating,
            change=post - before.rating,
            result=post,
            games=played,
            statuses=tuple(dict.fromkeys(word for word in (status, mark) if word)),
            cite=cited(rules, "status") if status else None,
        )
        published = state.rating if float(post).is_integer() else post
        values = {"start": before.rating, "status": status, "mark": mark}
        return new_answer(field, self.pool, entrant, games, state, published, values, (*steps, new))


def numbers(rules: Rules) -> tuple[float, float, int, float, float, float, float, float]:
    """Return what the formulas read: at risk, divisor, rounding, equal within, largest difference, least, most,
    floor.
    """
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


def _game(own: float, opponent: float, result: float, points: Points, rules: Rules) -> ClubGame:
    return ClubGame(
        round=1,
        opponent=0,
        score=result,
        rating=opponent,
        gain=points.post - own,
        own=own,
        at_risk=points.at_risk,
        adjustment=points.adjustment,
        limited=points.limited,
        post=points.post,
        floor=_floor(rules),
        cite=cited(rules, "formula"),
    )
