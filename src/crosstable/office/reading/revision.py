"""What a revision changed: results, players, ids and dates; and whose ratings moved, in the event and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from crosstable.errors import OfficeError
from crosstable.model import Event
from crosstable.office.ledger import documents
from crosstable.office.ledger.differences import Difference, differences
from crosstable.office.ledger.models import Player as Row
from crosstable.office.ledger.models import RatingMove, Revision
from crosstable.office.ledger.models import Section as Part
from crosstable.office.ledger.rating_change import WithChange
from crosstable.office.lists.models import PublishedList
from crosstable.office.lists.official import shown
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.reading import event as events
from crosstable.office.reading import people
from crosstable.office.reading.event import KINDS
from crosstable.office.reading.people import Person


@dataclass(frozen=True, slots=True)
class Moved(WithChange):
    """A published rating that is another since the revision."""

    person: Person
    pool: str
    event: str
    event_name: str
    section: int
    section_name: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class RevisionPage:
    event: str
    name: str
    number: int
    total: int
    kind: str
    words: str
    at: datetime
    by: str
    reason: str
    differences: tuple[Difference, ...]
    stands: tuple[date, ...]  # lists that were published with the old numbers
    here: tuple[Moved, ...]  # after this event, largest first
    later: tuple[Moved, ...]  # after the last event of each player, where that is another one

    @property
    def first(self) -> bool:
        return self.number == 1

    @property
    def groups(self) -> tuple[tuple[tuple[Moved, ...], str, str], ...]:
        """Who moved, under which heading."""
        return (self.here, "Moved in this event", "here"), (self.later, "Moved in later events", "later")


def revision(number: str, wanted: int) -> RevisionPage:
    row = events.find(number)
    known = {one.number: one for one in Revision.objects.filter(event=row).order_by("number")}
    if wanted not in known:
        raise OfficeError(f"event {number} has no revision {wanted}")
    here, before = known[wanted], known.get(wanted - 1)
    changed: tuple[Difference, ...] = ()
    if before is not None:
        pair = documents.unpack(before.document, number), documents.unpack(here.document, number)
        changed = tuple(differences(*pair, _names(*pair)))
    here_moved, later = _moves(here.id, row.id)
    stands = PublishedList.objects.filter(date__gt=row.end, date__lte=here.at.date()).order_by("date")
    return RevisionPage(
        event=number, name=row.name, number=wanted, total=len(known), kind=here.kind,
        words=KINDS.get(here.kind, here.kind), at=here.at, by=here.author, reason=here.reason,
        differences=changed, stands=tuple(stands.values_list("date", flat=True)) if changed else (),
        here=here_moved, later=later,
    )  # fmt: skip


def _moves(revision: int, event: int) -> tuple[tuple[Moved, ...], tuple[Moved, ...]]:
    """In this event, and in the last one of everybody who has played since. What would tell an age is left out."""
    rows = list(RatingMove.objects.filter(revision_id=revision).order_by("position").values_list(
        "section_id", "player_id", "pool", "position", "before", "after"))  # fmt: skip
    sections = Part.objects.filter(id__in={row[0] for row in rows}).select_related("event").defer("entries", "games")
    known = {one.id: one for one in sections}
    everybody, starts = people.by_row(row[1] for row in rows), AgeStarts(sorted({row[1] for row in rows}))
    here: list[Moved] = []
    later: dict[tuple[int, str], Moved] = {}
    for section, player, pool, position, *both in rows:
        part = known.get(section)
        if part is None or player not in everybody or any(starts.tells(player, pool, one, position) for one in both):
            continue
        before, after = (None if one is None else shown(pool, one) for one in both)
        moved = Moved(
            everybody[player], pool, part.event.number, part.event.name, part.number, part.name, before, after
        )
        if part.event_id == event:
            here.append(moved)
        else:
            later[player, pool] = moved
    return _largest_first(here), _largest_first(later.values())


def _largest_first(moved: Iterable[Moved]) -> tuple[Moved, ...]:
    def order(one: Moved) -> tuple[float, str, str, str]:
        size = -abs(one.change) if one.change is not None else -1e9
        return size, one.person.name, one.person.number, one.pool

    return tuple(sorted(moved, key=order))


def _names(*both: Event) -> dict[str, str]:
    """Id → the public name; of somebody whom the ledger does not know, the name in the report."""
    reported = {one.id: one.name for event in both for section in event.sections for one in section.players}
    rows = Row.objects.filter(number__in=[number for number in reported if number]).values_list(*people.COLUMNS)
    return reported | {row[1]: people.person(*row).name for row in rows}
