"""The same event twice: two accepted events with one content are refused, two that are much alike are pointed out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from crosstable.findings import declare
from crosstable.model import Event, Finding, Level, Place
from crosstable.office.ledger import documents, models, order, revisions
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import merged_players
from crosstable.systems.structure import error

declare(
    "same-event",
    Level.ERROR,
    "The office already has this event under another number.",
    "Withdraw one of them, or correct the one that is wrong.",
)
ALIKE = declare(
    "possible-duplicate",
    Level.WARNING,
    "The office has an event with much the same players and days.",
    "Compare the two before you accept it.",
).name

#: Which of several events with one content a file is: one that counts before one that waits, a withdrawn one last
_FIRST = (models.Event.ACCEPTED, models.Event.SUBMITTED, models.Event.WITHDRAWN, models.Event.REFUSED)
#: An event that ended later than this after ours is not looked at: no league is longer
_LONGEST = timedelta(days=366)

Person = int | str  # the row that is kept; of someone who is not in the ledger yet, the id


def known(event: Event) -> models.Event | None:
    """Return the event that says this now. What a correction has replaced is no longer what an event says.

    Whatever they say of ages: else a director could send in another's event with one birth date after another, and
    would read from the answer which is right.
    """
    start, end = span(event)
    rows = models.Event.objects.filter(start=start, end=end).order_by("number")
    wanted, near = documents.hash_without_ages(event), [row for row in rows if _named(row.name, event.name)]
    same = [row for row in near if documents.hash_without_ages(revisions.document(id=row.id)) == wanted]
    return min(same, key=lambda row: _FIRST.index(row.status), default=None)


def refused_as_same(row: models.Event) -> list[Finding]:
    """No event counts twice, by whatever way it got its content."""
    rated = models.Event.objects.filter(content_hash=row.content_hash, status=models.Event.ACCEPTED)
    other = rated.exclude(id=row.id).order_by("number").first()
    if other is None:
        return []
    message = f"event {other.number} has been accepted with exactly this content."
    return [error("same-event", "event", message, f"Withdraw {row.number}, or correct the one that is wrong.")]


@dataclass(frozen=True, slots=True)
class Field:
    """Who was in an event, and who met whom, whatever the colours and results."""

    people: frozenset[Person]
    pairs: frozenset[frozenset[Person]]

    def shares_players(self, others: frozenset[Person]) -> bool:
        """At least half of the smaller field, and more than one."""
        return len(shared := self.people & others) > 1 and 2 * len(shared) >= min(len(self.people), len(others))

    def shares_pairs(self, other: Field) -> bool:
        """At least two thirds of the pairings of the smaller event."""
        fewer = min(len(self.pairs), len(other.pairs))
        return fewer > 0 and 3 * len(self.pairs & other.pairs) >= 2 * fewer


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that waits: the IDs of its players, and its stored document."""

    ids: frozenset[str]
    document: bytes


