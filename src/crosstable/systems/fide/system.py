"""FIDE ratings, rules by the tournament's first day: the table, the 400-point rule, K, newcomers, the floor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, ClassVar

from crosstable.errors import UnknownTimeControl
from crosstable.findings import declare
from crosstable.model import Answer, Finding, Game, Level, Player, Rating, Section, Step
from crosstable.model.system_steps import FideGame, KFactor, KReason, NewRating, Rounding, Unlisted
from crosstable.rulebook import AS_WRITTEN, Rulebook, Rules, rulebook
from crosstable.systems.fide import formulas
from crosstable.systems.fide.newcomers import newcomer_answer
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.options import Option, choice
from crosstable.systems.sections import SectionSystem, check_rating, cited, new_answer, notice, warning
from crosstable.systems.us_chess.time_controls import parse

declare(
    "game-not-rated",
    Level.WARNING,
    "A game is not rated under the FIDE rules.",
    "No action is needed: the message gives the reason.",
)
declare(
    "game-half-rated",
    Level.NOTICE,
    "A game counts for the unrated player only.",
    "No action is needed: these are the rules.",
)

STANDARD, RAPID, BLITZ = "standard", "rapid", "blitz"
#: Each pace has ratings of its own
POOLS = {STANDARD: "FIDE", RAPID: "FIDE_R", BLITZ: "FIDE_B"}
UNKNOWN_YEARS = 1000.0  # no birth date: not a junior


@dataclass(frozen=True)
class Fide(SectionSystem):
    """`pace`: "standard", "rapid" or "blitz"; None reads it from the section's time control (none given: standard).

    Each pace is a pool; where `pace` is given there is one pool, FIDE, whatever the pace is.
    """

    book: Rulebook = field(default_factory=lambda: rulebook("fide"), repr=False)
    pace: str | None = None
    pool: ClassVar[str] = "FIDE"
    age_classes: ClassVar[bool] = True  # a junior's K
    options: ClassVar[Mapping[str, Option]] = {
        "pace": choice(
            "whatever the time control says", {pace: {"pace": pace} for pace in ("standard", "rapid", "blitz")}
        )
    }

    @property
    def pools(self) -> tuple[str, ...]:
        return (self.pool,) if self.pace else tuple(POOLS.values())

    def pool_of(self, section: Section) -> str:
        """Return the pool of the section's pace."""
        if self.pace:
            return self.pool
        return POOLS[pace_of(section.time_control, self.rules(section.start or date.max))]

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        """FIDE knows no rating without results; where a number is needed, use the floor."""
        return Rating(float(self.rules(day)["floor"]["rating"]), games=0, date=day)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        """Table 8.1.2 as a prediction, without the 400-point rule, which only limits what is counted."""
        return formulas.expected_hundredths(a.rating - b.rating, self.latest["expected"]["edges"]) / 100

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:  # noqa: ARG002  as the protocol calls it
        for entrant, state in enumerate(field.states):
            if state is not None:
                yield from check_rating(field, entrant, state)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        pace = self.pace or pace_of(field.section.time_control, rules)
        field = replace(field, states=tuple(self._entering(field, entrant) for entrant in range(len(field.entrants))))
        ratings = [_published(state, rules) for state in field.states]
        findings = list(_left_out(field, ratings, pace, rules))
        schedule = field.schedule()
        answers = []
        for entrant, games in enumerate(schedule):
            counted = [pairing for pairing in games if _why_not(field, pairing, entrant, ratings, pace, rules) is None]
            if not counted:
                continue
            if ratings[entrant] is None:
                answer, noticed = newcomer_answer(field, self.pool_of(field.section), entrant, counted, ratings, rules)
                findings += noticed
                if answer:
                    answers.append(answer)
            else:
                answers.append(self._answer(field, entrant, counted, ratings, pace, rules))
        return answers, findings

    def k_of(self, state: Rating, birth_date: date | None, day: date, rules: Rules) -> int:
        """K before the limit of 700 points. A player whose games no one counted is not new."""
        rule = rules["k"].fields
        years = UNKNOWN_YEARS if birth_date is None else float(day.year - birth_date.year)
        games = math.inf if state.games is None else float(state.games)
        names = (
            "newcomer",
            "newcomer_games",
            "normal",
            "senior",
            "senior_from",
            "junior",
            "junior_age",
            "junior_below",
        )
        return formulas.k_for(
            state.rating, games, state.ever_2400, state.ever_2300, years, *(rule[name] for name in names)
        )

    def _entering(self, field: SectionPlayers, entrant: int) -> Rating | None:
        """Return the record; else the player's standard rating.

        In rapid and blitz that starts a player who is unrated there.
        """
        state, player = field.states[entrant], field.entrants[entrant]
        standard = player.fide or player.ratings.get(self.pool)
        if state is not None or standard is None:
            return state
        return Rating(standard.rating, date=standard.date)

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        ratings: Sequence[float | None],
        pace: str,
        rules: Rules,
    ) -> Answer:
        before = field.states[entrant]
        assert before is not None  # noqa: S101  a published rating has a record
        own_k = self.k_of(before, field.entrants[entrant].birth_date, field.start, rules)
        k = formulas.k_for_period(own_k, len(games), rules["k"]["most_points"])
        steps: list[Step] = [_k_step(before, own_k, k, len(games), rules)]
        total = 0
        counted = differences(before.rating, [ratings[p.opponent_of(entrant)] or 0.0 for p in games], pace, rules)
        for pairing, difference in zip(games, counted, strict=True):
            expected = formulas.expected_hundredths(difference, rules["expected"]["edges"])
            hundredths = formulas.game_hundredths(pairing.score_of(entrant), expected)
            total += hundredths
            steps.append(_step(field, entrant, pairing, ratings, difference, expected, k, rules))
        change = formulas.rounded_change(k, total)
        post = before.rating + change
        exact = k * total / 100
        steps.append(Rounding(exact=exact, change=change, difference=change - exact, cite=cited(rules, "k")))
        steps.append(NewRating(before=before.rating, change=float(change), result=post, cite=cited(rules, "k")))
        state = _state(before, post, len(games), field.end, rules)
        floor = rules["floor"]["rating"]
        if post < floor:
            steps.append(Unlisted(floor=float(floor), cite=cited(rules, "floor")))
        values: dict[str, Any] = {
            "status": "unrated" if post < floor else "rated",
            "pace": pace,
            "k": k,
            "exact_change": exact,
            "change": change,
        }
        published = 0 if post < floor else int(post)
        return new_answer(field, self.pool_of(field.section), entrant, games, state, published, values, steps)


