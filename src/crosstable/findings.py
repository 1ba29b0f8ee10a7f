"""Findings are declared where they are raised: the code, the level, what it says in one line, and what to do.

docs/checks.md is made from these declarations (`python -m crosstable.checks.catalogue`), and a test finds a code that
is raised and not declared.
"""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.model import Finding, Level, Place
from crosstable.model.finding import Fact, Players


@dataclass(frozen=True, slots=True)
class Code:
    name: str
    level: Level
    says: str  # for the catalogue
    advice: str

    def at(self, where: Place | str, message: str, **facts: Fact) -> Finding:
        """Return a finding of this code. `where`: a place, or the name of a part of the file or the event.

        `facts` has what a program needs to know of the message. A message that names players has fields for its facts.
        """
        text = message if message.endswith((".", "!", "?")) else f"{message}."
        named = any(isinstance(fact, Players) for fact in facts.values())
        return Finding(
            level=self.level,
            code=self.name,
            place=place_of(where),
            message=text.format_map({name: _plain(fact) for name, fact in facts.items()}) if named else text,
            advice=self.advice,
            facts=facts,
            sentence=text if named else "",
        )


def place_of(where: Place | str) -> Place:
    """Return a place; a word alone is the name of a part."""
    return Place(part=where) if isinstance(where, str) else where


def _plain(fact: Fact) -> Fact:
    """Return players as a program knows them: by their numbers."""
    if not isinstance(fact, Players):
        return fact
    return f"player{'' if len(fact.numbers) == 1 else 's'} {' and '.join(map(str, fact.numbers))}"


def declare(name: str, level: Level, says: str, advice: str) -> Code:
    """Declare a code that this module raises. `*` replaces the field that is meant: `missing-*`."""
    return Code(name, level, says, advice)
