"""Which sections of an event a decision is about."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from crosstable.errors import OfficeError
from crosstable.office.events.event_rows import in_force
from crosstable.office.ledger import documents, held, models


def chosen(row: models.Event, wanted: Collection[int] | None) -> tuple[list[int], list[int]]:
    """(sections that are decided on now, sections that wait on). Without a choice all that wait and were not sent back."""
    every = [section.number for section in documents.unpack(in_force(row).document, row.number).sections]
    accepted = row.status == models.Event.ACCEPTED
    waits = [number for number in every if number in held.numbers(row)] if accepted else every
    if not waits:
        raise OfficeError(f"event {row.number} has been accepted already")
    if wanted is None:
        wanted = [number for number in waits if number not in held.sent_back(row)]
        if not wanted:
            words = f"section {_listed(waits)} went back to its director: name it to decide on it all the same"
            raise OfficeError(f"event {row.number}: {words}")
    if strange := sorted(set(wanted) - set(waits)):
        words = "is rated already" if strange[0] in every else f"is none of its sections ({_listed(every)})"
        raise OfficeError(f"event {row.number}: section {strange[0]} {words}")
    if not wanted:
        raise OfficeError(f"event {row.number}: name at least one section ({_listed(waits)})")
    return [number for number in waits if number in wanted], [number for number in waits if number not in wanted]


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
