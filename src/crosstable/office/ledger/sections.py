"""A section by its name."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.model import Section as Document
from crosstable.office.ledger.models import Section


@dataclass(frozen=True, slots=True)
class SectionTab:
    """A section in a list of sections."""

    number: int
    name: str
    players: int


def called(section: Section | Document) -> str:
    return section.name or f"Section {section.number}"
