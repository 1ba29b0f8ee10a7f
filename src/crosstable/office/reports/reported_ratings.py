"""Ratings that a report states beside those of the ledger, which are the ones that count."""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.findings import declare
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Finding, Level, Player
from crosstable.office.ledger import order
from crosstable.office.ledger.documents import span
from crosstable.office.lists.models import ListRow, PublishedList
from crosstable.office.lists.official import shown
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.reports.ledger_checks import known_players
from crosstable.systems.us_chess.pools import KEYS

DIFFERS = declare(
    "reported-rating-differs",
    Level.NOTICE,
    "The report states ratings that are neither the record's nor those of the last list. The record's are used.",
    "If the record is wrong, correct that.",
)
UNUSED = declare(
    "reported-rating-unused",
    Level.WARNING,
    "The report states ratings of pools in which the players' records have none. Only a player's first report opens a record.",
    "Open them with `office adjust`, if they are right.",
)
_NAMED = 3


def findings(event: Event) -> list[Finding]:
    """A line for each kind. Ratings that would tell an age are passed over: directors read it."""
    if event.start is None or event.end is None:
        return []
    different, unused = _compared(event)
    found = []
    if different:
        words = "ratings in the report differ from the record, which is used"
        found.append(DIFFERS.at("event", f"{words}: {_few(different)}"))
    if unused:
        words = "ratings in the report are not used, since the players' records have none in those pools"
        found.append(UNUSED.at("event", f"{words}: {_few(unused)}"))
    return found


def _few(words: list[str]) -> str:
    some = list(dict.fromkeys(words))
    return "; ".join(some[:_NAMED]) + (f"; and {len(some) - _NAMED} more" if len(some) > _NAMED else "")


def _compared(event: Event) -> tuple[list[str], list[str]]:
    """`Ann Lee: the report says 1450, the record says 1388`, and `Ann Lee: OTBQ 1450` where the record says nothing."""
    known = known_players(event)
    place = order.day_of(span(event)[1]) + 1
    records = states.before(place, known.values())
    listed = _listed(event, list(known))
    starts = AgeStarts(records)
    different, unused = [], []
    for player, pool, stated in _stated(event):
        row = known.get(player.id, 0)
        record = records.get(row, {}).get(pool)
        who = first_name_first(player.name) or player.id
        if record is None:
            unused += [f"{who}: {pool} {stated:.0f}"] if records.get(row) else []
        elif not starts.tells(row, pool, record.rating, place):
            counts = shown(pool, record.rating)
            if counts is not None and stated not in (counts, listed.get((player.id, pool))):
                which = "" if len(player.ratings) == 1 else f" ({pool})"
                different.append(f"{who}{which}: the report says {stated:.0f}, the record says {counts:.0f}")
    return different, unused


def _stated(event: Event) -> Iterator[tuple[Player, str, float]]:
    for section in event.sections:
        for player in section.players:
            for pool, rating in player.ratings.items():
                if pool in KEYS and (whole := shown(pool, rating.rating)) is not None:
                    yield player, pool, whole


def _listed(event: Event, numbers: list[str]) -> dict[tuple[str, str], float | None]:
    """What the last list before the event prints: directors take their ratings from it."""
    last = PublishedList.objects.filter(date__lte=span(event)[0]).order_by("-date").first()
    rows = ListRow.objects.filter(published=last, number__in=numbers) if last else ListRow.objects.none()
    return {(number, pool): rating for number, pool, rating in rows.values_list("number", "pool", "rating")}
