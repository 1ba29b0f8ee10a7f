"""The estimator: a rating, opponents with the results so far, and what every score would give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import nan

from crosstable.errors import NoRulesOnDate
from crosstable.model import Rating
from crosstable.office.ledger.models import Player
from crosstable.office.reading import people, ratings
from crosstable.office.reading.words import POOLS, points
from crosstable.systems.us_chess.coefficients import Coefficients, coefficients_on
from crosstable.systems.us_chess.estimate import estimate as rated
from crosstable.systems.us_chess.estimate import needed_for
from crosstable.systems.us_chess.formulas import round_half_up, winning_expectancy
from crosstable.systems.us_chess.pools import MAIN

MOST = 20
SCORES = {"won": 1.0, "drew": 0.5, "lost": 0.0}


@dataclass(frozen=True, slots=True)
class Opponent:
    given: str
    result: str  # "", "won", "drew", "lost"
    name: str = ""
    rating: float | None = None
    expected: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One score and what it gives."""

    score: float
    after: float
    change: float
    chosen: bool
    x: float  # on a line of 100, for the drawing


@dataclass(frozen=True, slots=True)
class Work:
    """The chosen score's sum."""

    before: float
    k: float | None
    score: float
    expected: float | None
    gain: float | None
    bonus: float | None
    floor: float
    after: float
    published: float
    games: int
    formula: str


@dataclass(frozen=True, slots=True)
class EstimatePage:
    pool: str
    pools: Mapping[str, str]
    rating: str
    games: str
    on: date
    target: str
    opponents: tuple[Opponent, ...]
    score: float | None
    scores: tuple[float, ...]  # those that are still possible
    outcomes: tuple[Outcome, ...]  # best first
    work: Work | None
    needed: float | None
    reached: bool
    problems: tuple[str, ...]
    lead: str
    impossible: str = ""  # why the score asked for cannot be had; the sum is that of the nearest one
    origin: float = 0.0  # where the old rating and the one wanted stand on the drawings' line
    goal: float | None = None

    @property
    def rows(self) -> tuple[Opponent, ...]:
        """The opponents, and room for another."""
        return (*self.opponents, *[Opponent("", "")] * (1 if len(self.opponents) >= 4 else 5 - len(self.opponents)))

    @property
    def results(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, name) for name in SCORES)

    @property
    def played(self) -> int:
        return sum(bool(one.result) for one in self.opponents)


@dataclass(frozen=True, slots=True)
class State:
    """What the address says."""

    pool: str
    rating: str
    games: str
    opponents: tuple[tuple[str, str], ...]  # rating or id, and the result so far
    score: str
    target: str
    on: date


def estimate(state: State) -> EstimatePage:
    """Everything that follows from the address; what cannot be used is named, and the rest is worked out."""
    problems: list[str] = []
    pool = state.pool if state.pool in POOLS else MAIN
    rating = _number(state.rating, "rating", 0, 3500, problems)
    games = _number(state.games, "number of games", 0, 100_000, problems)
    target = _number(state.target, "rating that you want", 0, 3500, problems)
    opponents = _opponents(state, pool, rating, problems)
    known = [one for one in opponents if one.rating is not None]
    scores: list[float] = []
    outcomes: tuple[Outcome, ...] = ()
    work: Work | None = None
    needed: float | None = None
    chosen: float | None = None
    impossible = ""
    if rating is not None and games is not None and known and not problems:
        try:
            record = Rating(rating, int(games))
            scores = _scores(known)
            chosen = _chosen(state.score, scores, known)
            impossible = _impossible(state.score, scores)
            field = [one.rating or 0.0 for one in known]
            outcomes = tuple(_outcomes(record, field, scores, chosen, state.on, pool))
            work = _work(record, field, chosen, state.on, pool)
            found = needed_for(target, record, field, state.on, pool=pool, dual=False) if target else None
            needed = found.score if found and found.score >= scores[0] else (scores[0] if found else None)
        except NoRulesOnDate as problem:
            problems.append(str(problem))
    reached = needed is not None and needed in scores
    place = line([one.after for one in outcomes], rating) if outcomes and rating is not None else None
    return EstimatePage(
        pool=pool, pools=POOLS, rating=state.rating, games=state.games, on=state.on, target=state.target,
        opponents=tuple(opponents), score=chosen, scores=tuple(scores), outcomes=outcomes, work=work, needed=needed,
        reached=reached, problems=tuple(problems), lead=_lead(work, len(known), target, needed, reached), impossible=impossible,
        origin=place(rating) if place and rating else 0.0, goal=place(target) if place and target else None,
    )  # fmt: skip


