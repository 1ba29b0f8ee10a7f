"""What an officer looks up: every event with its status, every player, records that may be one person's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations
from typing import NamedTuple

from django.db.models import Count

from crosstable.office.ledger.models import Event, Player, RatingRow, Section
from crosstable.office.ledger.names import words_of
from crosstable.office.ledger.packing import entries_of
from crosstable.office.ledger.players import free_ids, in_register
from crosstable.office.people.rights import Actor, require
from crosstable.office.players.similar_players import (
    look_alikes,
    one_word_nearly_the_same,
    same_but_for_initials,
    without_initials,
)
from crosstable.office.queries import ratings
from crosstable.office.queries.search import fitting
from crosstable.office.reports.events import document


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
    found = in_register().order_by("number")
    if state:
        found = found.filter(state=state)
    rows = found.values_list("number", "name", "state")[(page - 1) * size : page * size]
    return [PlayerLine(*row) for row in rows], found.count()


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record of the register as officers find it: with the name, also where it is withheld."""

    number: str
    name: str
    state: str
    withheld: bool
    merged_into: str  # the id that is kept, or nothing
    live: tuple[tuple[str, float | None], ...]  # pool and rating


#: So many on a page
PAGE = 20


def find_records(actor: Actor, query: str, page: int = 1) -> tuple[list[RecordLine], int]:
    """Find records by words of a name or the beginning of an id, by name; return them and how many there are."""
    require(actor, "player.read_private")
    found = fitting(query, all_records=True).order_by("name", "number")
    columns = ("id", "number", "name", "state", "withheld", "merged_into__number")
    rows = list(found.values_list(*columns)[(page - 1) * PAGE : page * PAGE])
    live = ratings.live([row[0] for row in rows]) if rows else {}
    lines = []
    for row, number, name, state, withheld, kept in rows:
        numbers = tuple((pool, one.rating) for pool, one in live.get(row, {}).items())
        lines.append(
            RecordLine(number=number, name=name, state=state, withheld=withheld, merged_into=kept or "", live=numbers)
        )
    return lines, found.count()


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two records that may be one person's, and why."""

    first: str  # the one to keep: it has more events, or the lower id
    second: str
    name: str
    other_name: str
    reason: str


def possible_duplicates(actor: Actor, most: int = 200) -> list[Likeness]:
    """Return records that may be one person's, the surest first. An officer reads the reason; it says no birth date."""
    require(actor, "player.read_private")
    rows = list(_records())
    keys: tuple[Callable[[_Record], Iterable[object]], ...] = (
        lambda row: [row.fide_id],
        lambda row: [row.cfc_id],
        lambda row: [without_initials(row.words) or row.words],
        lambda row: [row.born and (row.born, row.outline)],
        lambda row: _but_for_a_word(row, slice(2)),  # one edit leaves the first two letters of a word or the last two
        lambda row: _but_for_a_word(row, slice(-2, None)),
    )
    found: dict[tuple[str, str], tuple[int, Likeness]] = {}
    for key in keys:
        groups: dict[object, list[_Record]] = {}
        for row in rows:
            for shared in filter(None, key(row)):
                groups.setdefault(shared, []).append(row)
        for one, other in (pair for alike in groups.values() for pair in combinations(alike, 2)):
            if reason := _likeness(one, other):
                pair = Likeness(one.number, other.number, one.name, other.name, reason)
                found.setdefault((one.number, other.number), (_REASONS.index(reason), pair))
    surest = sorted(found.values(), key=lambda pair: (pair[0], pair[1].name, pair[1].first))[:most]
    return _fuller_first([one for _, one in surest])


def _fuller_first(pairs: Sequence[Likeness]) -> list[Likeness]:
    """Each pair with the record first that has more events: it is the one to keep."""
    numbers = {number for one in pairs for number in (one.first, one.second)}
    rows = RatingRow.objects.filter(player__number__in=numbers).values_list("player__number")
    events = dict(rows.annotate(events=Count("section__event", distinct=True)))
    return [
        Likeness(one.second, one.first, one.other_name, one.name, one.reason)
        if events.get(one.second, 0) > events.get(one.first, 0)
        else one
        for one in pairs
    ]


