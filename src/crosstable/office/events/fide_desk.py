"""The FIDE desk: whose games in the foreign events of a FIDE list changed a rating, whose did not, and why (2025 §6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from crosstable.model import Player
from crosstable.office.ledger import models
from crosstable.office.ledger.office_settings import office
from crosstable.office.lists.official import shown
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import states
from crosstable.office.rating.filled_sections import as_rated, entrants
from crosstable.office.rating.timeline import Placed, sections_from
from crosstable.systems.us_chess.deciding import rules_of
from crosstable.systems.us_chess.fide_events import not_counted
from crosstable.systems.us_chess.pools import MAIN


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A player of ours in a foreign event: with an OTBR rating, the USA flag, or opted in."""

    event: str
    section: int
    player: str
    name: str
    usa_flag: bool
    opted_in: bool
    games: int  # against opponents with a FIDE rating
    adjusted: bool
    before: float | None
    after: float | None
    reason: str  # why not, or empty

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def fide_lists(actor: Actor) -> list[date]:
    """The FIDE lists whose foreign events the office has, newest first."""
    require(actor, "event.review")
    return sorted(set(models.FideBatch.objects.values_list("list_date", flat=True)), reverse=True)


def fide_desk(actor: Actor, list_date: date | None = None, events: Iterable[str] | None = None) -> list[Adjusted]:
    """The players of one FIDE list (default: of all), or of some events; in rating order."""
    require(actor, "event.review")
    sections = models.Section.objects.filter(kind="fide").select_related("event").order_by("position")
    if list_date is not None:
        sections = sections.filter(event__fide_batch__list_date=list_date)
    if events is not None:
        sections = sections.filter(event__number__in=list(events))
    return [one for row in sections for one in _section(row)]


def _section(row: models.Section) -> Iterator[Adjusted]:
    placed: Placed = sections_from(row.position, row.position + 1)[0]
    ready = as_rated(placed, states.before(placed.position, entrants(placed).values()), (MAIN,))
    rules = rules_of(placed.start, placed.end, placed.event_end, office().profile)
    done = {one.player_id: one for one in models.RatingRow.objects.filter(section=row, pool=MAIN)}
    games = _games(ready.section.players, ready.section.games)
    for player in ready.section.players:
        if not (player.ratings or player.usa_flag or player.fide_opt_in):
            continue  # a foreigner
        rating = done.get(ready.players[player.number])
        why_not = not_counted(rules, player, player.ratings.get(MAIN))
        if rating is None and why_not is None:
            why_not = "no game against an opponent with a FIDE rating"
        yield Adjusted(
            row.event.number, row.number, player.id, player.name, player.usa_flag, player.fide_opt_in,
            games.get(player.number, 0), rating is not None, *_shown(rating), reason=why_not or "",
        )  # fmt: skip


def _shown(row: models.RatingRow | None) -> tuple[float | None, float | None]:
    if row is None:
        return None, None
    return (None if row.prior is None else shown(MAIN, row.prior)), shown(MAIN, row.post)


def _games(players: Iterable[Player], games: Iterable[Any]) -> dict[int, int]:
    """How many games each player has against opponents with a FIDE rating."""
    listed = {player.number for player in players if player.fide is not None}
    found: dict[int, int] = {}
    for game in games:
        for one, other in ((game.white, game.black), (game.black, game.white)):
            if game.played and other in listed:
                found[one] = found.get(one, 0) + 1
    return found
