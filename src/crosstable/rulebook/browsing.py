"""The rulebook for people who look around in it: what is in force, one rule through its days, what two days
differ in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import RulebookError
from crosstable.rulebook.loader import Rulebook
from crosstable.rulebook.timeline import AS_WRITTEN, Clause, Rule, Value


@dataclass(frozen=True, slots=True)
class Dated:
    """What a rule says from a day on, with its print."""

    rule: str
    title: str
    since: date
    until: date | None  # its last day; nothing while no later value is known
    says: str
    document: str
    section: str
    note: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A rule that says something else on the later of two days."""

    rule: str
    title: str
    before: str
    after: str
    changed: tuple[date, ...]
    document: str | None
    section: str | None


def dated(book: Rulebook, rule: Rule, value: Value, profile: str = AS_WRITTEN) -> Dated:
    document = book.documents[value.document]
    until = rule.last_day(value, profile)
    return Dated(rule.name, rule.title, value.since, until, rule.words(value), document, value.section, value.note)


def in_force(book: Rulebook, on: date, profile: str = AS_WRITTEN) -> list[Dated]:
    """Each since the day from which on it says this: an edition that prints the same again is no new rule."""
    found = []
    for name, value in book.on(on, profile).values.items():
        since, until = book.rules[name].held(value, profile)
        found.append(replace(dated(book, book.rules[name], value, profile), since=since, until=until))
    return found


def find(book: Rulebook, name: str) -> Rule:
    if name not in book.rules:
        raise RulebookError(f"no rule '{name}' in {book.system}: there are {', '.join(book.rules)}")
    return book.rules[name]


def timeline(book: Rulebook, rule: Rule, profile: str = AS_WRITTEN) -> list[Dated]:
    """Oldest first."""
    return [dated(book, rule, value, profile) for value in rule.timeline(profile)]


def differences(book: Rulebook, earlier: date, later: date, profile: str = AS_WRITTEN) -> list[Changed]:
    """Rules whose value differs between the two days; a new edition that says the same is no change."""
    old, new = book.on(earlier, profile).values, book.on(later, profile).values
    found = []
    for rule in book.rules.values():
        before, after = old.get(rule.name), new.get(rule.name)
        if (before and before.fields) == (after and after.fields):
            continue
        steps = tuple(value.since for value in rule.timeline(profile) if earlier < value.since <= later)
        found.append(
            Changed(
                rule.name,
                rule.title,
                rule.words(before) if before else "not in force",
                rule.words(after) if after else "no longer in force",
                steps,
                book.documents[after.document] if after else None,
                after.section if after else None,
            )
        )
    return found


__all__ = ["Changed", "Clause", "Dated", "dated", "differences", "find", "in_force", "timeline"]
