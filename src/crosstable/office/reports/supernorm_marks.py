"""Whether supernorms can be earned in an event, as an officer marks it (1996 section 5.3; readings 45)."""

from __future__ import annotations

import json
from dataclasses import replace

from crosstable.errors import OfficeError
from crosstable.formats import event_json
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.rerating import Rerated
from crosstable.office.reports import accepting
from crosstable.office.reports.events import document


def mark(
    actor: Actor, number: str, *, supernorm: bool, reason: str, section: int | None = None, preview: bool = False
) -> Rerated:
    """Correct the event as its revision in force has it, with the mark in one section, or in all."""
    require(actor, "rating.preview" if preview else "event.correct")
    event = document(number)
    wanted = [one.number for one in event.sections if section in (None, one.number)]
    if not wanted:
        raise OfficeError(f"event {number} has no section {section}")
    if all(one.supernorm is supernorm for one in event.sections if one.number in wanted):
        raise OfficeError("the event already says so")
    sections = tuple(replace(one, supernorm=supernorm) if one.number in wanted else one for one in event.sections)
    data = json.dumps(event_json.to_json(replace(event, sections=sections)), ensure_ascii=False).encode()
    return accepting.correct(actor, number, data, f"{number}.json", reason, preview=preview)
