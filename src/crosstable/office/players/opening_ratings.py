"""Where a player's record opens: with the ratings that the report of the player's first event shows.

Which event is the first follows from the order alone (readings 14), not from which report came in first: late reports,
corrections, withdrawals and merges open records anew. What a list opened holds from the list's day on; before it,
reports open records as for players whom the office has never seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Min, QuerySet

from crosstable.formats import event_json
from crosstable.formats.file_ratings import assumed_pools
from crosstable.model import Event, Rating
from crosstable.office.ledger import models, order, revisions
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.packing import entries_of
from crosstable.office.ledger.players import merged_players
from crosstable.office.people.rights import Actor
from crosstable.office.storage import bulk

#: In the details of an opening: no one knew the number of games behind the rating, and the office took one
ASSUMED = "assumed_games"

Key = tuple[date, date, str]  # an event's place in the order: end, start, id


@dataclass(frozen=True, slots=True)
class Reported:
    """An event with its report."""

    number: str
    event: Event

    @property
    def key(self) -> Key:
        start, end = span(self.event)
        return end, start, self.number

    def played(self) -> set[str]:
        """Return the ids of everybody who played."""
        ids: set[str] = set()
        for section in self.event.sections:
            numbers = {number for game in section.games if game.played for number in (game.white, game.black)}
            ids |= {player.id for player in section.players if player.number in numbers}
        return ids

    def ratings(self, ids: Iterable[str]) -> dict[str, tuple[str, Rating]]:
        """Return what it shows for a person under all these ids: rating key → (id, record)."""
        shown: dict[str, tuple[str, Rating]] = {}
        for section in self.event.sections:
            for player in section.players:
                for key, record in player.ratings.items() if player.id in ids else ():
                    shown.setdefault(key, (player.id, record))
        return shown

    def assumed(self, ids: Iterable[str]) -> set[str]:
        """Return the rating keys of a person whose number of games was unknown."""
        wanted = set(ids)
        people = (player for section in self.event.sections for player in section.players if player.id in wanted)
        return {key for player in people for key in assumed_pools(player)}


@dataclass(frozen=True, slots=True)
class Person:
    """Someone under all records that are merged."""

    kept: int
    rows: Mapping[str, int]  # id → row
    openings: Sequence[models.Adjustment]

    @property
    def by_reports(self) -> list[models.Adjustment]:
        return [row for row in self.openings if "event" in row.details]

    @property
    def listed(self) -> int | None:
        """From where on a list has opened a record."""
        return min((row.position for row in self.openings if "event" not in row.details), default=None)

    @property
    def sources(self) -> set[str]:
        return {row.details["event"] for row in self.by_reports}


def opening(player: int, key: str, day: date, record: Rating, author: str, reason: str) -> models.Adjustment:
    """Set a player's record from a day on, whatever the ledger had before."""
    unknown = {"wins": None, "draws": None, "losses": None}
    fields = {**unknown, **event_json.rating_to_json(record)}
    return models.Adjustment(
        player_id=player,
        pool=key,
        kind=models.Adjustment.OPENING,
        date=day,
        position=order.day_of(day),
        fields=fields,
        author=author,
        reason=reason,
    )


def assumed_games(players: Iterable[int]) -> dict[str, int]:
    """Rating key → how many of the games behind a rating were assumed when the last opening in it was made."""
    rows = _granted().filter(player_id__in=list(players)).order_by("position", "id")
    last = {pool: (fields, details) for pool, fields, details in rows.values_list("pool", "fields", "details")}
    return {
        pool: fields["games"] for pool, (fields, details) in last.items() if ASSUMED in details and fields.get("games")
    }


