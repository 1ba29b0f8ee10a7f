"""The estimator: a rating, opponents with the results so far, and what every score would give."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import nan

from crosstable.errors import NoRulesOnDate
from crosstable.formats.table_cells import typed_rating
from crosstable.model import Rating
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.players import main_record
from crosstable.office.players import person
from crosstable.office.queries import ratings
from crosstable.office.queries.words import POOLS, points
from crosstable.systems.us_chess.coefficients import coefficients_on, provisional_games
from crosstable.systems.us_chess.estimate import Begun, begin, needed_for
from crosstable.systems.us_chess.estimate import estimate as rated
from crosstable.systems.us_chess.formulas import round_half_up, winning_expectancy
from crosstable.systems.us_chess.pools import MAIN

MOST = 20
HIGHEST = 3500  # no rating is higher
SCORES = {"won": 1.0, "drew": 0.5, "lost": 0.0}


@dataclass(frozen=True, slots=True)
class Opponent:
    given: str
    result: str  # "", "won", "drew", "lost"
    name: str = ""
    rating: float | None = None
    expected: float | None = None


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
    unrated: bool


@dataclass(frozen=True, slots=True)
class EstimatePage:
    asked: State
    opponents: tuple[Opponent, ...]
    lead: str
    problems: tuple[str, ...] = ()
    score: float | None = None
    scores: tuple[float, ...] = ()  # those that are still possible
    outcomes: tuple[Outcome, ...] = ()  # best first
    work: Work | None = None
    needed: float | None = None
    reached: bool = False
    assumed: tuple[str, ...] = ()  # where nothing was given
    impossible: str = ""  # why the score asked for cannot be had; the sum is that of the nearest one
    origin: float = 0.0  # where the old rating and the one wanted stand on the drawings' line
    goal: float | None = None

    @property
    def pools(self) -> Mapping[str, str]:
        return POOLS

    @property
    def rows(self) -> tuple[Opponent, ...]:
        """The opponents, and room for another."""
        return (*self.opponents, *[Opponent("", "")] * (1 if len(self.opponents) >= 4 else 5 - len(self.opponents)))

    @property
    def usual_games(self) -> int:
        """So many games are assumed behind a rating."""
        return provisional_games() + 1

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
    player: str = ""  # the id of whoever is estimated: for the floor


def estimate(state: State) -> EstimatePage:
    """Everything that follows from the address; what cannot be used is named, and the rest is worked out."""
    problems: list[str] = []
    state = state if state.pool in POOLS else replace(state, pool=MAIN)
    pool = state.pool
    target = _number(state.target, "rating that you want", 0, HIGHEST, problems)
    own = _own(state, pool, problems)
    given = _opponents(state, pool, problems)
    begun = _begun(own, given, state.on, pool, problems) if given and not problems else None
    if begun is None:
        return EstimatePage(
            asked=state,
            opponents=tuple(given),
            problems=tuple(problems),
            lead=_ask_for(state, given),
        )
    rules, record = coefficients_on(state.on), begun.record
    opponents = [
        replace(one, rating=rating, expected=winning_expectancy(rules, record.rating, rating))
        for one, rating in zip(given, begun.opponents, strict=True)
    ]
    scores = _scores(opponents)
    chosen = _chosen(state.score, scores, opponents)
    outcomes = tuple(_outcomes(record, begun.opponents, scores, chosen, state.on, pool))
    work = _work(record, begun.opponents, chosen, state.on, pool, unrated=own.record is None)
    found = needed_for(target, record, begun.opponents, state.on, pool=pool, dual=False) if target else None
    needed = max(found.score, scores[0]) if found else None
    reached, place = needed is not None and needed in scores, line([one.after for one in outcomes], record.rating)
    return EstimatePage(
        asked=state,
        opponents=tuple(opponents),
        score=chosen,
        scores=tuple(scores),
        outcomes=outcomes,
        work=work,
        needed=needed,
        reached=reached,
        lead=_lead(work, len(opponents), target, needed, reached),
        impossible=_impossible(state.score, scores),
        assumed=(*own.assumed, *begun.assumed),
        origin=place(record.rating),
        goal=place(target) if target else None,
    )


@dataclass(frozen=True, slots=True)
class _Own:
    """Whoever is estimated: no record of somebody unrated."""

    record: Rating | None
    assumed: tuple[str, ...] = ()


def _own(state: State, pool: str, problems: list[str]) -> _Own:
    """The rating that was typed; of a player who was named, on the record that sets the floor."""
    given = _typed(state.rating, problems)
    games = _number(state.games, "number of games", 0, 100_000, problems)
    if given is not None and games is not None:
        given = replace(given, games=int(games))
    if given is None or not state.player:
        return _Own(given)
    found = Player.objects.filter(number=state.player).first()
    if found is None:
        problems.append(f"There is no player with the id {state.player}.")
        return _Own(given)
    row = main_record(found)
    shown = ratings.live([row.id]).get(row.id, {}).get(pool)
    if shown is None or shown.rating is None:  # nothing of a record whose rating is not shown
        return _Own(given)
    known = ratings.records([row.id])[row.id][pool]
    games_known = given.games if given.games is not None else known.games
    return _Own(
        replace(known, rating=given.rating, games=games_known),
        (f"floors as in the record of {person.of(row).name}",),
    )


def _begun(own: _Own, given: Sequence[Opponent], on: date, pool: str, problems: list[str]) -> Begun | None:
    try:
        coefficients_on(on)
        return begin(own.record, [one.rating for one in given], on, pool)
    except NoRulesOnDate as problem:
        problems.append(str(problem))
        return None


def _typed(text: str, problems: list[str]) -> Rating | None:
    try:
        found = typed_rating(text)
    except ValueError as problem:
        problems.append(f"{problem}.")
        return None
    if found is not None and found.rating > HIGHEST:
        problems.append(f"{found.rating:g} is no rating: the highest here is {HIGHEST}.")
    return found


def _ask_for(state: State, opponents: Sequence[Opponent]) -> str:
    if not opponents and (state.rating or state.target or state.score):
        return "Add at least one opponent, by rating, by id or as “unr”: then every score shows what it would bring."
    return "Give opponents, and a rating if there is one, and see what every score would bring."


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


def _opponents(state: State, pool: str, problems: list[str]) -> list[Opponent]:
    """Ratings as they are, none of those who are unrated; ids by the live rating of the player."""
    given = [(text.strip(), result) for text, result in state.opponents[:MOST] if text.strip()]
    ids = [text for text, _ in given if text.isdigit() and len(text) > 4]
    rows = (
        {row[1]: person.person(*row) for row in Player.objects.filter(number__in=ids).values_list(*person.COLUMNS)}
        if ids
        else {}
    )
    live = ratings.live([one.row for one in rows.values()]) if rows else {}
    found = []
    for text, result in given:
        name, rating = "", None
        if text in rows:
            shown = live.get(rows[text].row, {}).get(pool)
            rating, name = shown.rating if shown else None, rows[text].name
            if rating is None:
                problems.append(f"{name} has no rating in this pool to show: give a number, or “unr”.")
        elif text in ids:
            problems.append(f"There is no player with the id {text[:20]}.")
        else:
            typed = _typed(text, problems)
            rating = typed.rating if typed else None
        found.append(Opponent(text, result if result in SCORES else "", name, rating))
    return found


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
        value = float(text.replace("½", ".5"))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _impossible(text: str, scores: Sequence[float]) -> str:
    """Nothing where no score is asked for, or one that the games can still give."""
    wanted = _score(text)
    if not text.strip() or wanted in scores:
        return ""
    if wanted is None or scores[0] <= wanted <= scores[-1]:
        return f"“{text[:20]}” is no score: games give whole and half points."
    if scores[0] == scores[-1]:
        return f"{wanted:g} cannot be scored: these games gave {scores[0]:g}."
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


def _work(record: Rating, field: Sequence[float], score: float, on: date, pool: str, *, unrated: bool) -> Work:
    update = rated(record, field, score, on, pool=pool)
    steps = update.steps
    gain = steps.k * (score - steps.expected) if steps.k is not None and steps.expected is not None else None
    return Work(
        record.rating,
        steps.k,
        score,
        steps.expected,
        gain,
        steps.bonus,
        update.floor,
        update.post,
        update.published,
        update.post_games,
        unrated,
    )


def _lead(work: Work, games: int, target: float | None, needed: float | None, reached: bool) -> str:
    before = "an unrated player" if work.unrated else f"{work.before:g}"
    text = f"{points(work.score)} out of {games} against this field brings {before} to {work.published:.0f}."
    if target is None:
        return text
    if not reached or needed is None:
        return f"{text} Even winning everything that is left does not reach {target:g}."
    if work.published >= target:
        return f"{text} That is enough for {target:g}."
    return f"{text} For {target:g} it takes {points(needed)}."