def pace_of(time_control: str | None, rules: Rules) -> str:
    """Return the pace: standard from 60 minutes on, the increment counted for 60 moves;
    an unreadable control counts as standard.
    """
    if not time_control:
        return STANDARD
    try:
        controls = parse(time_control)
    except UnknownTimeControl:
        return STANDARD
    rule = rules["time"]
    minutes = min(control.minutes + control.seconds * rule["moves"] / 60 for control in controls)
    if minutes >= rule["standard"]:
        return STANDARD
    return RAPID if minutes > rule["blitz"] else BLITZ


def differences(own: float, opponents: Sequence[float], pace: str, rules: Rules) -> list[float]:
    """D of each game under the 400-point rule of the day (8.3.1)."""
    rule = rules["largest_difference"]
    largest = rule["points"]
    exempt = rule.fields.get("exempt_from", math.inf) if pace == STANDARD else math.inf
    counted = [formulas.counted_difference(own, opponent, largest, exempt) for opponent in opponents]
    upgrades = rule.fields.get("upgrades")
    if upgrades is None:
        return counted
    uneven = [game for game, opponent in enumerate(opponents) if own - opponent > largest]
    for game in sorted(uneven, key=lambda game: opponents[game])[upgrades:]:
        counted[game] = own - opponents[game]  # 2022 to 2024: one upgrade, for the greatest difference
    return counted


