"""Fixes of the event and its sections: names, dates, places, officials, time controls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

from crosstable.fixes.base import (
    Fixed,
    FixRefused,
    Values,
    day_of,
    fix,
    section_of,
    text_of,
    whole,
    with_section,
)
from crosstable.formats.dates import day, days
from crosstable.model import KINDS, MODES, WEIGHTS, Event, Section

#: The facts about an event that stand in one form
FACTS = {
    "name": "name",
    "city": "city",
    "state": "state",
    "country": "country",
    "affiliate": "affiliate",
    "chief_td": "chief TD",
}


@fix("facts")
def facts(event: Event, values: Values) -> Fixed:
    """Name, city, state, country, affiliate, chief TD: those that were given."""
    given = {field: text_of(values, field) for field in FACTS if field in values}
    new = {field: text for field, text in given.items() if text != getattr(event, field)}
    if not new:
        raise FixRefused("nothing was changed: the event already says this")
    before = ", ".join(f"{FACTS[field]} {getattr(event, field) or 'not given'}" for field in new)
    after = ", ".join(f"{FACTS[field]} {text or 'not given'}" for field, text in new.items())
    return Fixed(replace(event, **cast(dict[str, Any], new)), "event", before, after)


@fix("dates")
def dates(event: Event, values: Values) -> Fixed:
    """From one day to another: of a section, or of the event and the sections that had none or the same."""
    start = day_of(values, "start")
    end = day_of(values, "end") if values.get("end") else start
    if end < start:
        raise FixRefused(f"it cannot end on {day(end)}, before it starts on {day(start)}")
    if values.get("section"):
        section = section_of(event, values)
        changed = with_section(event, replace(section, start=start, end=end))
        return Fixed(changed, f"section {section.number}", _span(section), days(start, end))

    def dated(section: Section) -> Section:
        same = (section.start, section.end) == (event.start, event.end)
        if same or section.start is None or section.end is None or section.end < section.start:
            return replace(section, start=start, end=end)
        return section

    sections = tuple(dated(section) for section in event.sections)
    return Fixed(replace(event, start=start, end=end, sections=sections), "event", _span(event), days(start, end))


def _span(one: Event | Section) -> str:
    return days(one.start, one.end) if one.start and one.end else "no dates"


@fix("time-control")
def time_control(event: Event, values: Values) -> Fixed:
    """Of one section, or of all that have none that can be read; an empty one is left out."""
    wanted = text_of(values, "time_control")
    if not wanted and not values.get("section"):
        raise FixRefused("a time control is needed: G/60;d5, or 40/90,SD/30;d5")
    if values.get("section"):
        section = section_of(event, values)
        changed = with_section(event, replace(section, time_control=wanted or None))
        was = section.time_control or "no time control"
        return Fixed(changed, f"section {section.number}", was, wanted or "no time control")
    sections = tuple(replace(one, time_control=one.time_control or wanted) for one in event.sections)
    return Fixed(replace(event, sections=sections), "event", "no time control", wanted)


@fix("section-name")
def section_name(event: Event, values: Values) -> Fixed:
    section, wanted = section_of(event, values), text_of(values, "name")
    if not wanted:
        raise FixRefused("a name is needed: nothing was typed")
    changed = with_section(event, replace(section, name=wanted))
    return Fixed(changed, f"section {section.number}", section.name or "no name", wanted)


@fix("section-settings")
def section_settings(event: Event, values: Values) -> Fixed:
    """Kind, mode, weight, time control and rounds of a section: those that were given."""
    section = section_of(event, values)
    new: dict[str, Any] = {}
    for name, choices in _CHOICES.items():
        if values.get(name, getattr(section, name)) not in choices:
            raise FixRefused(f"{values[name][:20]!r} is not a {name}: choose {', '.join(choices)}")
        if name in values:
            new[name] = values[name]
    if "time_control" in values:
        new["time_control"] = text_of(values, "time_control") or None
    if values.get("rounds"):
        rounds = whole(values, "rounds")
        if not 1 <= rounds <= 200:
            raise FixRefused(f"a section has between 1 and 200 rounds, not {rounds}")
        new["notes"] = {**section.notes, "rounds": rounds}
    new = {name: value for name, value in new.items() if value != getattr(section, name)}
    if not new:
        raise FixRefused("nothing was changed: the section already has these settings")
    changed = replace(section, **new)
    before, after = (_settings(one, new) for one in (section, changed))
    return Fixed(with_section(event, changed), f"section {section.number}", before, after)


_CHOICES = {"kind": KINDS, "mode": MODES, "weight": WEIGHTS}


def _settings(section: Section, names: Iterable[str]) -> str:
    shown = {
        "kind": section.kind,
        "mode": section.mode,
        "weight": f"{section.weight} weight",
        "time_control": section.time_control or "no time control",
        "notes": f"{section.notes.get('rounds', 'unknown number of')} rounds",
    }
    return ", ".join(shown[name] for name in names)


@fix("section-number")
def section_number(event: Event, values: Values) -> Fixed:
    """Of two sections with one number the last gets the next free one."""
    wanted = section_of(event, values).number
    same = [one for one in event.sections if one.number == wanted]
    if len(same) < 2:
        raise FixRefused(f"only one section has the number {wanted}")
    free = max(one.number for one in event.sections) + 1
    changed = with_section(event, replace(same[-1], number=free), same[-1])
    return Fixed(changed, f"section {wanted}, {same[-1].name or 'the last'}", str(wanted), str(free))


@fix("keep")
def keep(event: Event, values: Values) -> Fixed:
    """Keep it as it is; the reviewer reads that the director says so."""
    return Fixed(event, text_of(values, "place"), text_of(values, "before", 300), "it is right")


@fix("leave-out")
def leave_out(event: Event, values: Values) -> Fixed:
    """Leave out what could not be read."""
    return Fixed(event, text_of(values, "place"), text_of(values, "before", 300), "left out")
