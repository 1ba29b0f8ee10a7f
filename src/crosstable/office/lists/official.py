"""The ratings as they stand before a day: what a list freezes. Private facts stay in here and are used for grouping only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from crosstable.office.ledger.models import Adjustment, Membership, Player
from crosstable.office.ledger.order import date_of, day_of
from crosstable.office.lists.models import Title
from crosstable.office.lists.options import Options

#: Rating keys whose first rating may come from the player's age
AGE_BASED_STARTS = frozenset({"OTBR", "OTBQ", "OTBB", "OLR", "OLQ", "OLB", "USCF"})


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rating in one system before a day, and what groups it belongs to. `born` never leaves this package."""

    number: str
    name: str
    state: str
    title: str
    system: str
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


def shown(system: str, rating: float) -> float | None:
    """A rating as lists print it: whole numbers, halves up; the AGA's with five decimals; FIDE's cut off; none for none."""
    if system == "AGA":
        return round(rating, 5)
    if system == "CLUB":
        return rating
    whole = math.floor(rating) if system == "FIDE" else math.floor(rating + 0.5)
    return float(whole) if whole > 0 else None


def standings(day: date) -> Iterator[Standing]:
    """Everybody's ratings from all that ended before `day`, in order of system and id."""
    people: Mapping[int, tuple[Any, ...]] = {
        row[0]: row[1:]
        for row in Player.objects.filter(merged_into=None).values_list(
            "id", "number", "name", "state", "sex", "birth_date"
        )
    }
    live = _live(day)
    starts = _age_based_starts(live, day)
    titles, imprisoned = _titles(day), _imprisoned(day)
    for (system, number), player in sorted(
        ((system, people[player][0]), player) for player, system in live if player in people
    ):
        now = live[player, system]
        rating = shown(system, now.post)
        if (player, system) in starts and rating == shown(system, starts[player, system]):
            rating = None
        _, name, state, sex, born = people[player]
        title, prison = titles.get(player, ""), player in imprisoned
        last = date_of(now.position)
        yield Standing(number, name, state, title, system, rating, now.games, last, sex, born, prison)


def _live(day: date) -> dict[tuple[int, str], _Live]:
    """The last row of each player and system before the day, and the granted adjustments that came after it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT r.player_id, r.system, r.post, r.state_games, r.position FROM ledger_ratingrow r JOIN ("
            "SELECT player_id, system, MAX(position) AS position FROM ledger_ratingrow WHERE position < %s"
            " GROUP BY player_id, system) m"
            " ON r.player_id = m.player_id AND r.system = m.system AND r.position = m.position",
            [day_of(day)],
        )
        live = {(player, system): _Live(post, games, place) for player, system, post, games, place in cursor.fetchall()}
    decisions = Adjustment.objects.filter(status=Adjustment.GRANTED, position__lt=day_of(day)).order_by(
        "position", "id"
    )
    for decision in decisions.iterator():
        key, now = (decision.player_id, decision.system), live.get((decision.player_id, decision.system))
        if "rating" not in decision.fields and "games" not in decision.fields:
            continue
        if now is not None and now.position >= decision.position:
            continue  # rated since: the decision is in that rating
        if now is None and decision.fields.get("rating") is None:
            continue
        before = now or _Live(0.0, None, decision.position)
        post = decision.fields.get("rating", before.post)
        live[key] = _Live(float(post), decision.fields.get("games", before.games), before.position)
    return live


def _age_based_starts(live: Mapping[tuple[int, str], _Live], day: date) -> dict[tuple[int, str], float]:
    """What the first rating began from, where that was nothing but the age: no games behind it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT player_id, system, prior, position FROM ledger_ratingrow"
            " WHERE position < %s AND prior IS NOT NULL AND (prior_games IS NULL OR prior_games = 0)",
            [day_of(day)],
        )
        first: dict[tuple[int, str], tuple[int, float]] = {}
        for player, system, prior, position in cursor.fetchall():
            key = (player, system)
            if system in AGE_BASED_STARTS and (key not in first or position < first[key][0]):
                first[key] = (position, prior)
    provisional = 25
    return {
        key: prior
        for key, (_, prior) in first.items()
        if key in live and (games := live[key].games) is not None and games <= provisional
    }


def _titles(day: date) -> dict[int, str]:
    """The highest title that each player had earned before the day."""
    earned = Title.objects.filter(earned__lt=day).order_by("level").values_list("player_id", "title")
    return dict(earned)


def _imprisoned(day: date) -> set[int]:
    """Members with a prison membership in force on the day (1996, motion 1)."""
    from django.db.models import Q

    in_force = Q(kind="prison", since__lte=day) & (Q(until=None) | Q(until__gte=day))
    return set(Membership.objects.filter(in_force).values_list("player_id", flat=True))