def begins_later(event: Event, players: Iterable[int]) -> dict[int, date]:
    """Players of whom the office knows nothing until after the event, since a list opened their records: and from when
    on.
    """
    day = order.day_of(span(event)[1])
    opened = _granted().filter(player_id__in=list(players))
    first = dict(opened.values_list("player_id").annotate(first=Min("date")))
    later = {player: begin for player, begin in first.items() if order.day_of(begin) > day}
    by_list = _granted().filter(player_id__in=list(later)).exclude(details__has_key="event")
    rated = models.RatingRow.objects.filter(player_id__in=list(later), position__lt=day)
    known = {*rated.values_list("player_id", flat=True)}
    return {player: later[player] for player in by_list.values_list("player_id", flat=True) if player not in known}


def would_begin_unrated(event: Event, players: Iterable[int]) -> int:
    """How many have ratings from a later event's report, while this one, their first then, shows none for them."""
    here = Reported("", event)
    played, day = here.played(), order.day_of(here.key[0])
    later = [
        person
        for person in _people(players)
        if person.by_reports and person.by_reports[0].position > day and played & set(person.rows)
    ]
    return sum(not here.ratings(person.rows) for person in later)


def open_records(
    actor: Actor, players: Iterable[int], batch: Sequence[Reported] = (), *, moved: date | None = None
) -> int | None:
    """Open the records of these people as their first events say; from where on ratings may change because of that.

    `batch`: accepted events that have no ratings yet. `moved`: an event that the people were in may be gone or
    elsewhere, one of this day or later.
    """
    people = _people(players)
    return _open_from(actor, people, _first_rated(people, {one.number for one in batch}), batch, moved=moved)


def reopen_after_merge(actor: Actor, players: Sequence[int]) -> int | None:
    """Do the same after a merge or its end, when the rows still are under the records of before."""
    people = _people(players)
    keys = _opened_by(people, models.Event.objects.filter(status=models.Event.ACCEPTED))
    firsts = {person.kept: _first_listed(person, players) | keys[person.kept] for person in people}
    return _open_from(actor, people, firsts, (), moved=date.min)


def _open_from(
    actor: Actor,
    people: Sequence[Person],
    firsts: Mapping[int, set[Key]],
    batch: Sequence[Reported],
    *,
    moved: date | None,
) -> int | None:
    played = {one.number: one.played() for one in batch}
    reports = {one.number: one for one in batch}
    changed: list[int] = []
    for person in people:
        places = {one.key for one in batch if played[one.number] & set(person.rows)} | firsts.get(person.kept, set())
        first = min(places, default=None)
        number = first[2] if first else ""
        if number not in played and _is_open(person, first, moved):
            continue
        if number and number not in reports:
            reports[number] = Reported(number, revisions.rated_document(number=number))
        changed += _write_openings(actor, person, reports.get(number))
    return min(changed, default=None)


def _is_open(person: Person, first: Key | None, moved: date | None) -> bool:
    """Whether a record is open as it should be; nearly always, and then no report needs to be read.

    Whose first event came before the one that moved has begun there all along.
    """
    if person.sources:
        return first is not None and person.sources == {first[2]}
    listed = person.listed is not None and first is not None and person.listed <= order.day_of(first[0])
    return listed or moved is None or (first is not None and first[0] < moved)


def _people(players: Iterable[int]) -> list[Person]:
    """Players whose opening rating comes from a report or a list."""
    same = merged_players()
    wanted = {same.get(player, player) for player in players}
    members = [*wanted, *(one for one, kept in same.items() if kept in wanted)]
    rows: dict[int, dict[str, int]] = {}
    reported: set[int] = set()
    for row, number, by_report in models.Player.objects.filter(id__in=members).values_list("id", "number", "reported"):
        kept = same.get(row, row)
        rows.setdefault(kept, {})[number] = row
        reported |= {kept} if by_report else set()
    opened: dict[int, list[models.Adjustment]] = {}
    for one in _granted().filter(player_id__in=members).order_by("player_id", "pool", "id"):
        opened.setdefault(same.get(one.player_id, one.player_id), []).append(one)
    return [
        Person(kept, ids, opened.get(kept, ()))
        for kept, ids in sorted(rows.items())
        if kept in reported or kept in opened
    ]


