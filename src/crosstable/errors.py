"""One small tree of exceptions.

Bad *input* is never an exception at the command line: it becomes findings (see model).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crosstable.model import Finding


class CrosstableError(Exception):
    """The root: catch this to catch all of ours."""


class RulebookError(CrosstableError):
    """A rule file breaks the rulebook's own rules (unknown key, overlap, gap, missing source)."""


class NoRulesOnDate(RulebookError):
    """Nothing is in force on that date; the message names the first date on which something is."""


class WrongValue(CrosstableError, ValueError):
    """A value that a record, a setting or a column cannot hold; the message names the field and quotes the value."""


class MissingExtra(CrosstableError):
    """An optional part is not installed; the message says what to install."""


class UnknownTimeControl(CrosstableError):
    """A time control that we cannot read; the message quotes it."""


class UnknownSystem(CrosstableError):
    """No rating system of that name."""


class UnknownPool(CrosstableError):
    """No pool of that name or for that time control, or it did not exist yet on that date."""


class EventRejected(CrosstableError):
    """An event that cannot be read or rated as it stands. Carries every finding; the message has a line for each."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        errors_first = sorted(self.findings, key=lambda finding: finding.level != "error")
        super().__init__("\n".join(str(finding) for finding in errors_first))


class HiddenValue(CrosstableError, TypeError):
    """A number that may not be shown was formatted or computed with."""

    def __init__(self) -> None:
        super().__init__("this number is hidden: it would reveal a player's age")


class OfficeError(CrosstableError):
    """Something the office cannot do as asked; the message says what to do instead."""