def _records() -> Iterator[_Record]:
    """All that are not merged and have a name, by id."""
    found = in_register().exclude(name="").order_by("number")
    columns = ("number", "name", "birth_date", "state", "sex", "fide_id", "cfc_id")
    for number, name, born, state, sex, fide_id, cfc_id in found.values_list(*columns):
        words = words_of(name)
        yield _Record(
            number,
            name,
            born,
            state=state,
            sex=sex,
            fide_id=fide_id,
            cfc_id=cfc_id,
            words=tuple(sorted(words)),
            outline=_outline(words),
        )


class _Record(NamedTuple):
    """What tells a record from others; `words` and `outline` are its name's."""

    number: str
    name: str
    born: date | None
    state: str
    sex: str
    fide_id: str
    cfc_id: str
    words: tuple[str, ...]
    outline: tuple[str, str]


#: The surest first
_REASONS = (
    "the same FIDE or CFC id",
    "the same name and birth date",
    "the same birth date, nearly the same name",
    "the same name",
    "the same name but for an initial",
    "the same state, nearly the same name",
)


def _outline(words: Sequence[str]) -> tuple[str, str]:
    """Return the first letter and the last word: "Jon B Smith" and "John Smith" have the same."""
    return (words[0][:1], words[-1]) if words else ("", "")


def _likeness(one: _Record, other: _Record) -> str:
    """Why two records may be one person's; nothing where something tells them apart."""
    if (one.fide_id and one.fide_id == other.fide_id) or (one.cfc_id and one.cfc_id == other.cfc_id):
        return _REASONS[0]
    both_born = one.born is not None and other.born is not None
    if both_born and one.born != other.born:
        return ""
    if len({one.state, other.state} - {""}) > 1 or len({one.sex, other.sex} - {""}) > 1:
        return ""
    if one.words == other.words:
        return _REASONS[1] if both_born else _REASONS[3]
    near = one_word_nearly_the_same(one.words, other.words)
    initial = same_but_for_initials(one.words, other.words)
    if both_born and (near or initial or one.outline == other.outline):
        return _REASONS[2]
    if initial:
        return _REASONS[4]
    return _REASONS[5] if near and one.state and one.state == other.state else ""


def _but_for_a_word(row: _Record, letters: slice) -> Iterator[object]:
    """Yield what two records of one state share when one word of their names is misspelt: the other words,
    part of this one.
    """
    if row.state and len(row.words) > 1:
        for word in row.words:
            if word.isalpha():
                yield (row.state, word[letters], *(other for other in row.words if other != word))


# Before a player is added: the next free ID, and records that may be the same person.


@dataclass(frozen=True, slots=True)
class SimilarRecord:
    """A record that shares something with the player to be added."""

    number: str
    name: str
    state: str
    same: tuple[str, ...]  # in words: "same name", "similar name", "same birth date", "same state"


def similar_records(
    actor: Actor, name: str, birth_date: date | None = None, state: str = "", most: int = 10
) -> list[SimilarRecord]:
    """Return records with the same or a similar name, or with the same birth date in the same state."""
    require(actor, "player.read_private")
    wanted = words_of(name)
    alike = {number for number, _ in look_alikes({"": name}).get("", [])} if name.strip() else set()
    born = Player.objects.filter(birth_date=birth_date, state=state) if birth_date and state else Player.objects.none()
    rows = (Player.objects.filter(number__in=alike) | born).filter(merged_into=None).distinct().order_by("number")
    found = []
    for row in rows:
        same_name = bool(wanted) and sorted(words_of(row.name)) == sorted(wanted)
        facts = (
            (same_name, "same name"),
            (row.number in alike and not same_name, "similar name"),
            (birth_date is not None and row.birth_date == birth_date, "same birth date"),
            (bool(state) and row.state == state, "same state"),
        )
        found.append(SimilarRecord(row.number, row.name, row.state, tuple(words for true, words in facts if true)))
    return sorted(found, key=lambda one: (-len(one.same), one.number))[:most]


def next_player_id(actor: Actor) -> str:
    """Return the next ID that the office can give; nothing where all are given."""
    require(actor, "player.write")
    return next(free_ids(), "")