def _number(text: str, what: str, low: float, high: float, problems: list[str]) -> float | None:
    text = text.strip().replace(",", ".")
    if not text:
        return None
    try:
        value = float(text)
        quoted = text[:20]
    except ValueError:
        value, quoted = nan, f"“{text[:20]}”"
    if not low <= value <= high:
        problems.append(f"{quoted} is no {what}: give a number from {low:g} to {high:,g}.")
        return None
    return value


def _opponents(state: State, pool: str, own: float | None, problems: list[str]) -> list[Opponent]:
    """Ratings as they are; ids by the live rating of the player."""
    given = [(text.strip(), result) for text, result in state.opponents[:MOST] if text.strip()]
    ids = [text for text, _ in given if text.isdigit() and len(text) > 4]
    rows = (
        {row[1]: people.person(*row) for row in Player.objects.filter(number__in=ids).values_list(*people.COLUMNS)}
        if ids
        else {}
    )
    live = ratings.live([one.row for one in rows.values()]) if rows else {}
    rules = _rules(state.on)
    found = []
    for text, result in given:
        if text in rows:
            shown = live.get(rows[text].row, {}).get(pool)
            rating, name = shown.rating if shown else None, rows[text].name
            if rating is None:
                problems.append(f"{name} has no rating in this pool to show: give a number.")
        else:
            rating, name = _number(text, "rating or id of an opponent", 0, 3500, problems), ""
        expected = winning_expectancy(rules, own, rating) if rules and own is not None and rating is not None else None
        found.append(Opponent(text, result if result in SCORES else "", name, rating, expected))
    return found


def _rules(day: date) -> Coefficients | None:
    try:
        return coefficients_on(day)
    except NoRulesOnDate:
        return None


def _scores(opponents: Sequence[Opponent]) -> list[float]:
    """The scores that the games to come leave open."""
    made = sum(SCORES[one.result] for one in opponents if one.result)
    open_ = sum(not one.result for one in opponents)
    return [made + half / 2 for half in range(2 * open_ + 1)]


def _chosen(text: str, scores: Sequence[float], opponents: Sequence[Opponent]) -> float:
    """The score asked for, or the one nearest to what is expected."""
    wanted = _score(text)
    if wanted is None:
        wanted = sum(SCORES.get(one.result, one.expected or 0.5) for one in opponents)
    return min(scores, key=lambda score: (abs(score - wanted), -score))


def _score(text: str) -> float | None:
    try:
        return float(text.replace("½", ".5"))
    except ValueError:
        return None


def _impossible(text: str, scores: Sequence[float]) -> str:
    """Nothing where no score is asked for, or one that the games can still give."""
    wanted = _score(text)
    if wanted is None or wanted in scores:
        return ""
    if scores[0] <= wanted <= scores[-1]:
        return f"{wanted:g} is no score: games give whole and half points."
    return f"{wanted:g} cannot be scored: these games give {scores[0]:g} to {scores[-1]:g}."


def _outcomes(
    record: Rating, field: Sequence[float], scores: Sequence[float], chosen: float, on: date, pool: str
) -> list[Outcome]:
    """Best first, each with its place on a line from the lowest to the highest."""
    results = [(score, rated(record, field, score, on, pool=pool).published) for score in reversed(scores)]
    before = round_half_up(record.rating)
    place = line([after for _, after in results], record.rating)
    return [Outcome(score, after, after - before, score == chosen, place(after)) for score, after in results]


def line(ratings: Sequence[float], before: float) -> Callable[[float], float]:
    """Ratings as places on a line of 100."""
    low, high = min(*ratings, before, before - 1), max(*ratings, before, before + 1)
    return lambda rating: round(min(max(8 + (rating - low) / (high - low) * 84, 0), 100), 1)


def _work(record: Rating, field: Sequence[float], score: float, on: date, pool: str) -> Work:
    update = rated(record, field, score, on, pool=pool)
    steps = update.steps
    gain = steps.k * (score - steps.expected) if steps.k is not None and steps.expected is not None else None
    formula = "special" if steps.special else "standard"
    return Work(
        record.rating, steps.k, score, steps.expected, gain, steps.bonus, update.floor, update.post, update.published,
        update.post_games, formula,
    )  # fmt: skip


def _lead(work: Work | None, games: int, target: float | None, needed: float | None, reached: bool) -> str:
    if work is None:
        return "Give a rating and opponents, and see what every score would bring."
    text = f"{points(work.score)} out of {games} against this field brings {work.before:g} to {work.published:.0f}."
    if target is None:
        return text
    if not reached or needed is None:
        return f"{text} Even winning everything that is left does not reach {target:g}."
    if work.published >= target:
        return f"{text} That is enough for {target:g}."
    return f"{text} For {target:g} it takes {points(needed)}."
