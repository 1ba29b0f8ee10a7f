"""Findings are declared where they are raised: the code, the level, what it says in one line, and what to do.

docs/checks.md is made from these declarations (`python -m crosstable.checks.catalogue`), and a test finds a code that
is raised and not declared.
"""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.model import Finding, Level


@dataclass(frozen=True, slots=True)
class Code:
    name: str
    level: Level
    says: str  # for the catalogue
    advice: str

    def at(self, where: str, message: str) -> Finding:
        text = message if message.endswith((".", "!", "?")) else f"{message}."
        return Finding(self.level, self.name, where, text, self.advice)


def declare(name: str, level: Level, says: str, advice: str) -> Code:
    """A code that this module raises. `*` stands for the field that is meant: `missing-*`."""
    return Code(name, level, says, advice)
