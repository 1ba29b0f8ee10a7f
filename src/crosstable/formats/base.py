"""What reading and writing a file gives: an event or findings, never an exception for a bad file."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.model import Event, Finding, errors


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that was read: the event if one came out, and everything that was noticed."""

    format: str
    event: Event | None
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        return self.event is not None and not errors(self.findings)


@dataclass(frozen=True, slots=True)
class Written:
    """A written file, and what its format could not hold."""

    data: bytes
    losses: tuple[str, ...] = ()
