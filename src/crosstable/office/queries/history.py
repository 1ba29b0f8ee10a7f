"""A player's ratings over time: every event in every pool, and what the lists said. Only what may be shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from crosstable.federations.current import current
from crosstable.office.ledger import recorded_scores
from crosstable.office.ledger.models import RatingRow, Section
from crosstable.office.ledger.rating_change import WithChange
from crosstable.office.lists.models import ListRow
from crosstable.office.lists.official import shown, standing_of
from crosstable.office.players.person import Person
from crosstable.office.queries.ratings import InPool, Shown
from crosstable.office.rating.age_starts import AgeStarts

#: What `of_row` reads
COLUMNS = (
    "section_id",
    "section__number",
    "section__name",
    "section__event__number",
    "section__event__name",
    "section__end",
    "pool",
    "number",
    "prior",
    "prior_games",
    "initialized",
    "games",
    "score",
    "post",
    "state_games",
    "extra",
    "position",
    "player_id",
)


@dataclass(frozen=True, slots=True)
class Played(WithChange):
    """A section in one pool: the rating before and after it, as published.

    `before` is nothing for a first rating; `after` is nothing where the number would tell an age.
    """

    section_id: int
    section: int
    section_name: str
    event: str
    name: str
    date: date
    pool: str
    number: int
    before: float | None
    before_games: int | None
    games: int
    score: float
    after: float | None
    after_games: int | None
    position: int
    spread: float | None = None  # the deviation or the sigma after it, where the federation shows it


def played(players: Sequence[int], pool: str = "", starts: AgeStarts | None = None) -> tuple[Played, ...]:
    """Everything that these players have played in the order in which it was rated, oldest first.

    `starts`: of these players, if the caller has read them already.
    """
    rows = RatingRow.objects.filter(player_id__in=players)
    if pool:
        rows = rows.filter(pool=pool)
    starts = starts or AgeStarts(players)
    found = list(rows.order_by("position", "pool").values(*COLUMNS))
    recorded = recorded_scores.corrections(row["section__event__number"] for row in found)
    for row in found if recorded else ():
        place = (row["section__event__number"], row["section__number"], row["number"])
        row["score"] += recorded.get(place, 0.0)
    return tuple(of_row(row, starts) for row in found)


def before_and_after(row: dict[str, Any], starts: AgeStarts) -> tuple[float | None, float | None]:
    """Return the published numbers of a row, where they may be shown:
    a rating that was made here had none before it.
    """
    player, pool, position = row["player_id"], row["pool"], row["position"]

    def public(rating: float | None, *, before: bool = False) -> float | None:
        if rating is None or starts.tells(player, pool, rating, position, before=before):
            return None
        return shown(pool, rating)

    return None if row["initialized"] else public(row["prior"], before=True), public(row["post"])


def of_row(row: dict[str, Any], starts: AgeStarts) -> Played:
    """Return a rating row with these COLUMNS, as it may be shown."""
    before, after = before_and_after(row, starts)
    return Played(
        section_id=row["section_id"],
        section=row["section__number"],
        section_name=row["section__name"],
        event=row["section__event__number"],
        name=row["section__event__name"],
        date=row["section__end"],
        pool=row["pool"],
        number=row["number"],
        before=before,
        before_games=None if row["initialized"] else row["prior_games"],
        games=row["games"],
        score=row["score"],
        after=after,
        after_games=row["state_games"],
        position=row["position"],
        spread=None if after is None else _spread(row["extra"]),
    )


def _spread(extra: str | None) -> float | None:
    """Return the deviation or the sigma of a state, where the federation shows it."""
    if not extra or not current().shows.deviation:
        return None
    state = json.loads(extra)
    found = state.get("deviation", state.get("sigma"))
    return found if isinstance(found, float) else None


def listed(number: str, pool: str = "") -> dict[str, tuple[Shown, ...]]:
    """Pool → what each published list said, oldest first."""
    rows = ListRow.objects.filter(number=number)
    if pool:
        rows = rows.filter(pool=pool)
    found: dict[str, list[Shown]] = {}
    columns = ("pool", "rating", "games", "published__date")
    for key, rating, games, day in rows.order_by("published__date").values_list(*columns):
        found.setdefault(key, []).append(Shown(rating, games, day))
    return {key: tuple(values) for key, values in found.items()}


def official_since(player: Person, pool: str, section: Section, starts: AgeStarts) -> date | None:
    """Return the first list that holds the rating after a section, or a later rating of the player.

    A list that was out before the event was accepted or corrected holds another number. Whether it does is asked as on
    the player's page of the list in force.
    """
    since = [one for one in played([player.row], pool, starts) if one.position >= section.position]
    for on_list in listed(player.number, pool).get(pool, ()):
        day = on_list.date
        if day is None or day <= section.event_end:
            continue
        if any(_holds(on_list, pool, one.after) for one in since if one.date < day):
            return day
        if _holds(on_list, pool, standing_of(player.row, pool, day)):  # a decision came after the last event
            return day
    return None


def _holds(on_list: Shown, pool: str, rating: float | None) -> bool:
    return not InPool(pool, on_list, Shown(rating)).moved
