"""ECF: method K for players with a full rating, method P for the others, in three passes over a section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar, NamedTuple

from crosstable.model import Answer, Finding, Game, Player, Rating, Step
from crosstable.model.system_steps import EloGame, FirstRating, GameStep, NewRating, NotPublished
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.fide.formulas import expected_hundredths, first_rating
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import SectionSystem, check_rating, cited, new_answer, opponent_number, rounded

ADULT_YEARS = 1000  # no birth date: an adult


class EcfStart(NamedTuple):
    """Where a player enters: with a full rating, or with the games saved so far and the fictional opponent."""

    full: float | None
    nominal: float
    saved: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Ecf(SectionSystem):
    """`pending` in a record: the games behind a partial rating. A section is rated as a month is."""

    book: Rulebook = field(default_factory=lambda: rulebook("ecf"), repr=False)
    pool: ClassVar[str] = "ECF"
    age_classes: ClassVar[bool] = True  # a junior's K

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        return Rating(float(self.rules(day)["start"]["rating"]), games=0, date=day)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        return _expected(a.rating - b.rating, self.latest)

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:  # noqa: ARG002  as the protocol calls it
        for entrant, state in enumerate(field.states):
            if state is not None:
                yield from check_rating(field, entrant, state)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        """Rate new and partly rated players in passes 1 and 2, from the ratings before and from pass 1;
        the others in pass 3.
        """
        entries = [_entry(state, field, rules) for state in field.states]
        before = [None if state is None else state.rating for state in field.states]
        first = _pass(field, entries, before, rules)
        second = _pass(field, entries, first, rules)
        return [
            (
                self._partial(field, entrant, games, entries[entrant], first, rules)
                if entries[entrant].full is None
                else self._full(field, entrant, games, second, rules)
            )
            for entrant, games in enumerate(field.schedule())
        ], []

    def _full(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        ratings: Sequence[float | None],
        rules: Rules,
    ) -> Answer:
        """Rate by method K: R + k (W - We)."""
        before, rule = field.states[entrant], rules["k"]
        assert before is not None  # noqa: S101  a full rating has a record
        young = years_of(field.entrants[entrant], field.end) < rule["junior_under"]
        k = float(rule["junior"] if young else rule["adult"])
        steps: list[Step] = []
        change = 0.0
        for pairing in games:
            opponent = ratings[pairing.opponent_of(entrant)] or 0.0
            chance = _expected(before.rating - opponent, rules)
            gain = k * (pairing.score_of(entrant) - chance)
            change += gain
            steps.append(
                EloGame(
                    round=pairing.round,
                    opponent=opponent_number(field, entrant, pairing),
                    score=pairing.score_of(entrant),
                    rating=opponent,
                    gain=gain,
                    k=k,
                    expected=chance,
                    cite=cited(rules, "k"),
                )
            )
        post = before.rating + change
        steps.append(NewRating(before=before.rating, change=change, result=post, cite=cited(rules, "k")))
        played = None if before.games is None else before.games + len(games)
        values = {"status": "full", "k": k, "change": change}
        state = Rating(post, games=played, date=field.end)
        return new_answer(field, self.pool, entrant, games, state, rounded(post), values, steps)

    def _partial(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        entry: EcfStart,
        ratings: Sequence[float | None],
        rules: Rules,
    ) -> Answer:
        """Rate by method P: the performance in all games so far and the fictional draw."""
        here = _met(entrant, games, ratings)
        every, cite = (*entry.saved, *here), cited(rules, "newcomer")
        exact = _performance(entry, here, rules)
        rating, needed = float(rounded(exact)), rules["newcomer"]["games"]
        steps: list[Step] = [
            GameStep(
                round=p.round, opponent=opponent_number(field, entrant, p), score=score, rating=opponent, cite=cite
            )
            for p, (opponent, score) in zip(games, here, strict=True)
        ]
        first = FirstRating(
            score=sum(score for _, score in every),
            games=len(every),
            opponents_total=sum(opponent for opponent, _ in every),
            imagined=1,
            imagined_rating=round(entry.nominal),
            exact=exact,
            result=rating,
            cite=cite,
        )
        full = len(every) >= needed
        partial = [] if full else [NotPublished(games=len(every), needed=needed, floor=0.0, cite=cite)]
        state = Rating(rating, games=len(every), date=field.end, pending=() if full else every)
        values = {"status": "full" if full else "partial", "first_estimate": exact, "change": None, "k": None}
        steps += [first, *partial]
        return new_answer(field, self.pool, entrant, games, state, int(rating), values, steps)


def years_of(player: Player, day: date) -> int:
    """Return the year played in minus the year of birth."""
    return ADULT_YEARS if player.birth_date is None else day.year - player.birth_date.year


def _expected(difference: float, rules: Rules) -> float:
    return expected_hundredths(difference, rules["expected"]["edges"]) / 100


def _entry(state: Rating | None, field: SectionPlayers, rules: Rules) -> EcfStart:
    """Return the entry.

    A full rating holds for 36 months after the last game; after them it is the fictional opponent's.
    """
    if state is None:
        return EcfStart(None, float(rules["start"]["rating"]))
    months = 0
    if state.date is not None:
        months = (field.start.year - state.date.year) * 12 + field.start.month - state.date.month
    if months > rules["newcomer"]["months"]:
        return EcfStart(None, float(rules["start"]["rating"]) if state.pending else state.rating)
    if state.pending:
        return EcfStart(None, float(rules["start"]["rating"]), state.pending)
    return EcfStart(state.rating, state.rating)


def _met(
    entrant: int, games: Sequence[PlayedPairing], ratings: Sequence[float | None]
) -> tuple[tuple[float, float], ...]:
    """Return the opponent's rating and the score of each game; opponents without a rating are left out."""
    found = ((ratings[pairing.opponent_of(entrant)], pairing.score_of(entrant)) for pairing in games)
    return tuple((rating, score) for rating, score in found if rating is not None)


def _performance(entry: EcfStart, here: Sequence[tuple[float, float]], rules: Rules) -> float:
    every = (*entry.saved, *here)
    return first_rating(
        sum(opponent for opponent, _ in every),
        round(2 * sum(score for _, score in every)),
        len(every),
        1,
        entry.nominal,
        0.0,
        rules["newcomer"]["differences"],
    )


def _pass(
    field: SectionPlayers, entries: Sequence[EcfStart], ratings: Sequence[float | None], rules: Rules
) -> list[float | None]:
    """Return every player's rating after a pass of method P; a full rating stays."""
    return [
        entry.full if entry.full is not None else _performance(entry, _met(entrant, games, ratings), rules)
        for entrant, (entry, games) in enumerate(zip(entries, field.schedule(), strict=True))
    ]
