"""The revision of an event that is in force: the one with the highest number."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.errors import CrosstableError
from crosstable.model import Event
from crosstable.model import Section as Document
from crosstable.office.ledger import documents, models, pending_sections
from crosstable.office.ledger.models import Section
from crosstable.office.storage.row import first_or

# A section by its name.


@dataclass(frozen=True, slots=True)
class SectionTab:
    """A section in a list of sections."""

    number: int
    name: str
    players: int


def called(section: Section | Document) -> str:
    return section.name or f"Section {section.number}"


def in_force(**event: int | str) -> models.Revision:
    """By the event's `number`, or its row's `id`."""
    wanted = {f"event__{name}": value for name, value in event.items()}
    return first_or(
        models.Revision.objects.filter(**wanted).select_related("event").order_by("-number"),
        CrosstableError(f"event {next(iter(event.values()))} has no revision"),
    )


def document(**event: int | str) -> Event:
    """Return the content of the revision."""
    revision = in_force(**event)
    return documents.unpack(revision.document, revision.event.number)


def imported_hash() -> str:
    """Return one hash over the documents of all imported revisions, which no act ever changes."""
    rows = models.Revision.objects.filter(kind="imported").order_by("event__number", "number")
    return documents.hash_of_all(rows.values_list("event__number", "document").iterator(chunk_size=500))


def rated_document(**event: int | str) -> Event:
    """Return the same without the sections that wait."""
    revision = in_force(**event)
    return pending_sections.without(
        documents.unpack(revision.document, revision.event.number), pending_sections.numbers(revision.event)
    )
