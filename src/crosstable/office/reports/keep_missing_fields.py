"""What an event has said so far, where a new file for it is silent: a table of results need not repeat its name and
date.
"""

from __future__ import annotations

from dataclasses import replace

from crosstable.formats.base import Reading
from crosstable.formats.dates import days
from crosstable.model import Event, Section

_FACTS = {"name": "name", "city": "city", "state": "state", "affiliate": "affiliate", "chief_td": "chief director"}


def kept(reading: Reading, before: Event) -> tuple[Reading, str]:
    """Return the new content with what the file and its sender leave out, and one line that says what was kept."""
    new = reading.draft
    if new is None:
        return reading, ""
    facts = {name: getattr(before, name) for name in _FACTS if getattr(before, name) and not getattr(new, name)}
    said = [f"{_FACTS[name]} {text}" for name, text in facts.items()]
    if before.start and before.end and not _dated(new):
        facts |= {"start": before.start, "end": before.end}
        said.append(f"date {days(before.start, before.end)}")
    event = replace(new, **facts)
    old = {section.number: section for section in before.sections}
    sections = tuple(_filled(section, old.get(section.number), event) for section in event.sections)
    controls = {
        str(one.time_control)
        for one, was in zip(sections, event.sections, strict=True)
        if one.time_control != was.time_control
    }
    said += [f"time control {control}" for control in sorted(controls)]
    words = (
        f"Kept from the earlier version, because the new file does not give them: {', '.join(said)}." if said else ""
    )
    return replace(reading, draft=replace(event, sections=sections)), words


def _dated(event: Event) -> bool:
    """Whether the file says when any part of it was played."""
    days_of_sections = [day for section in event.sections for day in (section.start, section.end)]
    return any((event.start, event.end, *days_of_sections))


def _filled(new: Section, old: Section | None, event: Event) -> Section:
    """Its dates and time control as they were, where the file has none; a section that is new takes the event's
    dates.
    """
    if old is None:
        return replace(new, start=new.start or event.start, end=new.end or event.end)
    return replace(
        new,
        start=new.start or old.start or event.start,
        end=new.end or old.end or event.end,
        time_control=new.time_control or old.time_control,
    )
