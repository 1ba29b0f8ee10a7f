"""What an officer looks up: every event with its status, every player, records that may be one person's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.office.events.event_rows import document
from crosstable.office.ledger.models import Event, Player, Section
from crosstable.office.ledger.names import words_of
from crosstable.office.ledger.packing import entries_of


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event of any status."""

    number: str
    name: str
    start: date
    end: date
    status: str
    sections: int
    players: int


def events(text: str = "", status: str | None = None, most: int = 50) -> list[EventLine]:
    """Events by words of their names or the beginning of their ids, newest first, whatever their status."""
    found = Event.objects.order_by("-end", "-number")
    if status:
        found = found.filter(status=status)
    for word in text.split():
        found = found.filter(name__icontains=word) | found.filter(number__istartswith=word)
    rows = list(found[:most])
    placed: dict[int, list[bytes]] = {}
    for event, entries in Section.objects.filter(event__in=rows).values_list("event_id", "entries"):
        placed.setdefault(event, []).append(bytes(entries))
    return [
        EventLine(row.number, row.name, row.start, row.end, row.status, *_size(row, placed.get(row.id, ())))
        for row in rows
    ]


def _size(row: Event, placed: Sequence[bytes]) -> tuple[int, int]:
    """How many sections and people: of one that waits, as its document says."""
    if placed:
        return len(placed), len({player for entries in placed for player in entries_of(entries)[:, 1].tolist()})
    sections = document(row.number).sections
    people = {player.id or (section.number, player.number) for section in sections for player in section.players}
    return len(sections), len(people)


@dataclass(frozen=True, slots=True)
class PlayerLine:
    number: str
    name: str
    state: str


def players(page: int = 1, state: str = "", size: int = 100) -> tuple[list[PlayerLine], int]:
    """One page of the register by id, and how many there are. Duplicates stand under the record that is kept."""
    found = Player.objects.filter(merged_into=None).order_by("number")
    if state:
        found = found.filter(state=state)
    rows = found.values_list("number", "name", "state")[(page - 1) * size : page * size]
    return [PlayerLine(*row) for row in rows], found.count()


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two records that may be one person's, and why."""

    first: str
    second: str
    name: str
    other_name: str
    reason: str


def possible_duplicates(most: int = 200) -> list[Likeness]:
    """Records with the same words in their names, and nothing that tells them apart: another birth date, another state."""
    by_name: dict[tuple[str, ...], list[Player]] = {}
    for row in Player.objects.filter(merged_into=None).exclude(name="").order_by("number"):
        by_name.setdefault(tuple(sorted(words_of(row.name))), []).append(row)
    found: list[Likeness] = []
    for rows in by_name.values():
        found += _alike(rows)
    return sorted(found, key=lambda one: (one.name, one.first))[:most]


def _alike(rows: Sequence[Player]) -> list[Likeness]:
    """All pairs of one name that nothing tells apart. An officer reads the reason: it says no birth date."""
    found = []
    for place, one in enumerate(rows):
        for other in rows[place + 1 :]:
            born = {row.birth_date for row in (one, other)} - {None}
            states = {row.state for row in (one, other)} - {""}
            if len(born) > 1 or len(states) > 1:
                continue
            both_born = one.birth_date is not None and other.birth_date is not None
            reason = "the same name and birth date" if both_born else "the same name"
            found.append(Likeness(one.number, other.number, one.name, other.name, reason))
    return found
