"""What reading and writing a file gives: an event or findings, never an exception for a bad file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from crosstable.errors import EventRejected
from crosstable.model import Event, Finding, errors


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that was read: the event, and everything that was noticed.

    `draft` is what came out of the file, also where it has errors: for a desk on which they are corrected. `event` is
    the same without errors, and raises EventRejected with all findings otherwise: so no one rates a wrong result or a
    rating that could not be read by looking past them.
    """

    format: str
    draft: Event | None
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        return self.draft is not None and not errors(self.findings)

    @property
    def event(self) -> Event:
        if self.draft is None or errors(self.findings):
            raise EventRejected(self.findings)
        return self.draft


def in_section(number: int, findings: Iterable[Finding]) -> list[Finding]:
    """Return findings of a file with several sections: each says in which one,
    so that it does not hold up the others.
    """
    return [
        one if one.place.section is not None else replace(one, place=one.place.at(section=number)) for one in findings
    ]


class Loss(str):
    """A field that a format could not hold, and how often: `player.birth_date (12)`."""

    path: tuple[str, ...]  # ("player", "birth_date")
    times: int

    def __new__(cls, path: str, times: int = 1, *, counted: bool = False) -> Loss:
        """Say the number even where it is one if it is `counted`: sections that were left out by choice."""
        found = super().__new__(cls, f"{path} ({times})" if counted or times != 1 else path)
        found.path, found.times = tuple(path.split(".")), times
        return found


@dataclass(frozen=True, slots=True)
class Written:
    """A written file, and what its format could not hold."""

    data: bytes
    losses: tuple[Loss, ...] = ()