class Lookout:
    """Looks for events that may be the same; for a whole queue each waiting event is read once."""

    def __init__(self) -> None:
        self._same = merged_players()
        self._waiting: dict[int, Waiting] = {}

    def alike(self, row: models.Event, event: Event) -> list[models.Event]:
        """Events that count or wait, at overlapping dates, with much the same players and the same name or pairings."""
        mine = self._field(event)
        numbers = {*self._accepted(row, event, mine), *self._queued(row, event, mine)}
        return list(models.Event.objects.filter(number__in=numbers).order_by("number")) if numbers else []

    def alike_to_draft(self, event: Event, replaces: str = "") -> list[models.Event]:
        """Return the similar events of a report that is not sent yet.

        `replaces`: the event of which it is another state.
        """
        row = models.Event.objects.filter(number=replaces).first() if replaces else None
        return self.alike(row or models.Event(id=0, name=event.name), event)

    def _field(self, event: Event) -> Field:
        ids = {player.id for section in event.sections for player in section.players if player.id}
        rows = dict(models.Player.objects.filter(number__in=list(ids)).values_list("number", "id"))
        who: dict[str, Person] = {one: self._kept(rows[one]) if one in rows else one for one in ids}
        pairs = set()
        for section in event.sections:
            entries = {player.number: who[player.id] for player in section.players if player.id}
            games = [(game.white, game.black) for game in section.games if game.played]
            pairs |= _pairs(entries, games)
        return Field(frozenset(who.values()), frozenset(pairs))

    def _kept(self, player: int) -> int:
        return self._same.get(player, player)

    def _accepted(self, row: models.Event, event: Event, mine: Field) -> list[str]:
        start, end = span(event)
        first, last = order.day_of(start), order.day_of(min(end, date.max - 2 * _LONGEST) + _LONGEST)
        near = models.Section.objects.filter(position__gte=first, position__lt=last, event__start__lte=end)
        people: dict[int, set[Person]] = {}
        for other, entries in near.exclude(event=row).values_list("event_id", "entries"):
            found = people.setdefault(other, set())
            found.update(self._kept(player) for _, player in entries_of(bytes(entries)).tolist())
        alike = [other for other, who in people.items() if mine.shares_players(frozenset(who))]
        rows = models.Event.objects.filter(id__in=alike)
        return [one.number for one in rows if _same_name(one, row) or mine.shares_pairs(self._placed(one))]

    def _placed(self, event: models.Event) -> Field:
        people, pairs = set(), set()
        for section in models.Section.objects.filter(event=event):
            entries: dict[int, Person] = {
                number: self._kept(player) for number, player in entries_of(bytes(section.entries)).tolist()
            }
            people |= set(entries.values())
            pairs |= _pairs(entries, [(white, black) for _, white, black, _ in games_of(bytes(section.games)).tolist()])
        return Field(frozenset(people), frozenset(pairs))

    def _queued(self, row: models.Event, event: Event, mine: Field) -> list[str]:
        start, end = span(event)
        of_any = models.Event.objects.filter(end__gte=start, start__lte=end)
        held = of_any.filter(status=models.Event.ACCEPTED).exclude(held="")  # some of its sections are not rated yet
        waiting = of_any.filter(status=models.Event.SUBMITTED) | held
        others = list(waiting.exclude(id=row.id))
        self._read([other for other in others if other.id not in self._waiting])
        ids, found = self._ids(mine) if others else frozenset(), []
        for other in others:
            kept = self._waiting[other.id]
            if len(kept.ids & ids) < 2:  # no two players in common: the document need not be read
                continue
            field = self._field(documents.unpack(kept.document, other.number))
            if mine.shares_players(field.people) and (_same_name(other, row) or mine.shares_pairs(field)):
                found.append(other.number)
        return found

    def _read(self, waiting: Sequence[models.Event]) -> None:
        """Read the players' IDs of these events, in one query."""
        numbers = {one.id: one.number for one in waiting}
        newest = models.Revision.objects.filter(event_id__in=list(numbers)).order_by("event_id", "number")
        stored = dict(newest.values_list("event_id", "document")) if numbers else {}
        for event, document in stored.items():
            ids = documents.player_ids(document, numbers[event])
            self._waiting[event] = Waiting(ids=ids, document=bytes(document))

    def _ids(self, field: Field) -> frozenset[str]:
        """Return every ID of these people, those of merged records too."""
        rows = {row for row, kept in self._same.items() if kept in field.people}
        rows |= {one for one in field.people if isinstance(one, int)}
        known = models.Player.objects.filter(id__in=list(rows)).values_list("number", flat=True)
        return frozenset({*known, *(one for one in field.people if isinstance(one, str))})


def possible_duplicates(row: models.Event, alike: Sequence[models.Event], *, public: bool) -> list[Finding]:
    """Return a finding for each similar event.

    `public`: without a difference between an event that is the same and one that says another birth date.
    """
    return [
        _alike(other)
        for other in alike
        if public or other.content_hash != row.content_hash or other.status != models.Event.ACCEPTED
    ]  # an officer reads of the others that they are refused as the same


def _pairs(entries: Mapping[int, Person], games: Iterable[tuple[int, int]]) -> set[frozenset[Person]]:
    return {frozenset((entries[one], entries[other])) for one, other in games if one in entries and other in entries}


def _same_name(one: models.Event, other: models.Event) -> bool:
    return bool(one.name.strip()) and _named(one.name, other.name)


def _named(one: str, other: str) -> bool:
    """Whether two names are one; the ledger has room for the beginning of long ones."""
    first, second = (" ".join(name[:200].split()).casefold() for name in (one, other))
    return first == second


def _alike(other: models.Event) -> Finding:
    dates = f"{other.start}" if other.start == other.end else f"{other.start} to {other.end}"
    message = (
        f"event {other.number} ({other.name or 'no name'}, {dates}, {other.status}) has much the same players and"
        " games."
    )
    advice = f"If it is the same event, correct {other.number} and refuse this one."
    return Finding(
        level=Level.WARNING,
        code=ALIKE,
        place=Place(part="event"),
        message=message,
        advice=advice,
        facts={"event": other.number},
    )


def named_in(finding: Finding) -> str:
    """Return the id of the event that a finding of this kind points to."""
    return str(finding.facts.get("event", ""))
