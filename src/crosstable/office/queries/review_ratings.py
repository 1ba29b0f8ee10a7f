"""The ratings that accepting a report would give, in their public form, for the officer who decides on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import count

from crosstable.errors import EventRejected
from crosstable.model import Event as Document
from crosstable.office.ledger.models import Event
from crosstable.office.queries.draft_preview import Part, part_of
from crosstable.office.reports import preview
from crosstable.office.reports.new_members import with_ids

#: With more games the page would wait: they are rated at every age that a player could have (readings 36)
MOST_GAMES = 150


@dataclass(frozen=True, slots=True)
class Ratings:
    """Before and after, by section; of a section that cannot be rated yet there are none."""

    parts: Mapping[int, Part]
    too_many: bool = False  # games: nothing is calculated

    @property
    def hidden(self) -> bool:
        """Whether a rating is not shown because it would depend on an age."""
        return any(one.hidden for part in self.parts.values() for row in part.rows for one in row.numbers)


NONE = Ratings({})


def ratings_if_accepted(row: Event, document: Document, ready: Collection[int], rated: Collection[int]) -> Ratings:
    """Rate the sections that are ready after those that are rated already; nothing is written."""
    sections = tuple(one for one in document.sections if one.number in {*ready, *rated})
    if not ready or sum(len(one.games) for one in sections) > MOST_GAMES:
        return Ratings({}, too_many=bool(ready))
    event = replace(document, sections=sections)
    event, _ = with_ids(event, {one.number for one in sections}, (f"new-{number}" for number in count(1)))
    try:
        found = preview.preview(event, row).ratings
    except EventRejected:
        return NONE  # the findings of the page say why
    return Ratings({number: part_of(event, number, found) for number in ready})
