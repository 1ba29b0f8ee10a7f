"""The rulebook browser's pages: what is in force on a day, one rule with its timeline, what two days differ in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN, Clause, browsing, rulebook, systems
from crosstable.rulebook.browsing import Changed, Dated

US_CHESS = "us_chess"
PROFILES = {"written": AS_WRITTEN, "practised": AS_PRACTISED}


@dataclass(frozen=True, slots=True)
class InForce:
    system: str
    title: str
    systems: tuple[str, ...]
    on: date
    first: date
    hash: str
    rules: tuple[Dated, ...]


@dataclass(frozen=True, slots=True)
class RulePage:
    system: str
    system_title: str
    name: str
    title: str
    profile: str  # "written" or "practised"
    differ: bool  # whether practice differs from the print
    values: tuple[Dated, ...]  # newest first
    clauses: tuple[tuple[Clause, str], ...]  # each with its document
    documents: tuple[str, ...]
    steps: tuple[tuple[date, float], ...]  # of a rule that is one number, its value from each day on
    today: date

    @property
    def now(self) -> Dated | None:
        """What holds today; nothing once the rule has ended."""
        return next(
            (one for one in self.values if one.since <= self.today and (one.until is None or one.until >= self.today)),
            None,
        )


@dataclass(frozen=True, slots=True)
class DiffPage:
    system: str
    title: str
    systems: tuple[str, ...]
    earlier: date
    later: date
    changes: tuple[Changed, ...]


def in_force(on: date, system: str = US_CHESS) -> InForce:
    """On a day before the first rules, those of the first day."""
    book = rulebook(system)
    day = max(on, book.first)
    return InForce(
        system,
        book.title,
        tuple(systems()),
        day,
        book.first,
        book.on(day).hash[:16],
        tuple(browsing.in_force(book, day)),
    )


def rule(name: str, today: date, system: str = US_CHESS, profile: str = "written") -> RulePage:
    book = rulebook(system)
    found = browsing.find(book, name)
    chosen = profile if profile in PROFILES else "written"
    values = tuple(reversed(browsing.timeline(book, found, PROFILES[chosen])))
    other = browsing.timeline(book, found, AS_PRACTISED)
    differ = [(one.since, one.says) for one in other] != [
        (one.since, one.says) for one in browsing.timeline(book, found, AS_WRITTEN)
    ]
    clauses = tuple((clause, book.documents[clause.document]) for clause in found.clauses)
    documents = tuple(dict.fromkeys(one.document for one in values))
    return RulePage(
        system, book.title, name, found.title, chosen, differ, values, clauses, documents,
        _steps(name, system, PROFILES[chosen]), today,
    )  # fmt: skip


def _steps(name: str, system: str, profile: str) -> tuple[tuple[date, float], ...]:
    """The one number that has changed, where the rule has just one such."""
    timeline = rulebook(system).rules[name].timeline(profile)
    moved = [
        field
        for field, first in timeline[0].fields.items()
        if isinstance(first, int | float)
        and not isinstance(first, bool)
        and len({value.fields.get(field) for value in timeline}) > 1
    ]
    if len(moved) != 1 or any(not isinstance(value.fields.get(moved[0]), int | float) for value in timeline):
        return ()
    return tuple((value.since, float(value.fields[moved[0]])) for value in timeline)


def diff(earlier: date, later: date, system: str = US_CHESS) -> DiffPage:
    book = rulebook(system)
    first, second = sorted((max(earlier, book.first), max(later, book.first)))
    return DiffPage(
        system, book.title, tuple(systems()), first, second, tuple(browsing.differences(book, first, second))
    )
