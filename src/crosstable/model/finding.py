"""What is wrong, odd or missing in an event, a file or a request."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Level(enum.StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # must be fixed
    WARNING = "warning"  # fix it, or say that it is meant
    NOTICE = "notice"  # good to know


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, odd or missing: where, what was found, and what to do."""

    level: Level
    code: str  # stable, kebab-case: "self-pairing"
    where: str  # "section 1, player 3" or "line 12"
    message: str  # what was found, quoting it
    advice: str = ""  # what to do

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" {self.advice}" if self.advice else ""
        return f"{self.level}: {place}{self.message}{advice} [{self.code}]"


def errors(findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if finding.level is Level.ERROR]
