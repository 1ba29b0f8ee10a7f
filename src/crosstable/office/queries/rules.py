"""The rulebook browser's pages: what is in force on a day, one rule with its timeline, what two days differ in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from crosstable.federations.current import current
from crosstable.office.queries.words import sections
from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN, Clause, browsing, rulebook, systems
from crosstable.rulebook.browsing import Changed, Dated
from crosstable.rulebook.loader import Rulebook
from crosstable.systems import system as system_of
from crosstable.systems.us_chess.coefficients import coefficients_on
from crosstable.systems.us_chess.formulas import bonus_points
from crosstable.words.steps import DOCUMENTS

US_CHESS = "us_chess"
#: Events of so many games show from which gain on a bonus begins
BONUS_GAMES = (3, 4, 5, 6, 7, 9)
#: A gain for which every event gives a bonus
LARGE = 1000.0
PROFILES = {"written": AS_WRITTEN, "practised": AS_PRACTISED}


@dataclass(frozen=True, slots=True)
class _OfSystem:
    """A page about one system's rules, with the way to the others."""

    system: str

    @property
    def title(self) -> str:
        return book_of(self.system).title

    @property
    def systems(self) -> tuple[tuple[str, str], ...]:
        """Key and title of each that the office's readers may look for: all of them in a US Chess office."""
        own = current().rulebooks
        return tuple((one, book_of(one).title) for one in (systems() if US_CHESS in own else own))


@dataclass(frozen=True, slots=True)
class InForce(_OfSystem):
    on: date
    hash: str
    rules: tuple[Dated, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A value of a rule in the table of its page."""

    value: Dated
    number: str  # of a rule that is one number
    print: str  # the document by its short name, and the section


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The gain from which a bonus begins, by games, for the last multipliers."""

    heads: tuple[str, ...]
    rows: tuple[tuple[int, tuple[float, ...]], ...]


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
    plain: str  # what holds today in plain words; empty where the rule has no formula to put into words
    lines: tuple[Line, ...]
    thresholds: Thresholds | None

    @property
    def now(self) -> Dated | None:
        """What holds today; nothing once the rule has ended."""
        return next(
            (one for one in self.values if one.since <= self.today and (one.until is None or one.until >= self.today)),
            None,
        )


@dataclass(frozen=True, slots=True)
class DiffPage(_OfSystem):
    earlier: date
    later: date
    changes: tuple[Changed, ...]


@dataclass(frozen=True, slots=True)
class OwnSystems:
    """The office's systems with their rules in force, for the page that explains ratings."""

    systems: tuple[InForce, ...]


def own_systems(on: date) -> OwnSystems:
    """Return the rules of each system by which the office rates."""
    return OwnSystems(tuple(in_force(on, one) for one in current().rulebooks))


def book_of(name: str) -> Rulebook:
    """Return one of our rulebooks, or the one of a system of another package that the office rates by."""
    if name in systems():
        return rulebook(name)
    own = (system_of(one).book for names in current().systems.values() for one in names)
    return next((book for book in own if book.system == name), None) or rulebook(name)  # which says what there is


def main_system() -> str:
    """Return the rulebook of the office's main system."""
    return current().rulebooks[0]


def check_day(on: date, system: str = US_CHESS) -> None:
    """NoRulesOnDate on a day before the first rules; pages show those of the first day, programs are told."""
    book_of(system).on(on)


def in_force(on: date, system: str = US_CHESS) -> InForce:
    """On a day before the first rules, those of the first day."""
    book = book_of(system)
    day = max(on, book.first)
    rules = tuple(browsing.in_force(book, day))
    return InForce(system, day, book.on(day).hash[:16], rules, _lines(book, rules))


def rule(name: str, today: date, system: str = US_CHESS, profile: str = "written") -> RulePage:
    book = book_of(system)
    found = browsing.find(book, name)
    chosen = profile if profile in PROFILES else "written"
    printed = tuple(reversed(browsing.timeline(book, found, PROFILES[chosen])))
    values = _held(printed)
    other = browsing.timeline(book, found, AS_PRACTISED)
    differ = [(one.since, one.says) for one in other] != [
        (one.since, one.says) for one in browsing.timeline(book, found, AS_WRITTEN)
    ]
    clauses = tuple((clause, book.documents[clause.document]) for clause in found.clauses)
    documents = tuple(dict.fromkeys(one.document for one in printed))
    steps = _steps(name, system, PROFILES[chosen])
    holds = found.on(max(today, book.first), PROFILES[chosen])
    return RulePage(
        system=system,
        system_title=book.title,
        name=name,
        title=found.title,
        profile=chosen,
        differ=differ,
        values=values,
        clauses=clauses,
        documents=documents,
        steps=steps,
        today=today,
        plain=found.plain_words(holds) if holds and found.plain else "",
        lines=_lines(book, printed, steps),
        thresholds=_thresholds(steps, PROFILES[chosen]) if (system, name) == (US_CHESS, "bonus") else None,
    )


def _held(printed: Iterable[Dated]) -> tuple[Dated, ...]:
    """Return the values, newest first. What later editions print again is one value, from its first day."""
    found: list[Dated] = []
    for one in printed:
        if found and (found[-1].rule, found[-1].says) == (one.rule, one.says):
            found[-1] = replace(found[-1], since=one.since, note=" ".join(filter(None, (one.note, found[-1].note))))
        else:
            found.append(one)
    return tuple(found)


def _lines(book: Rulebook, printed: tuple[Dated, ...], steps: tuple[tuple[date, float], ...] = ()) -> tuple[Line, ...]:
    """In the order of the values, newest first, each with the documents that print it by their short names."""
    keys = {full: key for key, full in book.documents.items()}
    numbers = {since: f"{number:g}" for since, number in steps}

    def print_of(one: Dated) -> str:
        short = DOCUMENTS.get(keys[one.document], one.document)
        edition = " edition" if keys[one.document].startswith("us-chess-") else ""
        return f"{short}{edition}, {sections(one.section)}"

    found = []
    for value in _held(printed):
        editions = [
            print_of(one)
            for one in printed
            if one.rule == value.rule and value.since <= one.since and (value.until is None or one.since <= value.until)
        ]
        found.append(Line(value, numbers.get(value.since, ""), "; ".join(dict.fromkeys(editions))))
    return tuple(found)


def _thresholds(steps: tuple[tuple[date, float], ...], profile: str) -> Thresholds:
    """Return the thresholds, newest multiplier first.

    What lies below one is what the bonus leaves out of a large gain.
    """
    newest = {number: since for since, number in steps}
    chosen = sorted(newest.items(), key=lambda one: one[1], reverse=True)[:3]
    rules = [coefficients_on(since, profile) for _, since in chosen]
    rows = tuple((games, tuple(LARGE - bonus_points(one, LARGE, games) for one in rules)) for games in BONUS_GAMES)
    return Thresholds(tuple(f"{number:g}" for number, _ in chosen), rows)


def _steps(name: str, system: str, profile: str) -> tuple[tuple[date, float], ...]:
    """Return the one number that has changed, where the rule has just one such."""
    timeline = book_of(system).rules[name].timeline(profile)
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
    book = book_of(system)
    first, second = sorted((max(earlier, book.first), max(later, book.first)))
    return DiffPage(system, first, second, tuple(browsing.differences(book, first, second)))
