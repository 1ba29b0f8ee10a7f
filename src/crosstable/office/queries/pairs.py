"""Players who hold two ratings, for fitting a conversion (1996 report, appendix B): one pair a player.

The report's criteria: an established rating here, play in both federations in the period (FIDE: a year, CFC: half a
year), and of FIDE a rating of 2200 or more and ten games or more in that year. FIDE's lists say how many games each of
them counted; the games of foreign events that the office has are counted too, and the larger number is taken.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.ledger import order
from crosstable.office.ledger.models import ExternalRating, Player, RatingRow
from crosstable.office.ledger.players import merged_players
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.facts import external
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.systems.us_chess.pools import MAIN

#: Source → (days in which both must be active, the least foreign rating, the least foreign games in them)
CRITERIA = {"fide": (365, 2200.0, 10), "cfc": (182, 0.0, 0)}


@dataclass(frozen=True, slots=True)
class Pair:
    player: str
    foreign: float
    own: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def pairs(actor: Actor, source: str, day: date) -> list[Pair]:
    """Return the pairs of a day, by id: the newest foreign rating in the period, and the OTBR rating as published."""
    require(actor, "event.review")
    if source not in CRITERIA:
        raise OfficeError(f"no ratings of {source!r} are kept: there are {', '.join(CRITERIA)}")
    days, least, least_games = CRITERIA[source]
    since = day - timedelta(days=days)
    active = RatingRow.objects.filter(
        pool=MAIN, position__gte=order.day_of(since), position__lt=order.day_of(day) + order.DAY
    )
    listed = ExternalRating.objects.filter(kind=source, date__gt=since, date__lte=day)
    who = {*active.values_list("player_id", flat=True)} & {*listed.values_list("player_id", flat=True)}
    held, abroad, starts = states.on(day, who), external(who), AgeStarts(who)
    played = _games(source, since, day)
    found = []
    for row in Player.objects.filter(id__in=list(who)).order_by("number"):
        own = held.get(row.id, {}).get(MAIN)
        foreign = [rating for when, kind, rating in abroad[row.id] if kind == source and since < when <= day][-1]
        if own is None or (own.games or 0) <= provisional_games(day) or foreign < least:
            continue
        if played.get(row.id, 0) < least_games:
            continue
        if not starts.tells(row.id, MAIN, own.rating, order.day_of(day) + order.DAY, before=True):
            found.append(Pair(row.number, foreign, round_half_up(own.rating)))
    return found


def _games(source: str, since: date, day: date) -> Counter[int]:
    """How many games each player had abroad in the period: as lists count them, or as the office has them."""
    same = merged_players()
    listed, rated = Counter[int](), Counter[int]()
    lists = ExternalRating.objects.filter(kind=source, date__gt=since, date__lte=day, games__isnull=False)
    for player, games in lists.values_list("player_id", "games"):
        listed[same.get(player, player)] += games or 0
    if source == "fide":
        rows = RatingRow.objects.filter(section__kind="fide", section__end__gt=since, section__end__lte=day)
        for player, games in rows.values_list("player_id", "games"):
            rated[player] += games
    return listed | rated
