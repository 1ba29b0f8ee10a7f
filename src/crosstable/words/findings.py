"""Findings as people and programs read them: players by name, and many of one kind as one line with the first few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from crosstable.checks import in_order
from crosstable.fixes import with_fixes
from crosstable.fixes.places import place_of
from crosstable.model import Event, Finding, Level
from crosstable.model.finding import Fact, Place, Players
from crosstable.words.fixes import fix_to_json
from crosstable.words.places import place_text, player_text, section_of

#: So many of one kind stand in full; of more, so many are named.
_FEW = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One line: the finding, or many of one kind."""

    level: Level
    code: str
    text: str
    count: int = 1

    def __str__(self) -> str:
        return f"{self.level}: {self.text} [{self.code}]"


def finding_text(finding: Finding) -> str:
    """Return a finding in one line, with its level and code."""
    return str(line_of(finding))


def line_of(finding: Finding, event: Event | None = None) -> Line:
    """Return the line of one finding."""
    return Line(finding.level, finding.code, _sentence(finding, event))


def findings_to_json(findings: Iterable[Finding], event: Event | None = None, file: str = "") -> list[dict[str, Any]]:
    """Return findings for programs: with the event they know their sections and their fixes, and the file's name."""
    found = list(findings) if event is None else with_fixes(event, findings)
    return [finding_to_json(one, event, file) for one in found]


def finding_to_json(finding: Finding, event: Event | None = None, file: str = "") -> dict[str, Any]:
    """Return a finding for programs; `where` is its place in words."""
    return {
        "level": str(finding.level),
        "code": finding.code,
        "place": _whole_place(finding, event, file).to_json(),
        "where": place_text(finding.place),
        "facts": {name: _fact_to_json(fact) for name, fact in finding.facts.items()},
        "message": finding.message,
        "advice": finding.advice,
        "fixes": [fix_to_json(fix, finding, event) for fix in finding.fixes],
    }


def _whole_place(finding: Finding, event: Event | None, file: str) -> Place:
    """Return the place with the file, and with the section where the event says which one is meant."""
    place = finding.place if finding.place.file or finding.place.text else finding.place.at(file=file)
    if event is None or place.section is not None:
        return place
    return place.at(section=place_of(finding, event).section)


def facts_from_json(facts: Mapping[str, Any]) -> dict[str, Fact]:
    """Return the facts that `finding_to_json` wrote."""
    return {name: _fact_from_json(fact) for name, fact in facts.items()}


def grouped(findings: Iterable[Finding], event: Event | None = None) -> list[Line]:
    """Return one line for each finding, and one for all of a kind where there are many. Errors first."""
    kinds: dict[tuple[Level, str, str], list[Finding]] = {}
    for finding in in_order(tuple(findings)):
        kinds.setdefault((finding.level, finding.code, finding.advice), []).append(finding)
    lines: list[Line] = []
    for (level, code, advice), some in kinds.items():
        if len(some) <= _FEW:
            lines += [line_of(finding, event) for finding in some]
        else:
            lines.append(Line(level, code, f"{_many(some, event)} {advice}".strip(), len(some)))
    return lines


def counts(findings: Iterable[Finding]) -> str:
    """Return how many there are of each level: `1 error, 2 warnings, no notices`."""
    levels = [finding.level for finding in findings]
    return ", ".join(plural(levels.count(level), str(level)) for level in Level)


def plural(count: int, word: str) -> str:
    """Return a count: `1 player`, `2 players`, `no players`."""
    ending = "" if count == 1 else "es" if word.endswith(("x", "ch")) else "s"
    return f"{count if count else 'no'} {word}{ending}"


def message_text(finding: Finding, event: Event | None) -> str:
    """Return what was found, with the names of the players that it mentions."""
    section = section_of(finding.place, event)
    if not finding.sentence or section is None:
        return finding.message

    def shown(fact: Fact) -> Fact:
        if not isinstance(fact, Players):
            return fact
        return " and ".join(player_text(number, section) for number in fact.numbers)

    return finding.sentence.format_map({name: shown(fact) for name, fact in finding.facts.items()})


def _sentence(finding: Finding, event: Event | None) -> str:
    where = place_text(finding.place, event)
    parts = (f"{where}:" if where else "", message_text(finding, event), finding.advice)
    return " ".join(part for part in parts if part)


def _many(findings: list[Finding], event: Event | None) -> str:
    messages = {finding.message for finding in findings}
    if len(messages) == 1:
        shown = "; ".join(place_text(finding.place, event) for finding in findings[:_FEW])
        if findings[0].code == "new-player":
            return f"{len(findings)} players are {messages.pop()} {shown}; and {len(findings) - _FEW} more."
        return f"{len(findings)} times: {messages.pop()} {shown}; and {len(findings) - _FEW} more."
    shown = "; ".join(f"{place_text(f.place, event)}: {message_text(f, event).rstrip('.')}" for f in findings[:_FEW])
    return f"{len(findings)} times: {shown}; and {len(findings) - _FEW} more."


def _fact_to_json(fact: Fact) -> Any:
    if isinstance(fact, Players):
        return {"players": list(fact.numbers)}
    return list(fact) if isinstance(fact, tuple) else fact


def _fact_from_json(fact: Any) -> Fact:
    if isinstance(fact, dict):
        return Players(tuple(fact["players"]))
    return tuple(fact) if isinstance(fact, list) else fact


def stored_place(row: Mapping[str, Any]) -> Place:
    """Return the place of a finding that `finding_to_json` wrote; of one from before it had parts, its text."""
    return Place.from_json(row["place"]) if "place" in row else Place(text=row["where"])
