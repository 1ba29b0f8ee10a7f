"""Fixes for findings about the event, its sections and its file."""

from __future__ import annotations

import re

from crosstable.fixes.suggestions.base import KEEP, Case, suggest
from crosstable.formats.file_ratings import readable
from crosstable.model import Event, Fix, Input, Section
from crosstable.model.states import CODES


@suggest("missing-date", "no-rules", "future-event", "late-report")
def dates(case: Case) -> list[Fix]:
    event = case.event
    start, end = (day.isoformat() if day else "" for day in (event.start, event.end))
    asked = (Input("start", "date", start), Input("end", "date", end))
    found = [Fix("dates", case.here if case.place.section and event.start else {}, asked)]
    return found if case.finding.code in ("missing-date", "no-rules") else [KEEP, *found]


@suggest("dates-reversed")
def reversed_dates(case: Case) -> list[Fix]:
    one: Event | Section = case.section or case.event
    if one.start is None or one.end is None:
        return []
    values = {"start": one.end.isoformat(), "end": one.start.isoformat()}
    inside = {"section": str(case.place.section)} if case.section else {}
    return [Fix("dates", {**inside, **values}, suggested=True)]


@suggest("section-dates")
def section_dates(case: Case) -> list[Fix]:
    section, event = case.section, case.event
    if section is None or not (event.start and event.end and section.start and section.end):
        return []
    own = {"section": str(section.number), "start": event.start.isoformat(), "end": event.end.isoformat()}
    first, last = min(event.start, section.start), max(event.end, section.end)
    wide = {"start": first.isoformat(), "end": last.isoformat()}
    return [Fix("dates", own), Fix("dates", wide)]


@suggest(
    "missing-time-control",
    "unreadable-time-control",
    "unratable-time-control",
    "not-ratable",
    "short-first-control",
    "declared-system",
)
def time_controls(case: Case) -> list[Fix]:
    section = case.section
    if section is None:
        return []
    values = {"section": str(section.number)}
    right = likely(section.time_control or "")
    found = [Fix("time-control", {**values, "time_control": right}, suggested=True)] if right else []
    found.append(Fix("time-control", values, (Input("time_control"),)))
    return [KEEP, *found] if case.finding.code in ("short-first-control", "declared-system") else found


def likely(text: str) -> str:
    """Return the time control that was meant: the letter O for a zero, a missing stroke, a blank for a semicolon."""
    if not text or readable(text):
        return ""
    zeros = re.sub(r"(?<=[\d/;+dG])[oO](?=[\d;,+ ]|$)", "0", text)
    ones = re.sub(r"(?<=[\d/])[lI](?=\d)", "1", zeros)
    tries = [ones, re.sub(r"^[gG]\s*+[/.:]?+\s*+(\d)", r"G/\1", ones)]
    tries += [re.sub(r"(?<![\s,;])[\s,;]++(?=[dD+]\d)", ";", one) for one in tries]
    tries += [re.sub(r"\s+", "", one) for one in tries]
    return next((one for one in tries if readable(one)), "")


@suggest("contradicting-time-control")
def contradicting(case: Case) -> list[Fix]:
    empty = Fix("time-control", {"section": str(case.place.section), "time_control": ""}, suggested=True)
    return [empty, *time_controls(case)[-1:]]


@suggest("missing-event-name")
def event_name(case: Case) -> list[Fix]:  # noqa: ARG001 - every suggestion is asked for in the same way
    return [Fix("facts", {}, (Input("name"),))]


@suggest("missing-place")
def place(case: Case) -> list[Fix]:
    missing = case.finding.facts.get("missing")
    names = missing if isinstance(missing, tuple) else ()
    needed = tuple(
        Input(name) for name in ("city", "state", "country") if name in names and not getattr(case.event, name)
    )
    return [Fix("facts", {}, needed)] if needed else []


@suggest("unknown-state")
def state(case: Case) -> list[Fix]:
    code = CODES.get(case.event.state.strip().casefold())
    return [Fix("facts", {"state": code}, suggested=True) if code else Fix("facts", {}, (Input("state"),))]


@suggest("missing-officials", "affiliate-id", "td-id")
def officials(case: Case) -> list[Fix]:
    event, code = case.event, case.finding.code
    wanted = {
        "affiliate": code == "affiliate-id" or (code == "missing-officials" and not event.affiliate),
        "chief_td": code == "td-id" or (code == "missing-officials" and not event.chief_td),
    }
    asked = tuple(Input(name) for name, asks in wanted.items() if asks)
    return [Fix("facts", {}, asked)] if asked else []


@suggest("perhaps-match")
def matches(case: Case) -> list[Fix]:
    return [Fix("section-settings", {"section": str(case.place.section), "kind": "match"}), KEEP]


@suggest("missing-section-name")
def section_names(case: Case) -> list[Fix]:
    return [Fix("section-name", case.here, (Input("name"),))]


@suggest("duplicate-section")
def section_numbers(case: Case) -> list[Fix]:
    return [Fix("section-number", case.here)]


@suggest(
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
def left_out(case: Case) -> list[Fix]:  # noqa: ARG001 - every suggestion is asked for in the same way
    """Suggest that what could not be read stays left out."""
    return [Fix("leave-out")]


@suggest(
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
def as_it_is(case: Case) -> list[Fix]:
    return [] if case.finding.level == "notice" else [KEEP]
