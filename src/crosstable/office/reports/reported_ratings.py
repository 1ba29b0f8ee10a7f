"""Ratings that a report states beside those of the ledger, which are the ones that count."""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.findings import declare
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Finding, Level, Place, Player
from crosstable.office.ledger import order
from crosstable.office.ledger.documents import span
from crosstable.office.lists.models import ListRow, PublishedList
from crosstable.office.lists.official import shown
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.reports import candidates
from crosstable.office.reports.ledger_checks import known_players, records_before
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
    "The report states ratings of pools in which the players' records have none. Only a player's first report opens a"
    " record.",
    "Open them with `office adjust`, if they are right.",
)
NAMESAKE = declare(
    "namesake",
    Level.WARNING,
    "Several members have this name, and the file's rating does not say which of them played.",
    "Check the ID.",
)
FAR_FROM_RECORD = declare(
    "far-from-record",
    Level.WARNING,
    "The report states a rating far from that of the player who has this ID: it may be a namesake.",
    "Check the ID.",
)
_NAMED = 3
#: So many points apart, a stated rating is hardly of the same player; so near, it confirms the ID
_FAR, _NEAR = 200, 100


def findings(event: Event) -> list[Finding]:
    """Return one finding for each kind. Ratings that would reveal an age are skipped: directors read it."""
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


def namesakes(event: Event) -> list[Finding]:
    """Find IDs that may be a namesake's. Ratings that would tell an age are passed over: directors read it."""
    known = known_players(event)
    if not known:
        return []
    place = order.END if event.end is None else order.day_of(event.end) + 1
    records = records_before(place, known)
    starts = AgeStarts(records)
    people = [(section, one) for section in event.sections for one in section.players if one.id in known]
    shared = candidates.sharing([one.name for _, one in people if one.name])
    found = []
    for section, player in people:
        row = known[player.id]
        apart = [
            (abs(stated - counts), pool, stated, counts)
            for pool, stated in _whole(player)
            if (record := records.get(row, {}).get(pool)) is not None
            and not starts.tells(row, pool, record.rating, place, before=True)
            and (counts := shown(pool, record.rating)) is not None
        ]
        where = Place(section=section.number, players=(player.number,))
        nearest = min(apart, default=None)
        if nearest is not None and nearest[0] >= _FAR:
            _, pool, stated, counts = nearest
            words = f"the file says {stated:.0f}, the player with the ID {player.id} has {counts:.0f}"
            found.append(FAR_FROM_RECORD.at(where, words, pool=pool, stated=stated, record=counts))
        elif player.id in shared.get(player.name, ()) and (nearest is None or nearest[0] > _NEAR):
            count = len(shared[player.name])
            found.append(NAMESAKE.at(where, f"{count} members are called {first_name_first(player.name)}", count=count))
    return found


def _whole(player: Player) -> Iterator[tuple[str, float]]:
    """Return the ratings that a report states for a player, as lists print them."""
    for pool, rating in player.ratings.items():
        if pool in KEYS and (whole := shown(pool, rating.rating)) is not None:
            yield pool, whole


def _few(words: list[str]) -> str:
    some = list(dict.fromkeys(words))
    return "; ".join(some[:_NAMED]) + (f"; and {len(some) - _NAMED} more" if len(some) > _NAMED else "")


def _compared(event: Event) -> tuple[list[str], list[str]]:
    """`Ann Lee: the report says 1450, the record says 1388`, and `Ann Lee: OTBQ 1450` where the record says nothing."""
    known = known_players(event)
    place = order.day_of(span(event)[1]) + 1
    records = records_before(place, known)
    listed = _listed(event, list(known))
    starts = AgeStarts(records)
    different, unused = [], []
    for player, pool, stated in _stated(event):
        row = known.get(player.id, 0)
        record = records.get(row, {}).get(pool)
        who = first_name_first(player.name) or player.id
        if record is None:
            unused += [f"{who}: {pool} {stated:.0f}"] if records.get(row) else []
        elif not starts.tells(row, pool, record.rating, place, before=True):
            counts = shown(pool, record.rating)
            if counts is not None and stated not in (counts, listed.get((player.id, pool))):
                which = "" if len(player.ratings) == 1 else f" ({pool})"
                different.append(f"{who}{which}: the report says {stated:.0f}, the record says {counts:.0f}")
    return different, unused


def _stated(event: Event) -> Iterator[tuple[Player, str, float]]:
    for section in event.sections:
        for player in section.players:
            for pool, whole in _whole(player):
                yield player, pool, whole


def _listed(event: Event, numbers: list[str]) -> dict[tuple[str, str], float | None]:
    """Return what the last list before the event prints: directors take their ratings from it."""
    last = PublishedList.objects.filter(date__lte=span(event)[0]).order_by("-date").first()
    rows = ListRow.objects.filter(published=last, number__in=numbers) if last else ListRow.objects.none()
    return {(number, pool): rating for number, pool, rating in rows.values_list("number", "pool", "rating")}
