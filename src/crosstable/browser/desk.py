"""The page's desk: one file, what a person adds to it, and everything that follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from crosstable import fixes, formats
from crosstable.arguments import day_of
from crosstable.checks import gate
from crosstable.errors import CrosstableError, EventRejected, WrongValue
from crosstable.formats import Given, Reading, file_ratings, registry
from crosstable.model import Answer, Event, Finding, Fix, Rated
from crosstable.systems import DEFAULT, system
from crosstable.systems.what_if import RESULTS, what_if

#: Scores by the words of the page
SCORES = {"won": 1.0, "drew": 0.5, "lost": 0.0}


@dataclass(frozen=True, slots=True)
class RatedFile:
    """A file as it was read and, where that is possible, rated."""

    name: str
    reading: Reading
    event: Event | None
    findings: tuple[Finding, ...]
    rated: Rated | None

    def answer(self, section: int, number: int, pool: str) -> Answer:
        """Return one new rating. Raise CrosstableError if there is none."""
        answers = self.rated.answers if self.rated else ()
        for answer in answers:
            if (answer.section, answer.number, answer.pool) == (section, number, pool):
                return answer
        raise CrosstableError(f"section {section} has no new {pool} rating of number {number}")


@dataclass(frozen=True, slots=True)
class Download:
    """A written file, its name, and what the format could not hold."""

    name: str
    data: bytes
    losses: tuple[str, ...]


@dataclass(slots=True)
class BrowserDesk:
    """What the page works on. `given` is what a person said that the file does not say."""

    system: str = DEFAULT
    name: str = ""
    data: bytes = b""
    given: Given = field(default_factory=Given)
    fixes: list[tuple[Fix, Finding]] = field(default_factory=list)  # in the order in which they were chosen
    assumed_games: int | None = None  # behind ratings of which the file says no number of games
    work: RatedFile | None = None

    def open(self, name: str, data: bytes) -> RatedFile:
        """Read and rate a file. What was said about the file before is forgotten."""
        self.name, self.data, self.given, self.assumed_games = name, data, Given(), None
        self.fixes = []
        return self._rate()

    def say(self, facts: Mapping[str, str]) -> RatedFile:
        """Rate the file again with what a person says about it: dates, time control, mode, pool, name, place."""
        self.given, games = _said(self.given, facts), facts.get("assumed_games", "").strip()
        if games and not games.isdecimal():
            raise WrongValue(f"{games!r} is not a number of games. Enter a number such as 26")
        self.assumed_games = int(games) if games else None
        return self._rate()

    def fix(self, finding: int, fix: int, typed: Mapping[str, str]) -> RatedFile:
        """Carry out a fix of a finding, by their places on the page. Raise FixRefused where it does not fit."""
        work = self._open()
        answered = work.findings[finding]
        chosen = answered.fixes[fix]
        chosen = replace(chosen, values={**chosen.values, **typed})
        if work.event is not None:
            fixes.apply(work.event, chosen.kind, chosen.values)
        self.fixes.append((chosen, answered))
        return self._rate()

    def undo(self) -> RatedFile:
        """Take back the last fix."""
        del self.fixes[-1:]
        return self._rate()

    def _rate(self) -> RatedFile:
        reading = gate.counted(formats.read(self.data, self.name, self.given))
        if reading.draft is not None and self.assumed_games is not None:
            reading = replace(reading, draft=formats.assume_games(reading.draft, self.assumed_games))
        for chosen, answered in self.fixes:
            reading = _fixed(reading, chosen, answered)
        self.work = rate(self.name, reading, self.system)
        return self.work

    def what_if(self, section: int, number: int, pool: str, results: Mapping[int, str]) -> list[tuple[Answer, Answer]]:
        """Return the section's answers as they are and as they would be, the player's own first, then what changed."""
        work = self._open()
        actual, event = work.answer(section, number, pool), work.event
        assert event is not None  # there is an answer  # noqa: S101
        changed: list[Answer] = []

        def rated(other: Event) -> Rated:
            found = system(self.system).rate(other)
            changed.extend(found.answers)
            return found

        own = what_if(event, rated, section, number, {turn: SCORES[word] for turn, word in results.items()})
        mine = next(one for one in own if one.pool == pool)
        before = {(one.section, one.number, one.pool): one for one in (work.rated.answers if work.rated else ())}
        others = [
            (before[key], one)
            for one in changed
            if (key := (one.section, one.number, one.pool)) != (section, number, pool)
            and one.pool == pool
            and key in before
            and before[key].published != one.published
        ]
        return [(actual, mine), *others]

    def write(self, format: str, section: int | None = None) -> Download:
        """Write the event in a format. Raise EventRejected where there is no way."""
        work = self._open()
        event = work.event or work.reading.draft
        if event is None:
            raise CrosstableError("the file could not be read, so there is nothing to save")
        chosen = registry.by_name()[format]
        written = formats.write(event, format, section)
        stem = self.name.rpartition(".")[0] or self.name or "event"
        return Download(f"{stem}{chosen.suffixes[0]}", written.data, written.losses)

    def _open(self) -> RatedFile:
        if self.work is None:
            raise CrosstableError("no file is open")
        return self.work


def _fixed(reading: Reading, chosen: Fix, answered: Finding) -> Reading:
    """Return the reading after a fix; as it was where the fix does not fit any more."""
    event = reading.draft
    if event is None:
        return reading
    try:
        fixed = fixes.apply(event, chosen.kind, chosen.values)
    except fixes.FixRefused:
        return reading
    left = fixes.settled(event, reading.findings, chosen.kind, chosen.values, answered)
    return replace(reading, draft=fixed.event, findings=tuple(left))


def rate(name: str, reading: Reading, chosen: str = DEFAULT) -> RatedFile:
    """Rate what was read; where it cannot be rated, the findings say why."""
    verdict = gate.examine(reading, chosen)
    if verdict.event is None or not verdict.ratable:
        return RatedFile(name, reading, verdict.event, _with_fixes(verdict.event, verdict.findings), None)
    try:
        rated = system(chosen).rate(verdict.event, checked=verdict.system)
    except EventRejected as refused:
        return RatedFile(name, reading, verdict.event, _with_fixes(verdict.event, refused.findings), None)
    findings = dict.fromkeys((*verdict.findings, *rated.findings))
    return RatedFile(name, reading, verdict.event, _with_fixes(verdict.event, findings), rated)


def _with_fixes(event: Event | None, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(findings) if event is None else tuple(fixes.with_fixes(event, findings))


def scores_of(event: Event, section: int, number: int) -> dict[int, str]:
    """Return what a player scored in each round, in the page's words."""
    words = {score: word for word, score in SCORES.items()}
    of_white = {result: score for score, result in RESULTS.items()}
    games = next(one for one in event.sections if one.number == section).games
    found = {}
    for game in games:
        if number in (game.white, game.black) and game.result in of_white:
            score = of_white[game.result]
            found[game.round] = words[score if game.white == number else 1 - score]
    return found


def _said(given: Given, facts: Mapping[str, str]) -> Given:
    """Return what a form says: an empty field says nothing."""

    def text(name: str) -> str | None:
        return facts.get(name, "").strip() or None

    def day(name: str) -> date | None:
        written = text(name)
        return day_of(written, name) if written else None

    pool = text("ratings")
    return replace(
        given,
        start=day("start"),
        end=day("end"),
        time_control=text("time_control"),
        mode=text("mode"),
        ratings=file_ratings.system_key(pool) if pool else None,
        name=text("name"),
        city=text("city"),
        state=text("state"),
        affiliate=text("affiliate"),
        chief_td=text("chief_td"),
    )
