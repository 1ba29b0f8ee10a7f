"""A draft's event document as it is kept. Unlike one in the ledger it may not say yet when it was played."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TypeVar

from crosstable.formats import event_json
from crosstable.model import Event, Section
from crosstable.office.ledger import documents

#: Stands for a day that is not known: nobody played chess on it
UNKNOWN = date.min

T = TypeVar("T", Event, Section)


def pack(event: Event) -> bytes:
    dated = replace(event, start=event.start or UNKNOWN, end=event.end or UNKNOWN)
    return documents.pack(event_json.to_json(dated))


def unpack(data: bytes) -> Event:
    event = documents.unpack(bytes(data))
    return _undated(replace(event, sections=tuple(_undated(section) for section in event.sections)))


def _undated(one: T) -> T:
    start, end = (None if day == UNKNOWN else day for day in (one.start, one.end))
    return replace(one, start=start, end=end)
