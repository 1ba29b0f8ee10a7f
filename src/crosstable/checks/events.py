"""Checks of the event as a whole: name, place, dates, officials."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crosstable.checks.registry import Case, Noted, notice, structural, warning
from crosstable.model import Place
from crosstable.model.finding import Fact
from crosstable.model.states import POSTAL_CODES

_DAYS_TO_REPORT = 10

structural("no-sections", "The event has no sections.", "Add at least one section.")
structural("duplicate-section", "Two sections have the same number.", "Number them 1, 2, 3 …")
structural("dates-reversed", "An event or section ends before it starts.", "Swap or correct the dates.")


@warning(
    "missing-date",
    "The file does not say when the event was played. Nothing is rated without a date: for `rate` this is an error.",
    "Enter the dates of the event.",
)
def missing_date(case: Case) -> Iterator[Noted]:
    if case.event.start is None or case.event.end is None:
        yield "event", "the start or end date is missing"
    for section in case.event.sections:
        if case.event.start is not None and (section.start is None or section.end is None):
            yield Place(section=section.number), "the start or end date is missing"


@warning("missing-event-name", "The event has no name.", "Enter a name.")
def missing_event_name(case: Case) -> Iterator[Noted]:
    if not case.event.name.strip():
        yield "event", "the event has no name"


@notice("missing-place", "The event's city or state is missing.", "Add it before you send the report.")
def missing_place(case: Case) -> Iterator[Noted]:
    missing = [word for word, text in (("city", case.event.city), ("country", case.event.country)) if not text.strip()]
    if case.us_chess and not case.event.state.strip():
        missing.append("state")
    if missing:
        yield "event", f"the event has no {', no '.join(missing)}", {"missing": tuple(missing)}


@warning("unknown-state", "The event's state is not a postal code.", "Write two letters: OH.")
def unknown_state(case: Case) -> Iterator[Noted]:
    abroad = case.event.country.upper() not in ("", "USA", "US")
    if case.event.state and not abroad and case.event.state.upper() not in POSTAL_CODES:
        yield "event", f"the state is {case.event.state!r}", {"found": case.event.state}


@notice("unknown-zip", "The event's ZIP code is not valid.", "Enter five digits, or five and four: 43215-1234.")
def unknown_zip(case: Case) -> Iterator[Noted]:
    code = str(case.event.notes.get("zip", ""))
    abroad = case.event.country.upper() not in ("", "USA", "US")
    if code and not abroad and not re.fullmatch(r"\d{5}(?:-?\d{4})?", code):
        yield "event", f"the ZIP code is {code[:20]!r}", {"found": code[:20]}


@notice("missing-officials", "The affiliate or the chief TD is missing.", "US Chess will ask for them.")
def missing_officials(case: Case) -> Iterator[Noted]:
    missing = [
        word for word, text in (("affiliate", case.event.affiliate), ("chief TD", case.event.chief_td)) if not text
    ]
    if case.us_chess and missing:
        yield "event", f"no {' and no '.join(missing)}", {"missing": tuple(missing)}


@warning("affiliate-id", "The affiliate's ID is not a letter and seven digits.", "Correct it: A6012345.")
def affiliate_id(case: Case) -> Iterator[Noted]:
    if case.event.affiliate and not re.fullmatch(r"[A-Z]\d{7}", case.event.affiliate):
        yield "event", f"the affiliate is {case.event.affiliate!r}", {"found": case.event.affiliate}


@warning("td-id", "The chief TD's ID is not eight digits.", "Correct the chief TD's ID.")
def td_id(case: Case) -> Iterator[Noted]:
    if case.us_chess and case.event.chief_td and not re.fullmatch(r"\d{8}", case.event.chief_td):
        yield "event", f"the chief TD is {case.event.chief_td!r}", {"found": case.event.chief_td}


def _days(case: Case) -> dict[str, Fact]:
    return {"ended": str(case.event.end), "received": str(case.received)}


@warning(
    "late-report",
    "The report is late: it was due ten days after the event.",
    "Tell the office why it is late; it may still accept the report.",
)
def late_report(case: Case) -> Iterator[Noted]:
    if case.received and case.event.end and (case.received - case.event.end).days > _DAYS_TO_REPORT:
        yield "event", f"it ended on {case.event.end}, and the report arrived on {case.received}", _days(case)


@warning("future-event", "The event ends after the day on which it was reported.", "Correct the dates.")
def future_event(case: Case) -> Iterator[Noted]:
    if case.received and case.event.end and case.event.end > case.received:
        yield "event", f"it ends on {case.event.end}, but the report arrived on {case.received}", _days(case)
