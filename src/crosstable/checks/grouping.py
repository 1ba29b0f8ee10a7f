"""Findings as people read them: players by name, and many of one kind as one line with the count and the first few."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from crosstable.checks import in_order
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Finding, Level

_PLACE = re.compile(r"(?:section (\d+), ((?:[^,]+, )?row \d+, )?)?player (\d+)\b")
_PAIR = re.compile(r"\bplayers (\d+) and (\d+)\b")
_TABLE = re.compile(r"\btable, (?=row \d)")
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


def grouped(findings: Iterable[Finding], event: Event | None = None) -> list[Line]:
    """One line for each finding, and one for all of a kind where there are many. Errors first."""
    kinds: dict[tuple[Level, str, str], list[Finding]] = {}
    for finding in in_order(tuple(findings)):
        kinds.setdefault((finding.level, finding.code, finding.advice), []).append(finding)
    lines: list[Line] = []
    for (level, code, advice), some in kinds.items():
        if len(some) <= _FEW:
            lines += [Line(level, code, _sentence(finding, event)) for finding in some]
        else:
            lines.append(Line(level, code, f"{_many(some, event)} {advice}".strip(), len(some)))
    return lines


def counts(findings: Iterable[Finding]) -> str:
    """`1 error, 2 warnings, no notices`."""
    levels = [finding.level for finding in findings]
    return ", ".join(plural(levels.count(level), str(level)) for level in Level)


def plural(count: int, word: str) -> str:
    """`1 player`, `2 players`, `no players`."""
    return f"{count if count else 'no'} {word}{'' if count == 1 else 's'}"


def _sentence(finding: Finding, event: Event | None) -> str:
    where = place(finding.where, event)
    return " ".join(
        part for part in (f"{where}:" if where else "", named(finding.message, event), finding.advice) if part
    )


def _many(findings: list[Finding], event: Event | None) -> str:
    messages = {finding.message for finding in findings}
    if len(messages) == 1:
        shown = "; ".join(place(finding.where, event) for finding in findings[:_FEW])
        if next(iter(messages)).startswith("not ") and all(one.where.startswith("player ") for one in findings):
            return f"{len(findings)} players are {messages.pop()} {shown}; and {len(findings) - _FEW} more."
        return f"{len(findings)} times: {messages.pop()} {shown}; and {len(findings) - _FEW} more."
    shown = "; ".join(f"{place(f.where, event)}: {named(f.message, event).rstrip('.')}" for f in findings[:_FEW])
    return f"{len(findings)} times: {shown}; and {len(findings) - _FEW} more."


def place(where: str, event: Event | None) -> str:
    """`section 1, player 3, round 2` with the player's name; one section alone is not named."""
    if event is None:
        return where
    only = len(event.sections) == 1
    found = _PLACE.search(where)
    if found is None:
        where = named(where, event)
        return where.removeprefix("section 1, ") if only and event.sections[0].number == 1 else where
    text = _TABLE.sub("", where)
    section, row, number = found[1], _TABLE.sub("", found[2] or ""), found[3]
    if section is None and (whose := _name_of_id(event, number)):
        return _PLACE.sub(lambda _: f"{whose} ({number})", text, count=1)
    name = _name(event, section, number)
    if not name:
        return text
    before = row if only or not section else f"section {section}, {row}"
    return _PLACE.sub(lambda _: f"{before}{name} (no. {number})", text, count=1)


def named(message: str, event: Event | None) -> str:
    """`player 3 beat 7`: the players of an event with one section by name."""
    if event is None or len(event.sections) != 1:
        return message

    def with_name(number: str) -> str:
        name = _name(event, None, number)
        return f"{name} (no. {number})" if name else f"player {number}"

    pairs = _PAIR.sub(lambda pair: f"{with_name(pair[1])} and {with_name(pair[2])}", message)
    return _PLACE.sub(lambda one: with_name(one[3]), pairs)


def _name_of_id(event: Event, number: str) -> str:
    """An office names players by their ids: `player 30000001`."""
    names = (player.name for section in event.sections for player in section.players if player.id == number)
    return first_name_first(next(names, ""))


def _name(event: Event, section: str | None, number: str) -> str:
    for one in event.sections:
        if section is None and len(event.sections) > 1:
            return ""
        if section is None or one.number == int(section):
            name = next((player.name for player in one.players if player.number == int(number)), "")
            return first_name_first(name)
    return ""
