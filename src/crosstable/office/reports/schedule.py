"""An event's sections at their places in the rating order, packed for the replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.db.models import Q

from crosstable.model import Event, Section
from crosstable.office.history.tables import KEYS
from crosstable.office.ledger import models, order
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.office_settings import keys_of, office, other_keys, systems_of
from crosstable.office.ledger.packing import entries_of, pack_entries, pack_games
from crosstable.office.rating.signature import moved


def first_position(event: models.Event) -> int | None:
    """Where the event begins in the order; nothing if it has no place."""
    rows = models.Section.objects.filter(event=event).order_by("position")
    return rows.values_list("position", flat=True).first()


def entrants_of(event: models.Event) -> set[int]:
    """Return the players of the event as it stands in the order."""
    sections = models.Section.objects.filter(event=event).values_list("entries", flat=True)
    return {int(player) for entries in sections for player in entries_of(bytes(entries))[:, 1]}


def place(event: models.Event, document: Event, players: Mapping[str, int]) -> tuple[int, list[int]]:
    """Write the sections of the revision in force: (from where on ratings may change, sections that are gone)."""
    before = first_position(event)
    chosen = office()
    kept = {row.number: row for row in models.Section.objects.filter(event=event)}
    history = is_history(event)
    for section in document.sections:
        row = kept.pop(section.number, None) or models.Section(event=event, number=section.number)
        row.history = history
        row.keys = ",".join(_keys_of(chosen, document, section, row))
        _fill(row, document, section, players)
        row.position, row.signature = 0, moved(row.signature)
        row.save()
    gone = [row.id for row in kept.values()]
    models.Section.objects.filter(id__in=gone).delete()
    shifted = arrange(span(document)[1])
    first = first_position(event)
    return min(position for position in (before, first, shifted) if position is not None), gone


def is_history(event: models.Event) -> bool:
    """Whether it came in a history table, which brings its own systems and order."""
    return models.Revision.objects.filter(event=event, number=1, kind="imported").exists()


def _keys_of(chosen: models.Office, document: Event, section: Section, row: models.Section) -> Sequence[str]:
    if not row.history:
        return keys_of(chosen, document, section)
    noted = section.notes.get("history")
    letter = noted.get("system") if isinstance(noted, dict) else None
    if letter not in KEYS:
        return row.keys.split(",") if row.keys else keys_of(chosen, document, section)
    return (*KEYS[letter], *other_keys(systems_of(chosen, section.kind)))


def _fill(row: models.Section, document: Event, section: Section, players: Mapping[str, int]) -> None:
    row.name = section.name[:200]
    row.start, row.end = span(section)
    row.event_end = span(document)[1]
    row.mode, row.kind, row.weight, row.youth = section.mode, section.kind, section.weight, section.youth
    row.time_control = (section.time_control or "")[:200]
    noted = section.notes.get("rounds")
    played = max((game.round for game in section.games), default=0)
    row.rounds = noted if isinstance(noted, int) and noted >= played else played
    row.entries, row.games = pack_entries(section, players), pack_games(section)


def arrange(day: date) -> int | None:
    """Give the day's newcomers their places; where others had to move, the first position that changed."""
    first = order.day_of(day)  # asked for by position, which has an index; newcomers stand at 0
    theirs = Q(position__gte=first, position__lt=first + order.DAY) | Q(position=0, event_end=day)
    rows = list(models.Section.objects.filter(theirs).select_related("event").defer("entries", "games"))
    by_id = {row.id: row for row in rows}
    moves = order.arranged(day, [_wish(row) for row in rows])
    shifted = [by_id[section].position for section in moves if by_id[section].position]
    for section, position in moves.items():
        signature = moved(by_id[section].signature)
        models.Section.objects.filter(id=section).update(position=position, signature=signature)
    return order.day_of(day) if shifted else None


def _wish(row: models.Section) -> order.Place:
    return order.Place(
        section=row.id,
        position=row.position,
        history=row.history,
        start=row.event.start,
        event=row.event.number,
        end=row.end,
        number=row.number,
    )


def unplace(event: models.Event) -> list[int]:
    """Take the sections of a withdrawn event out of the order; return which they were."""
    gone = list(models.Section.objects.filter(event=event).values_list("id", flat=True))
    models.Section.objects.filter(id__in=gone).delete()
    return gone
