"""What may be wrong with the event, its sections and its file, and how it is put right."""

from __future__ import annotations

import re

from crosstable.formats.file_ratings import readable
from crosstable.model import Event, Section
from crosstable.office.players.person import STATES
from crosstable.office.reports.suggested_fixes.base import KEEP, Case, Input, Offer, offers


@offers("missing-date", "no-rules", "future-event", "late-report")
def dates(case: Case) -> list[Offer]:
    event = case.event
    start, end = (day.isoformat() if day else "" for day in (event.start, event.end))
    asked = (Input("start", "First day", "date", start), Input("end", "Last day", "date", end))
    found = [Offer("Use these days", "dates", case.here if case.place.section and event.start else {}, asked)]
    return found if case.finding.code in ("missing-date", "no-rules") else [Offer(KEEP, "keep"), *found]


@offers("dates-reversed")
def reversed_dates(case: Case) -> list[Offer]:
    one: Event | Section = case.section or case.event
    if one.start is None or one.end is None:
        return []
    values = {"start": one.end.isoformat(), "end": one.start.isoformat()}
    inside = {"section": str(case.place.section)} if case.section else {}
    return [Offer("Swap the two days", "dates", {**inside, **values}, main=True)]


@offers("section-dates")
def section_dates(case: Case) -> list[Offer]:
    section, event = case.section, case.event
    if section is None or not (event.start and event.end and section.start and section.end):
        return []
    own = {"section": str(section.number), "start": event.start.isoformat(), "end": event.end.isoformat()}
    first, last = min(event.start, section.start), max(event.end, section.end)
    wide = {"start": first.isoformat(), "end": last.isoformat()}
    return [Offer("The event’s days are right", "dates", own), Offer("The section’s days are right", "dates", wide)]


@offers(
    "missing-time-control",
    "unreadable-time-control",
    "unratable-time-control",
    "not-ratable",
    "short-first-control",
    "declared-system",
)
def time_controls(case: Case) -> list[Offer]:
    section = case.section
    if section is None:
        return []
    values = {"section": str(section.number)}
    right = likely(section.time_control or "")
    found = [Offer(f"Use {right}", "time-control", {**values, "time_control": right}, main=True)] if right else []
    found.append(Offer("Use this", "time-control", values, (Input("time_control", "Time control, as G/60;d5"),)))
    return [Offer(KEEP, "keep"), *found] if case.finding.code in ("short-first-control", "declared-system") else found


def likely(text: str) -> str:
    """The time control that was meant: the letter O for a zero, a missing stroke, a blank for a semicolon."""
    if not text or readable(text):
        return ""
    zeros = re.sub(r"(?<=[\d/;+dG])[oO](?=[\d;,+ ]|$)", "0", text)
    ones = re.sub(r"(?<=[\d/])[lI](?=\d)", "1", zeros)
    tries = [ones, re.sub(r"^[gG]\s*+[/.:]?+\s*+(\d)", r"G/\1", ones)]
    tries += [re.sub(r"(?<![\s,;])[\s,;]++(?=[dD+]\d)", ";", one) for one in tries]
    tries += [re.sub(r"\s+", "", one) for one in tries]
    return next((one for one in tries if readable(one)), "")


@offers("contradicting-time-control")
def contradicting(case: Case) -> list[Offer]:
    return [
        Offer("Leave it out", "time-control", {"section": str(case.place.section), "time_control": ""}, main=True),
        *time_controls(case)[-1:],
    ]


@offers("missing-event-name")
def event_name(case: Case) -> list[Offer]:  # noqa: ARG001 - every mend is asked in the same way
    return [Offer("Use this name", "facts", {}, (Input("name", "Name of the event"),))]


@offers("missing-place")
def place(case: Case) -> list[Offer]:
    event = case.event
    asked = [
        Input(name, label)
        for name, label in (("city", "City"), ("state", "State"), ("country", "Country"))
        if not getattr(event, name)
    ]
    missing = case.finding.facts.get("missing")
    missing = missing if isinstance(missing, tuple) else ()
    needed = [one for one in asked if one.name in missing]
    return [Offer("Add", "facts", {}, tuple(needed))] if needed else []


@offers("unknown-state")
def state(case: Case) -> list[Offer]:
    codes = {name.casefold(): code for code, name in STATES.items()}
    code = codes.get(case.event.state.strip().casefold())
    if code:
        return [Offer(f"Use {code}", "facts", {"state": code}, main=True)]
    return [Offer("Use this", "facts", {}, (Input("state", "State, two letters"),))]


@offers("missing-officials", "affiliate-id", "td-id")
def officials(case: Case) -> list[Offer]:
    event, code = case.event, case.finding.code
    wanted = {
        "affiliate": code == "affiliate-id" or (code == "missing-officials" and not event.affiliate),
        "chief_td": code == "td-id" or (code == "missing-officials" and not event.chief_td),
    }
    labels = {"affiliate": "Affiliate’s id", "chief_td": "Chief TD’s id"}
    asked = tuple(Input(name, labels[name]) for name, asks in wanted.items() if asks)
    return [Offer("Add" if code == "missing-officials" else "Use this", "facts", {}, asked)] if asked else []


@offers("missing-section-name")
def section_names(case: Case) -> list[Offer]:
    return [Offer("Use this name", "section-name", case.here, (Input("name", "Name of the section"),))]


@offers("duplicate-section")
def section_numbers(case: Case) -> list[Offer]:
    return [Offer("Give the last one a new number", "section-number", case.here)]


@offers(
    "invalid-line-code",
    "invalid-number",
    "formula-without-value",
    "stray-quote",
    "unreadable-date",
    "odd-character",
    "last-number",
    "record-count",
    "round-count",
    "section-count",
    "line-ignored",
)
def left_out(case: Case) -> list[Offer]:
    """What could not be read is left out already; its owner says that it may stay so."""
    plain = case.finding.code in ("last-number", "record-count", "round-count", "section-count", "stray-quote")
    return [Offer(KEEP if plain else "Leave it out", "leave-out")]


@offers(
    "number-gap",
    "repeated-pairing",
    "side-games",
    "possible-duplicate",
    "no-games",
    "begins-unrated",
    "before-record",
    "cfc-conversion",
    "unpaired-forfeit",
)
def as_it_is(case: Case) -> list[Offer]:
    return [] if case.finding.level == "notice" else [Offer(KEEP, "keep")]
