"""The estimator: a rating, opponents with the results so far, and what every score would give."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import nan
from typing import Protocol

from crosstable.errors import NoRulesOnDate
from crosstable.formats.table_cells import typed_rating
from crosstable.model import Rating
from crosstable.systems.us_chess.coefficients import coefficients_on, provisional_games
from crosstable.systems.us_chess.estimate import Begun, begin, needed_for
from crosstable.systems.us_chess.estimate import estimate as rated
from crosstable.systems.us_chess.formulas import round_half_up, winning_expectancy
from crosstable.systems.us_chess.pools import MAIN
from crosstable.words.language import _
from crosstable.words.numbers import plain
from crosstable.words.phrases import POOLS, points, thousands, whole

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
    player: str = ""  # the player's id, for the floor


class Known(Protocol):
    """Whom the place that asks knows by an id: an office its players, a page without an office no one."""

    def record(self, player: str, pool: str) -> tuple[str, Rating] | None:
        """Return a player's name and record, None where nothing is shown. Raise LookupError for an unknown id."""

    def players(self, ids: Sequence[str], pool: str) -> Mapping[str, tuple[str, float | None]]:
        """Return the names and ratings of those that are known."""


class NoPlayers:
    """No player is known by an id."""

    def record(self, player: str, pool: str) -> tuple[str, Rating] | None:  # noqa: ARG002  as Known asks
        """Raise LookupError: no id is known."""
        raise LookupError(player)

    def players(
        self,
        ids: Sequence[str],  # noqa: ARG002  as Known
        pool: str,  # noqa: ARG002  as Known
    ) -> Mapping[str, tuple[str, float | None]]:
        """Return no one."""
        return {}


def estimate(state: State, known: Known) -> EstimatePage:
    """Everything that follows from the address; what cannot be used is named, and the rest is worked out."""
    problems: list[str] = []
    state = state if state.pool in POOLS else replace(state, pool=MAIN)
    pool = state.pool
    target = _number(state.target, 0, HIGHEST, problems)
    own = _own(state, pool, known, problems)
    given = _opponents(state, pool, known, problems)
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
    outcomes = tuple(_outcomes(record, begun.opponents, scores, chosen=chosen, on=state.on, pool=pool))
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
    """Anyone who is estimated: no record of someone unrated."""

    record: Rating | None
    assumed: tuple[str, ...] = ()


def _own(state: State, pool: str, known: Known, problems: list[str]) -> _Own:
    """Return the rating that was typed; of a player who was named, on the record that sets the floor."""
    given = _typed(state.rating, problems)
    games = _number(state.games, 0, 100_000, problems)
    if given is not None and games is not None:
        given = replace(given, games=int(games))
    if given is None or not state.player:
        return _Own(given)
    try:
        found = known.record(state.player, pool)
    except LookupError:
        problems.append(_("No player has the ID {id}.").format(id=state.player))
        return _Own(given)
    if found is None:
        return _Own(given)
    name, record = found
    games_known = given.games if given.games is not None else record.games
    return _Own(
        replace(record, rating=given.rating, games=games_known),
        (_("floors as in the record of {name}").format(name=name),),
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
        refused = _("{rating} is not a rating: the highest possible is {highest}.")
        problems.append(refused.format(rating=f"{found.rating:g}", highest=HIGHEST))
    return found


def _ask_for(state: State, opponents: Sequence[Opponent]) -> str:
    if not opponents and (state.rating or state.target or state.score):
        return _("Add at least one opponent, by rating, by ID or as “unr”, to see the rating for every score.")
    return _("Enter opponents, and a rating if there is one, to see the rating for every score.")


def _number(text: str, low: float, high: float, problems: list[str]) -> float | None:
    text = text.strip().replace(",", ".")
    if not text:
        return None
    try:
        value = float(text)
        quoted = text[:20]
    except ValueError:
        value, quoted = nan, f"“{text[:20]}”"
    if not low <= value <= high:
        problem = _("{text} cannot be used. Enter a number from {low} to {high}.")
        problems.append(problem.format(text=quoted, low=plain(low), high=thousands(high)))
        return None
    return value


def _opponents(state: State, pool: str, known: Known, problems: list[str]) -> list[Opponent]:
    """Ratings as they are, none of those who are unrated; ids by the live rating of the player."""
    given = [(text.strip(), result) for text, result in state.opponents[:MOST] if text.strip()]
    ids = [text for text, _result in given if text.isdigit() and len(text) > 4]
    players = known.players(ids, pool) if ids else {}
    found = []
    for text, result in given:
        name, rating = "", None
        if text in players:
            name, rating = players[text]
            if rating is None:
                problem = _("{name} has no public rating in this pool. Enter a number, or “unr”.")
                problems.append(problem.format(name=name))
        elif text in ids:
            problems.append(_("No player has the ID {id}.").format(id=text[:20]))
        else:
            typed = _typed(text, problems)
            rating = typed.rating if typed else None
        found.append(Opponent(text, result if result in SCORES else "", name, rating))
    return found


def _scores(opponents: Sequence[Opponent]) -> list[float]:
    """Return the scores that the games to come leave open."""
    made = sum(SCORES[one.result] for one in opponents if one.result)
    open_ = sum(not one.result for one in opponents)
    return [made + half / 2 for half in range(2 * open_ + 1)]


def _chosen(text: str, scores: Sequence[float], opponents: Sequence[Opponent]) -> float:
    """Return the score asked for, or the one nearest to what is expected."""
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
        return _("“{text}” is not a score: games give whole and half points.").format(text=text[:20])
    if scores[0] == scores[-1]:
        problem = _("A score of {score} is not possible: these games gave {made}.")
        return problem.format(score=points(wanted), made=points(scores[0]))
    problem = _("A score of {score} is not possible: these games give {low} to {high}.")
    return problem.format(score=points(wanted), low=points(scores[0]), high=points(scores[-1]))


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
        before=record.rating,
        k=steps.k,
        score=score,
        expected=steps.expected,
        gain=gain,
        bonus=steps.bonus,
        floor=update.floor,
        after=update.post,
        published=update.published,
        games=update.post_games,
        unrated=unrated,
    )


def _lead(work: Work, games: int, target: float | None, needed: float | None, reached: bool) -> str:
    before = _("an unrated player") if work.unrated else plain(work.before)
    text = _("{score} out of {games} against this field takes {before} to {after}.").format(
        score=points(work.score), games=games, before=before, after=whole(work.published)
    )
    if target is None:
        return text
    goal = plain(target)
    if not reached or needed is None:
        more = _("Even winning every game that is left is not enough for {target}.").format(target=goal)
    elif work.published >= target:
        more = _("That is enough for {target}.").format(target=goal)
    else:
        more = _("{target} takes {score}.").format(target=goal, score=points(needed))
    return f"{text} {more}"
