"""A FIDE newcomer's first rating: games against rated opponents are saved until they suffice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from crosstable.findings import declare
from crosstable.model import Answer, Finding, Level, Rating, Step
from crosstable.model.system_steps import FirstRating, GameStep, NotPublished
from crosstable.rulebook import Rules
from crosstable.systems.fide import formulas
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import cited, new_answer, notice, opponent_number, rounded

declare(
    "zero-score-disregarded",
    Level.NOTICE,
    "A newcomer's first event without a point is disregarded.",
    "No action is needed: these are the rules.",
)


def newcomer_answer(
    field: SectionPlayers,
    pool: str,
    entrant: int,
    games: Sequence[PlayedPairing],
    ratings: Sequence[float | None],
    rules: Rules,
) -> tuple[Answer | None, list[Finding]]:
    """8.2. The saved games travel in the record (`pending`: opponent's rating, score), dated with the first of them."""
    before = field.states[entrant]
    saved, begun = _saved(before, field, rules)
    here = [(ratings[p.opponent_of(entrant)] or 0.0, p.score_of(entrant)) for p in games]
    if not saved and not any(score for _, score in here):
        message = (
            f"{field.called(entrant)} is unrated and scored nothing: a first event without a point is disregarded."
        )
        return None, [notice("zero-score-disregarded", field.where(entrant), message)]
    all_games = (*saved, *here)
    exact, rating = first_rating(all_games, rules)
    rule, floor = rules["newcomer"], rules["floor"]["rating"]
    published = len(all_games) >= rule["games"] and rating >= floor
    counted = (0 if before is None or before.games is None else before.games) + len(here)
    state = Rating(
        rating, games=counted, date=field.end if published else begun, pending=() if published else all_games
    )
    steps = _steps(field, entrant, games, all_games, (exact, rating), rules)
    values = {
        "status": "rated" if published else "unrated",
        "first_estimate": exact,
        "change": None,
        "k": None,
    }
    return new_answer(field, pool, entrant, games, state, rating if published else 0, values, steps), []


def _steps(
    field: SectionPlayers,
    entrant: int,
    games: Sequence[PlayedPairing],
    all_games: Sequence[tuple[float, float]],
    first: tuple[float, int],
    rules: Rules,
) -> list[Step]:
    """Return the steps: the games of this event, the rating from all games so far, and why it is not published yet."""
    rule, floor, cite = rules["newcomer"], rules["floor"]["rating"], cited(rules, "newcomer")
    here = all_games[len(all_games) - len(games) :]
    steps: list[Step] = [
        GameStep(
            round=pairing.round,
            opponent=opponent_number(field, entrant, pairing),
            score=score,
            rating=opponent,
            cite=cite,
        )
        for pairing, (opponent, score) in zip(games, here, strict=True)
    ]
    exact, rating = first
    steps.append(
        FirstRating(
            score=sum(score for _, score in all_games),
            games=len(all_games),
            opponents_total=sum(opponent for opponent, _ in all_games),
            imagined=rule["opponents"],
            imagined_rating=rule["opponents_rating"],
            exact=exact,
            result=float(rating),
            cite=cite,
        )
    )
    if len(all_games) < rule["games"] or rating < floor:
        steps.append(NotPublished(games=len(all_games), needed=rule["games"], floor=float(floor), cite=cite))
    return steps


def first_rating(all_games: Sequence[tuple[float, float]], rules: Rules) -> tuple[float, int]:
    """Ru before and after rounding and its limit, from (opponent's rating, score) of every game."""
    rule = rules["newcomer"]
    exact = formulas.first_rating(
        sum(opponent for opponent, _ in all_games),
        round(2 * sum(score for _, score in all_games)),
        len(all_games),
        rule["opponents"],
        rule["opponents_rating"],
        rule["half_point"],
        rules["performance"]["differences"],
    )
    return exact, int(min(rounded(exact), rule.fields.get("most", rounded(exact))))


def _saved(before: Rating | None, field: SectionPlayers, rules: Rules) -> tuple[tuple[tuple[float, float], ...], date]:
    """Earlier games that still count, and the day of the first of them; after 26 months a new count begins."""
    if before is None or not before.pending or before.date is None:
        return (() if before is None else before.pending), field.end
    months = (field.end.year - before.date.year) * 12 + field.end.month - before.date.month
    return (before.pending, before.date) if months <= rules["newcomer"]["months"] else ((), field.end)