def lifted(rating: float, book: Rulebook | None = None) -> float:
    """Return a standard rating after the one-off lift of 1 March 2024: R + 0.40 (2000 - R) below 2000."""
    rule = (book or rulebook("fide")).on(date(2024, 3, 1), AS_WRITTEN)["lift"]
    return float(rating + rule["share"] * max(0.0, rule["below"] - rating))


def _published(state: Rating | None, rules: Rules) -> float | None:
    """Return a rating on the list: not one that is still being made, nor one below the floor."""
    if state is None or state.pending or state.rating < rules["floor"]["rating"]:
        return None
    return state.rating


def _why_not(
    field: SectionPlayers,
    pairing: PlayedPairing,
    entrant: int,
    ratings: Sequence[float | None],
    pace: str,
    rules: Rules,
) -> str | None:
    """Why a game does not count for this player, or None."""
    own, opponent = ratings[entrant], ratings[pairing.opponent_of(entrant)]
    if field.section.kind == "match" and None in (own, opponent):
        return "a match in which one player is unrated is not rated"
    if opponent is None:
        return "the opponent is unrated"
    mismatch = rules["mismatch"]
    if pace != STANDARD and own is not None and abs(own - opponent) >= mismatch["difference"]:
        return f"a difference of {abs(own - opponent):g}" if max(own, opponent) > mismatch["above"] else None
    return None


def _left_out(field: SectionPlayers, ratings: Sequence[float | None], pace: str, rules: Rules) -> Iterator[Finding]:
    for pairing in field.pairings:
        reasons = {_why_not(field, pairing, side, ratings, pace, rules) for side in (pairing.white, pairing.black)}
        where = field.where_played(pairing)
        if None not in reasons:
            yield warning("game-not-rated", where, f"not rated: {' and '.join(sorted(filter(None, reasons)))}.")
        elif len(reasons) > 1:
            yield notice("game-half-rated", where, "counts for the unrated player only.")


def _state(before: Rating, post: float, games: int, day: date, rules: Rules) -> Rating:
    rule = rules["k"]
    peak = max(before.rating, post)
    return Rating(
        post,
        games=None if before.games is None else before.games + games,
        date=day,
        ever_2300=before.ever_2300 or peak >= rule["junior_below"],
        ever_2400=before.ever_2400 or peak >= rule["senior_from"],
    )


def _k_step(before: Rating, own_k: int, k: int, games: int, rules: Rules) -> Step:
    """Why this K."""
    rule = rules["k"]
    new = before.games is not None and before.games < rule["newcomer_games"]
    if own_k == rule["senior"]:
        reason = KReason.REACHED_2400
    elif own_k == rule["normal"]:
        reason = KReason.EXPERIENCED
    else:
        reason = KReason.NEW if new else KReason.JUNIOR
    return KFactor(
        k=float(k),
        own_k=own_k,
        reason=reason,
        games=games,
        most_points=rule["most_points"],
        senior_from=rule["senior_from"],
        newcomer_games=rule["newcomer_games"],
        junior_until=rule["junior_age"],
        junior_below=rule["junior_below"],
        cite=cited(rules, "k"),
    )


def _step(
    field: SectionPlayers,
    entrant: int,
    pairing: PlayedPairing,
    ratings: Sequence[float | None],
    difference: float,
    expected: int,
    k: int,
    rules: Rules,
) -> Step:
    opponent, score = pairing.opponent_of(entrant), pairing.score_of(entrant)
    hundredths = formulas.game_hundredths(score, expected)
    true = (ratings[entrant] or 0.0) - (ratings[opponent] or 0.0)
    return FideGame(
        round=pairing.round,
        opponent=field.entrants[opponent].number,
        score=score,
        rating=ratings[opponent],
        gain=k * hundredths / 100,
        difference=true,
        counted=difference,
        expected=expected / 100,
        k=float(k),
        cite=cited(rules, "expected"),
    )
