"""The ratings as they stand before a day: what a list freezes. Private facts stay in here and are used for grouping
only.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from crosstable.office.ledger.models import Membership, Player
from crosstable.office.ledger.order import END, date_of, day_of
from crosstable.office.ledger.players import merged_players, with_duplicates
from crosstable.office.lists.models import Title
from crosstable.office.lists.options import Options
from crosstable.office.rating import states, timeline
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.floors import Floor, binding
from crosstable.office.rating.timeline import Decision
from crosstable.office.storage import bulk
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.aftermath import lifted_rating
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.systems.us_chess.update import or_nan


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating in one pool before a day, and what groups it belongs to. `born` never leaves this package."""

    number: str
    name: str
    state: str
    title: str
    pool: str
    rating: float | None  # as published; nothing where it would show an age-based start
    games: int | None
    last: date  # the last day that counted
    sex: str = ""
    born: date | None = None
    imprisoned: bool = False

    def active(self, day: date, options: Options) -> bool:
        return self.last >= options.active_since(day)

    def established(self, options: Options) -> bool:
        return self.games is None or self.games >= options.established_games


@dataclass(slots=True)
class _Live:
    post: float
    games: int | None
    position: int
    ceiling: float | None = None
    extra: str | None = None


def is_listed(pool: str, rating: float, day: date, *, complete: bool = True) -> bool:
    """Return whether a list has this rating. FIDE lists none below its lowest, and no first rating that still waits for
    games: the player is unrated.
    """
    return not pool.startswith("FIDE") or (complete and rating >= _lowest_of_fide(day))


@cache
def _lowest_of_fide(day: date) -> float:
    book = rulebook("fide")
    return float(book.on(max(day, book.first))["floor"]["rating"])


def shown(pool: str, rating: float) -> float | None:
    """Return a rating as lists print it: whole numbers, halves up; the AGA's with five decimals; FIDE's cut off; none
    for none.
    """
    if pool == "AGA":
        return round(rating, 5)
    if pool == "CLUB":
        return rating
    whole = math.floor(rating) if pool.startswith("FIDE") else int(round_half_up(rating))
    return float(whole) if whole > 0 else None


def standings(day: date) -> Iterator[Standing]:
    """Everybody's ratings from all that ended before `day`, in order of pool and id."""
    people: Mapping[int, tuple[Any, ...]] = {
        row[0]: row[1:]
        for row in Player.objects.filter(merged_into=None).values_list(
            "id", "number", "name", "state", "sex", "birth_date"
        )
    }
    live = _listed(_live(day_of(day)), day)
    hidden = _hidden(live, day_of(day), AgeStarts())
    titles, imprisoned = _titles(day), _imprisoned(day)
    for (pool, number), player in sorted(
        ((pool, people[player][0]), player) for player, pool in live if player in people
    ):
        now = live[player, pool]
        rating = _printed((player, pool), live, hidden)
        _, name, state, sex, born = people[player]
        title, prison = titles.get(player, ""), player in imprisoned
        last = date_of(now.position)
        yield Standing(
            number=number,
            name=name,
            state=state,
            title=title,
            pool=pool,
            rating=rating,
            games=now.games,
            last=last,
            sex=sex,
            born=born,
            imprisoned=prison,
        )


def standing_of(player: int, pool: str, day: date) -> float | None:
    """Return what a list of the day would print of one player (a row in the ledger) in one pool,
    as the ledger is now.
    """
    before = day_of(day)
    live = _listed(_live(before, [player]), day)
    return _printed((player, pool), live, _hidden(live, before, AgeStarts([player])))


def _printed(key: tuple[int, str], live: Mapping[tuple[int, str], _Live], hidden: set[tuple[int, str]]) -> float | None:
    return shown(key[1], live[key].post) if key in live and key not in hidden else None


