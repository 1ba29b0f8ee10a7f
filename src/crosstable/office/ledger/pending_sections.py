"""Sections of an accepted event that wait: they have errors, or went back to their director, and the others were rated.

An event's document always holds all its sections. Which of them are rated is a choice of the office, kept with the
event.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from django.db.models import Q

from crosstable.model import Event, Finding
from crosstable.office.ledger import models

#: Events of which something waits: all of it, or the sections that were held when the others were rated
WAITS = Q(status=models.Event.SUBMITTED) | Q(status=models.Event.ACCEPTED) & ~Q(held="")


def numbers(row: models.Event) -> tuple[int, ...]:
    """Return the sections that wait."""
    return tuple(int(one) for one in row.held.split(",") if one)


def set_numbers(row: models.Event, waiting: Iterable[int]) -> None:
    """Set the sections that wait. Those that are rated or taken out are no longer sent back."""
    numbers = sorted(waiting)
    row.held = ",".join(map(str, numbers))
    row.sent_back = {number: reason for number, reason in row.sent_back.items() if int(number) in numbers}


def sent_back(row: models.Event) -> dict[int, str]:
    """Return the sections that went back to their director, and why."""
    return {int(number): str(reason) for number, reason in row.sent_back.items()}


def send_back(row: models.Event, sections: Iterable[int], reason: str) -> None:
    row.sent_back = {**row.sent_back, **{str(number): reason for number in sections}}


def without(event: Event, waiting: Collection[int]) -> Event:
    """Return the event without these sections."""
    if not waiting:
        return event
    return replace(event, sections=tuple(one for one in event.sections if one.number not in waiting))


def section_of(finding: Finding) -> int | None:
    """Return the section that a finding is about; none if it is about the event or the file."""
    return finding.place.section


def findings_without(findings: Iterable[Finding], waiting: Collection[int]) -> tuple[Finding, ...]:
    """Return what was found about everything but these sections."""
    return tuple(one for one in findings if section_of(one) not in waiting)
