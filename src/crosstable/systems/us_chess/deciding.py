"""Which day's rules apply to a section: what the rulebook's `deciding_date` says, for `rate`, replay, office and
lab.
"""

from __future__ import annotations

from datetime import date
from functools import cache

from crosstable.rulebook import Rules, Value, rulebook

NAME = "us_chess"


@cache
def _rule(profile: str) -> Value:
    book = rulebook(NAME)
    return book.on(book.first, profile)["deciding_date"]


def decided_by_event_end(profile: str) -> bool:
    """Whether the event's end decides. Otherwise it is the section's start (2025 §8)."""
    return bool(_rule(profile)["date"] == "event end")


def rules_by_section_end(profile: str) -> tuple[str, ...]:
    """Return the rules that look at the section's own end instead."""
    return tuple(name for name in _rule(profile)["by_section_end"] if name in rulebook(NAME).rules)


def deciding_date(start: date, event_end: date, profile: str) -> date:
    """Return the day whose rules apply."""
    return event_end if decided_by_event_end(profile) else start


def rules_of(start: date, end: date, event_end: date, profile: str) -> Rules:
    """Return the rules for a section of these dates. Raises NoRulesOnDate before the first of them."""
    others = dict.fromkeys(rules_by_section_end(profile), end)
    return rulebook(NAME).on(deciding_date(start, event_end, profile), profile, others)