def floors(day: date) -> dict[tuple[str, str], Floor]:
    """Return the floor of each rating, by pool and id."""
    numbers = dict(Player.objects.filter(merged_into=None).values_list("id", "number"))
    found = {}
    for player, records in states.before(day_of(day)).items():
        for pool, record in records.items() if player in numbers else ():
            if floor := binding(pool, record, day):
                found[pool, numbers[player]] = floor
    return found


def age_based(players: Iterable[int]) -> set[tuple[int, str]]:
    """Of these players (rows in the ledger), whose rating in which pool may not be shown: it would tell an age."""
    wanted = sorted(set(players))
    return _hidden(_live(END, wanted), END, AgeStarts(wanted))


def _live(before: int, players: Sequence[int] | None = None) -> dict[tuple[int, str], _Live]:
    """Return the last row of each player and pool before a position, and the granted adjustments that came after it."""
    only = "" if players is None else f"AND player_id IN ({bulk.numbers(players)})"
    rows = bulk.rows(
        "SELECT r.player_id, r.pool, r.post, r.state_games, r.position, "  # noqa: S608  our own names and numbers
        "r.ceiling, r.extra FROM ledger_ratingrow r JOIN ("
        f"SELECT player_id, pool, MAX(position) AS position FROM ledger_ratingrow WHERE position < {before} {only}"
        " GROUP BY player_id, pool) m"
        " ON r.player_id = m.player_id AND r.pool = m.pool AND r.position = m.position"
    )
    live = {(player, pool): _Live(*state) for player, pool, *state in rows}
    # a duplicate's decisions are those of the record that is kept, as in rating.states
    asked = None if players is None else with_duplicates(players)
    for decision in timeline.decisions(until=before, players=asked):
        _apply(live, decision)
    return live


def _listed(live: Mapping[tuple[int, str], _Live], day: date) -> dict[tuple[int, str], _Live]:
    """Leave out the ratings that no list has."""
    return {
        (player, pool): now
        for (player, pool), now in live.items()
        if is_listed(pool, now.post, day, complete=not _waits_for_games(pool, now.extra))
    }


def _waits_for_games(pool: str, extra: str | None) -> bool:
    return pool.startswith("FIDE") and bool(json.loads(extra or "{}").get("pending"))


def _apply(live: dict[tuple[int, str], _Live], decision: Decision) -> None:
    """Apply a decision, which counts until the next rating, which has it in it."""
    key, fields = (decision.player, decision.pool), decision.fields
    now = live.get(key)
    if now is None and fields.get("rating") is None:
        return
    if now is not None and now.position >= decision.position:
        return
    before = now or _Live(0.0, None, decision.position)
    rating, games = float(fields.get("rating", before.post)), fields.get("games", before.games)
    ceiling = fields.get("ceiling", before.ceiling)
    if decision.lift is not None:  # a floor set by a decision shows that day (readings 24)
        rating = lifted_rating(rating, decision.lift, or_nan(ceiling))
    live[key] = _Live(rating, games, before.position, ceiling)


def _hidden(live: Mapping[tuple[int, str], _Live], before: int, starts: AgeStarts) -> set[tuple[int, str]]:
    """Ratings that still stand where the player's age put them."""
    return {
        (player, pool)
        for (player, pool), now in live.items()
        if starts.tells(player, pool, now.post, before, before=True)
    }


def _titles(day: date) -> dict[int, str]:
    """Return the highest title that each player had earned before the day."""
    earned = Title.objects.filter(earned__lt=day).order_by("level").values_list("player_id", "title")
    return dict(earned)


def _imprisoned(day: date) -> set[int]:
    """Members with a prison membership in force on the day (1996, motion 1)."""
    from django.db.models import Q

    in_force = Q(kind="prison", since__lte=day) & (Q(until=None) | Q(until__gte=day))
    same = merged_players()
    members = Membership.objects.filter(in_force).values_list("player_id", flat=True)
    return {same.get(player, player) for player in members}
