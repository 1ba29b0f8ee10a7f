"""What a revision changed: results, players, ids and dates; and whose ratings moved, in the event and after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Revision
from crosstable.office.lists.models import PublishedList
from crosstable.office.queries import changes, deciders
from crosstable.office.queries import event as events
from crosstable.office.queries.changes import Changes, MovedRating
from crosstable.office.queries.deciders import Step
from crosstable.office.queries.event import KINDS
from crosstable.words.language import _

#: So many are listed at once; the others open, up to a hundred
FIRST, MOST = 12, 100


@dataclass(frozen=True, slots=True)
class Group:
    """Who moved, under one heading: the largest first."""

    title: str
    key: str
    moved: tuple[MovedRating, ...]

    @property
    def first(self) -> tuple[MovedRating, ...]:
        return self.moved[:FIRST]

    @property
    def rest(self) -> tuple[MovedRating, ...]:
        return self.moved[FIRST:MOST]

    @property
    def most(self) -> float:
        """The largest difference, which fills half a bar."""
        return max((abs(one.change) for one in self.moved if one.change is not None), default=0.0)

    @property
    def at_most(self) -> float | None:
        """By how much the rest moved."""
        return max((abs(one.change) for one in self.rest if one.change is not None), default=None)


@dataclass(frozen=True, slots=True)
class RevisionPage:
    event: str
    name: str
    number: int
    total: int
    kind: str
    words: str
    at: datetime
    steps: tuple[Step, ...]
    changes: Changes
    stands: tuple[date, ...]  # lists that were published with the old numbers

    @property
    def first(self) -> bool:
        return self.number == 1

    @property
    def groups(self) -> tuple[Group, ...]:
        here = Group(_("Moved in this event"), "here", self.changes.here)
        later = Group(_("Moved in later events"), "later", self.changes.later)
        return tuple(one for one in (here, later) if one.moved)


def revision(number: str, wanted: int) -> RevisionPage:
    row = events.find(number)
    known = {one.number: one for one in Revision.objects.filter(event=row).defer("document")}
    if wanted not in known:
        raise OfficeError(f"event {number} has no revision {wanted}")
    here, found = known[wanted], changes.one(number, row.id, wanted)
    stands = PublishedList.objects.filter(date__gt=row.end, date__lte=here.at.date()).order_by("date")
    return RevisionPage(
        event=number,
        name=row.name,
        number=wanted,
        total=len(known),
        kind=here.kind,
        words=_(KINDS.get(here.kind, here.kind)),
        at=here.at,
        steps=deciders.steps(row, here, _(KINDS.get(here.kind, here.kind))),
        changes=found,
        stands=tuple(stands.values_list("date", flat=True)) if found.differences else (),
    )
