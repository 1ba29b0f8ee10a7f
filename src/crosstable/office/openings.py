"""Where a player's record opens: with the ratings that the report of the player's first event shows.

A report that comes late, or is corrected to another day, may stand before the one that opened a record. Then its word
counts, so that ratings do not depend on the order in which reports came in (readings 14). What a list opened holds from
the list's day on; before it, reports open records as for players whom the office has never seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from django.db.models import Min, Q, QuerySet

from crosstable.errors import EventRejected
from crosstable.formats import event_json
from crosstable.model import Event, Player, Rating, Section
from crosstable.office.ledger import documents, models, order
from crosstable.office.people.rights import Actor
from crosstable.systems.structure import error


@dataclass(frozen=True, slots=True)
class First:
    """The first event of a player in the order."""

    number: str
    end: date
    event: Event


def span(event: Event | Section) -> tuple[date, date]:
    """Start and end, which a ratable event has."""
    if event.start is None or event.end is None:
        raise EventRejected(
            [error("missing-date", "event", "start or end date is missing.", "Say when it was played.")]
        )
    return event.start, event.end


def opening(player: int, key: str, day: date, record: Rating, author: str, reason: str) -> models.Adjustment:
    """A player's record from a day on, whatever the ledger had before."""
    unknown = {"wins": None, "draws": None, "losses": None}
    fields = {**unknown, **event_json.rating_to_json(record)}
    return models.Adjustment(
        player_id=player,
        system=key,
        kind=models.Adjustment.OPENING,
        date=day,
        position=order.day_of(day),
        fields=fields,
        author=author,
        reason=reason,
    )


def begins_later(event: Event, players: Iterable[int]) -> dict[int, date]:
    """Players of whom the office knows nothing until after the event, since a list opened their records: and from when on."""
    day = order.day_of(span(event)[1])
    decisions = models.Adjustment.objects.filter(player_id__in=list(players), status=models.Adjustment.GRANTED)
    first = dict(decisions.values_list("player_id").annotate(first=Min("date")))
    later = {player: begin for player, begin in first.items() if order.day_of(begin) > day}
    by_list = _by_lists().filter(player_id__in=list(later))
    rated = models.RatingRow.objects.filter(player_id__in=list(later), position__lt=day)
    known = {*rated.values_list("player_id", flat=True)}
    return {player: later[player] for player in by_list.values_list("player_id", flat=True) if player not in known}


def open_records(actor: Actor, number: str, event: Event, new: Iterable[Player], rows: Mapping[str, int]) -> None:
    """The ratings that a report shows for players of whom the office knows nothing yet open their records."""
    first = First(number, span(event)[1], event)
    models.Adjustment.objects.bulk_create(
        [one for player in new for one in _reported(actor, rows[player.id], first, player.ratings)]
    )


def _reported(actor: Actor, player: int, first: First, ratings: Mapping[str, Rating]) -> list[models.Adjustment]:
    start, end = span(first.event)
    reason = f"pre-event rating in the report of {first.event.name or 'the first event'}"
    made = []
    for key, record in ratings.items():
        dated = replace(record, date=min(record.date or start, end))  # without a date, of the start (readings 22)
        row = opening(player, key, end, dated, actor.name, reason)
        row.details = {"event": first.number}
        made.append(row)
    return made


def follow(actor: Actor, number: str, event: Event | None, players: Iterable[int], before: int | None) -> int | None:
    """An event got a place, another one or none (`before`: where it stood): records open anew where it was or is first.

    The answer: from where on ratings may change because of that.
    """
    here = None if event is None else First(number, span(event)[1], event)
    seen: dict[str, First] = {}
    changed = []
    for _, held in groupby(_open(here, players, number, before), key=lambda row: row.player_id):
        rows = list(held)
        first = _first(rows[0].player, here, number, seen)
        changed += _opened_anew(actor, rows, first) if first else []
    return min(changed, default=None)


def _open(here: First | None, players: Iterable[int], number: str, before: int | None) -> list[models.Adjustment]:
    """Openings that came from reports and that the event may have a say in: those after it, and its own."""
    wanted = Q(pk__in=[])
    if here is not None:
        wanted |= Q(player_id__in=list(players), position__gt=order.day_of(here.end))
    if before is not None:
        wanted |= Q(position=order.day_of(order.date_of(before)), details__event=number)
    found = models.Adjustment.objects.filter(
        wanted, kind=models.Adjustment.OPENING, status=models.Adjustment.GRANTED, details__has_key="event"
    )
    return list(found.select_related("player").order_by("player_id", "system"))


def _first(player: models.Player, here: First | None, number: str, seen: dict[str, First]) -> First | None:
    """The first event in the order that the player plays in: this one, or the first that is rated."""
    rated = models.RatingRow.objects.filter(player=player, section__event__status=models.Event.ACCEPTED)
    others = rated.exclude(section__event__number=number).order_by("section__position")
    other = others.values_list("section__event__number", flat=True).first()
    if other is not None and other not in seen:
        seen[other] = _in_force(other)
    found = [seen[other]] if other is not None else []
    if here is not None and any(player.number == one.id for section in here.event.sections for one in section.players):
        found.append(here)
    return min(found, key=lambda first: (first.end, span(first.event)[0], first.number), default=None)


def _in_force(number: str) -> First:
    event = documents.unpack(models.Revision.objects.filter(event__number=number).latest("number").document)
    return First(number, span(event)[1], event)


def _opened_anew(actor: Actor, held: list[models.Adjustment], first: First) -> list[int]:
    """A player's openings by the first event; ratings that it does not show stay as they were opened. What moved."""
    player = held[0].player
    shown = next(
        (one.ratings for section in first.event.sections for one in section.players if one.id == player.number), {}
    )
    wanted = {row.system: _moved(row, first) for row in held}
    wanted |= {row.system: row for row in _reported(actor, player.id, first, shown)}
    wanted = {key: row for key, row in wanted.items() if not _listed_before(row)}
    if {_content(row) for row in wanted.values()} == {_content(row) for row in held}:
        return []
    models.Adjustment.objects.filter(id__in=[row.id for row in held]).update(status=models.Adjustment.WITHDRAWN)
    models.Adjustment.objects.bulk_create(wanted.values())
    return [row.position for row in (*held, *wanted.values())]


def _listed_before(row: models.Adjustment) -> bool:
    """A list has opened the record already: no report does."""
    lists = _by_lists().filter(player_id=row.player_id, system=row.system, position__lte=row.position)
    return lists.exists()


def _by_lists() -> QuerySet[models.Adjustment]:
    """Openings that no event's report brought."""
    opened = models.Adjustment.objects.filter(kind=models.Adjustment.OPENING, status=models.Adjustment.GRANTED)
    return opened.exclude(details__has_key="event")


def _moved(row: models.Adjustment, first: First) -> models.Adjustment:
    day = min(str(row.fields["date"]), first.end.isoformat())
    return models.Adjustment(
        player_id=row.player_id, system=row.system, kind=row.kind, date=first.end, position=order.day_of(first.end),
        fields={**row.fields, "date": day}, details={"event": first.number}, author=row.author, reason=row.reason,
    )  # fmt: skip


def _content(row: models.Adjustment) -> tuple[str, int, str, str]:
    return row.system, row.position, row.details["event"], json.dumps(row.fields, sort_keys=True)
