"""The system that the 1996 report proposes, as one rating system among the others (`rate --system uscf_1996`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import Any, ClassVar

from crosstable.model import Game, Player, Rating, Step
from crosstable.model.system_steps import K1996, EventPerformanceRating, ForeignStart, StandardUpdate, StandInStart
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.options import Option, choice
from crosstable.systems.sections import cited
from crosstable.systems.uscf_1996.conversion import converted
from crosstable.systems.uscf_1996.first_rating import STAND_IN, EventPerformance, age_rating, one_sided, saved_games
from crosstable.systems.uscf_1996.floors import scheduled
from crosstable.systems.uscf_1996.kfactor import FORMS, LOW_RATED, adjusted_games, expectancy, expected_score, k_factor
from crosstable.systems.uscf_1996.passes import PassEntry, PassesSystem, PassUpdate, RatingGroup


def _carry(system: Uscf1996, value: str) -> Uscf1996:
    """4.2 saves the games of who only won or only lost; `no` rates them at once."""
    book = system.book
    rule = book.rules["first_rating"]
    wanted = {"yes": True, "no": False}
    if value not in wanted:
        raise ValueError(value)
    changed = [
        tuple(replace(one, fields={**one.fields, "carry": wanted[value]}) for one in timeline)
        for timeline in (rule.written, rule.practised)
    ]
    rules = {**book.rules, rule.name: replace(rule, written=changed[0], practised=changed[1])}
    return replace(system, book=replace(book, rules=rules))


def _floors(system: Uscf1996, value: str) -> Uscf1996:
    """`none`: abolished from the first day; else from each DATE on so many points below the hundred, or none."""
    steps: list[dict[str, Any]] = []
    for part in [f"{system.book.first}/none"] if value == "none" else value.split(","):
        day, _, drop = part.partition("/")
        change = {"abolished": True} if drop == "none" else {"drop": int(drop), "abolished": False}
        steps.append({"from": date.fromisoformat(day), **change})
    if steps[0]["from"] < system.book.first or any(a["from"] >= b["from"] for a, b in pairwise(steps)):
        raise ValueError(value)
    return replace(system, book=scheduled(system.book, steps, f"floors={value}"))


@dataclass(frozen=True)
class Uscf1996(PassesSystem):
    """The reform of 1996. Settings are the choices that the report leaves open; numbers are rulebook data.

    `k_form`: "4.3" (the motion), "4.2", or "800" for 800/(N+m). `convert_on_entry`: section 3.3 (else conversions only
    impute unrated opponents). `book`: another rulebook, for a floor schedule (see floors.scheduled).
    """

    book: Rulebook = field(default_factory=lambda: rulebook("uscf_1996"), repr=False)
    k_form: str = LOW_RATED
    convert_on_entry: bool = True
    first: EventPerformance = STAND_IN
    pool: ClassVar[str] = "USCF"
    options: ClassVar[Mapping[str, Option]] = {
        "k": choice("section of the report, or 800/(N+m)", {form: {"k_form": form} for form in FORMS}),
        "convert": choice(
            "FIDE and CFC ratings: on entry, or of opponents only",
            {"entry": {"convert_on_entry": True}, "opponents": {"convert_on_entry": False}},
        ),
        "carry": Option("yes or no", "save games of players who only won or only lost", _carry),
        "floors": Option("none, or DATE/POINTS,DATE/none", "abolished, or other floors from days on", _floors),
    }

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        entry = self.enter(self.rules(day), player, None, day)
        return entry.state or Rating(entry.seen, games=0, date=day, wins=0, draws=0, losses=0)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        return expectancy(self.latest["expectancy"]["scale"], a.rating, b.rating)

    def established(self, rules: Rules, games: int | None) -> bool:
        return games is None or games >= rules["order"]["established_games"]

    def enter(self, rules: Rules, player: Player, state: Rating | None, day: date) -> PassEntry:
        by_age = age_rating(rules["age_rating"], player, day)
        known = player.birth_date is not None and by_age < rules["age_rating"]["adult"]
        if state is not None and state.games != 0:
            return PassEntry(self._group(rules, state), state.rating, state, by_age=by_age, from_birth_date=known)
        rule = rules["converted_rating"]
        if found := converted(rules, player):
            source, rating = found
            games = rule["games"] if self.convert_on_entry else None
            step: Step = ForeignStart(
                source=source.upper(), rating=rating, games=games, cite=cited(rules, "converted_rating")
            )
            if self.convert_on_entry:
                state = Rating(rating, games=games, date=day)
                return PassEntry(RatingGroup.PROVISIONAL, rating, state, (step,), imputed=True, converted=True)
            return PassEntry(
                RatingGroup.UNRATED,
                rating,
                None,
                (step,),
                imputed=True,
                converted=True,
                by_age=by_age,
                from_birth_date=known,
            )
        step = StandInStart(rating=by_age, convertible=True, cite=cited(rules, "age_rating"))
        return PassEntry(RatingGroup.UNRATED, by_age, None, (step,), imputed=True, by_age=by_age, from_birth_date=known)

    def _group(self, rules: Rules, state: Rating) -> RatingGroup:
        games = state.games
        if state.pending or (games is not None and games < rules["k_factor"]["fewest"]):
            return RatingGroup.UNRATED
        if self.established(rules, games):
            return RatingGroup.ESTABLISHED
        perfect = state.draws == 0 and games in (state.wins, state.losses)
        return RatingGroup.UNRATED if perfect and rules["first_rating"]["carry"] else RatingGroup.PROVISIONAL

    def update(
        self, rules: Rules, entry: PassEntry, opponents: Sequence[float], scores: Sequence[float], weight: float
    ) -> PassUpdate:
        if entry.group is RatingGroup.UNRATED:
            return self._first_rating(rules, entry, opponents, scores)
        return self._standard(rules, entry, opponents, scores, weight)

    def _first_rating(
        self, rules: Rules, entry: PassEntry, opponents: Sequence[float], scores: Sequence[float]
    ) -> PassUpdate:
        rule = rules["first_rating"]
        saved = saved_games(entry.state, rule["span"])
        together = (*saved, *zip(opponents, scores, strict=True))
        ratings, results = [game[0] for game in together], [game[1] for game in together]
        post = self.first.rate(rule, ratings, sum(results), entry.by_age)
        carry = rule["carry"] and one_sided(results)
        keep = carry or len(together) < rules["k_factor"]["fewest"]
        step = EventPerformanceRating(
            method=self.first.name,
            remark=self.first.remark,
            games=len(together),
            saved=len(saved),
            score=sum(results),
            result=post,
            one_sided=carry,
            too_few=keep and not carry,
            cite=cited(rules, "first_rating"),
        )
        formula = "nominal" if carry else "first rating"
        return PassUpdate(formula, post, pending=tuple(together) if keep else (), steps=(step,))

    def _standard(
        self, rules: Rules, entry: PassEntry, opponents: Sequence[float], scores: Sequence[float], weight: float
    ) -> PassUpdate:
        state = entry.state
        assert state is not None  # noqa: S101  only unrated players have none
        played, score = len(scores), sum(scores)
        k = k_factor(rules, state.rating, state.games, played, self.k_form) * weight
        expected = expected_score(rules["expectancy"]["scale"], state.rating, opponents)
        post = state.rating + k * (score - expected)
        steps = (
            self._k_step(rules, state, played, weight, k),
            StandardUpdate(
                before=state.rating, k=k, score=score, expected=expected, result=post, cite=cited(rules, "k_factor")
            ),
        )
        return PassUpdate(str(entry.group), post, expected, k, steps=steps)

    def _k_step(self, rules: Rules, state: Rating, played: int, weight: float, k: float) -> Step:
        low_rated = self.k_form == LOW_RATED
        known = low_rated and state.games is not None
        return K1996(
            rating=state.rating,
            games=state.games,
            played=played,
            adjusted_games=adjusted_games(rules, state.rating, state.games or 0) if known else None,
            weight=weight,
            k=k,
            cite=cited(rules, "k_low_rated" if low_rated else "k_factor"),
        )