def _granted() -> QuerySet[models.Adjustment]:
    return models.Adjustment.objects.filter(kind=models.Adjustment.OPENING, status=models.Adjustment.GRANTED)


def _first_rated(people: Sequence[Person], batch: set[str]) -> dict[int, set[Key]]:
    """Where everybody may begin: with the first event that is rated, or with the one that has opened the record."""
    counts = models.Event.objects.filter(status=models.Event.ACCEPTED).exclude(number__in=batch)
    others = f"AND e.number NOT IN ({', '.join(['%s'] * len(batch))})" if batch else ""
    sql = (  # a CROSS JOIN keeps this order in SQLite, which would begin with every event of the office
        "SELECT r.player_id, MIN(s.position) FROM ledger_ratingrow AS r "  # noqa: S608  our own names and numbers
        "CROSS JOIN ledger_section AS s "
        "CROSS JOIN ledger_event AS e WHERE s.id = r.section_id AND e.id = s.event_id AND e.status = %s "
        f"AND r.player_id IN ({bulk.numbers(person.kept for person in people)}) "
        f"{others} GROUP BY r.player_id"
    )
    places = dict(bulk.rows(sql, [models.Event.ACCEPTED, *sorted(batch)]))
    events = models.Section.objects.filter(position__in=set(places.values())).select_related("event")
    at = {section.position: section.event for section in events}
    found = {player: {(at[place].end, at[place].start, at[place].number)} for player, place in places.items()}
    for kept, keys in _opened_by(people, counts).items():
        found.setdefault(kept, set()).update(keys)
    return found


def _opened_by(people: Sequence[Person], counts: QuerySet[models.Event]) -> dict[int, set[Key]]:
    """Return the events whose reports have opened these records: one abroad may do so without a rating of its own."""
    sources = {number for person in people for number in person.sources}
    keys = {row.number: (row.end, row.start, row.number) for row in counts.filter(number__in=sources)}
    return {person.kept: {keys[number] for number in person.sources if number in keys} for person in people}


def _first_listed(person: Person, records: Sequence[int]) -> set[Key]:
    """Return the first event, of those rated under these records, that lists the person."""
    rated = models.RatingRow.objects.filter(player_id__in=records, section__event__status=models.Event.ACCEPTED)
    event = ("section__event__end", "section__event__start", "section__event__number")
    own = set(person.rows.values())
    for entries, end, start, number in rated.order_by("section__position").values_list("section__entries", *event):
        if own & set(entries_of(bytes(entries))[:, 1].tolist()):
            return {(end, start, number)}
    return set()


def _write_openings(actor: Actor, person: Person, first: Reported | None) -> list[int]:
    """Write what the first event shows, and nothing else; the places where something changed."""
    wanted = _openings_of(actor, person, first) if first else []
    held = person.by_reports
    if sorted(map(_content, wanted)) == sorted(map(_content, held)):
        return []
    models.Adjustment.objects.filter(id__in=[row.id for row in held]).update(status=models.Adjustment.WITHDRAWN)
    models.Adjustment.objects.bulk_create(wanted)
    return [row.position for row in (*held, *wanted)]


def _openings_of(actor: Actor, person: Person, first: Reported) -> list[models.Adjustment]:
    end, start, _ = first.key
    if person.listed is not None and person.listed <= order.day_of(end):
        return []
    reason = f"pre-event rating in the report of {first.event.name or 'the first event'}"
    made, assumed = [], first.assumed(person.rows)
    for key, (number, record) in first.ratings(person.rows).items():
        dated = replace(record, date=min(record.date or start, end))  # without a date, of the start (readings 22)
        row = opening(person.rows[number], key, end, record=dated, author=actor.name, reason=reason)
        row.details = {"event": first.number, **({ASSUMED: True} if key in assumed else {})}
        made.append(row)
    return made


def _content(row: models.Adjustment) -> tuple[int, str, int, str, str]:
    return row.player_id, row.pool, row.position, row.details["event"], json.dumps(row.fields, sort_keys=True)
