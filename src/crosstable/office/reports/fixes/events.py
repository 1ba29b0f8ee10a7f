"""Mends of the event and its sections: names, dates, places, officials, time controls."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from crosstable.formats.dates import day, days
from crosstable.model import Event, Section
from crosstable.office.reports.fixes.base import (
    Mended,
    MendRefused,
    Values,
    action,
    day_of,
    section_of,
    text_of,
    with_section,
)

#: The facts about an event that stand in one form
FACTS = {
    "name": "name",
    "city": "city",
    "state": "state",
    "country": "country",
    "affiliate": "affiliate",
    "chief_td": "chief TD",
}


@action("facts")
def facts(event: Event, values: Values) -> Mended:
    """Name, city, state, country, affiliate, chief TD: those that were given."""
    given = {field: text_of(values, field) for field in FACTS if field in values}
    new = {field: text for field, text in given.items() if text != getattr(event, field)}
    if not new:
        raise MendRefused("nothing was changed: everything already stands there so")
    before = ", ".join(f"{FACTS[field]} {getattr(event, field) or 'not given'}" for field in new)
    after = ", ".join(f"{FACTS[field]} {text or 'not given'}" for field, text in new.items())
    return Mended(replace(event, **cast(dict[str, Any], new)), "event", before, after)


@action("dates")
def dates(event: Event, values: Values) -> Mended:
    """From one day to another: of a section, or of the event and the sections that had none or the same."""
    start = day_of(values, "start")
    end = day_of(values, "end") if values.get("end") else start
    if end < start:
        raise MendRefused(f"it cannot end on {day(end)}, before it starts on {day(start)}")
    if values.get("section"):
        section = section_of(event, values)
        changed = with_section(event, replace(section, start=start, end=end))
        return Mended(changed, f"section {section.number}", _span(section), days(start, end))

    def dated(section: Section) -> Section:
        same = (section.start, section.end) == (event.start, event.end)
        if same or section.start is None or section.end is None or section.end < section.start:
            return replace(section, start=start, end=end)
        return section

    sections = tuple(dated(section) for section in event.sections)
    return Mended(replace(event, start=start, end=end, sections=sections), "event", _span(event), days(start, end))


def _span(one: Event | Section) -> str:
    return days(one.start, one.end) if one.start and one.end else "no dates"


@action("time-control")
def time_control(event: Event, values: Values) -> Mended:
    """Of one section, or of all that have none that can be read; an empty one is left out."""
    wanted = text_of(values, "time_control")
    if not wanted and not values.get("section"):
        raise MendRefused("a time control is needed: G/60;d5, or 40/90,SD/30;d5")
    if values.get("section"):
        section = section_of(event, values)
        changed = with_section(event, replace(section, time_control=wanted or None))
        was = section.time_control or "no time control"
        return Mended(changed, f"section {section.number}", was, wanted or "no time control")
    sections = tuple(replace(one, time_control=one.time_control or wanted) for one in event.sections)
    return Mended(replace(event, sections=sections), "event", "no time control", wanted)


@action("section-name")
def section_name(event: Event, values: Values) -> Mended:
    section, wanted = section_of(event, values), text_of(values, "name")
    if not wanted:
        raise MendRefused("a name is needed: nothing was typed")
    changed = with_section(event, replace(section, name=wanted))
    return Mended(changed, f"section {section.number}", section.name or "no name", wanted)


@action("section-number")
def section_number(event: Event, values: Values) -> Mended:
    """Of two sections with one number the last gets the next free one."""
    wanted = section_of(event, values).number
    same = [one for one in event.sections if one.number == wanted]
    if len(same) < 2:
        raise MendRefused(f"only one section has the number {wanted}")
    free = max(one.number for one in event.sections) + 1
    changed = with_section(event, replace(same[-1], number=free), same[-1])
    return Mended(changed, f"section {wanted}, {same[-1].name or 'the last'}", str(wanted), str(free))


@action("keep")
def keep(event: Event, values: Values) -> Mended:
    """It is right as it stands: whoever reviews the report reads that the director says so."""
    return Mended(event, text_of(values, "place"), text_of(values, "before", 300), "it is right as it stands")


@action("leave-out")
def leave_out(event: Event, values: Values) -> Mended:
    """What could not be read stays out."""
    return Mended(event, text_of(values, "place"), text_of(values, "before", 300), "left out")
