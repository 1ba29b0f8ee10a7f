"""The same event twice: two accepted events with one content are refused."""

from __future__ import annotations

from crosstable.model import Finding
from crosstable.office.ledger import models
from crosstable.systems.structure import error

#: Which of several events with one content a file is: one that counts before one that waits, a withdrawn one last
_FIRST = (models.Event.ACCEPTED, models.Event.SUBMITTED, models.Event.WITHDRAWN, models.Event.REFUSED)


def known(content_hash: str) -> models.Event | None:
    """The event that says exactly this now. What a correction has replaced is no longer what an event says."""
    rows = models.Event.objects.filter(content_hash=content_hash).order_by("number")
    return min(rows, key=lambda row: _FIRST.index(row.status), default=None)


def refused_as_same(row: models.Event) -> list[Finding]:
    """No event counts twice, by whatever way it got its content."""
    rated = models.Event.objects.filter(content_hash=row.content_hash, status=models.Event.ACCEPTED)
    other = rated.exclude(id=row.id).order_by("number").first()
    if other is None:
        return []
    message = f"event {other.number} has been accepted with exactly this content."
    return [error("same-event", "event", message, f"Withdraw {row.number}, or correct the one that is wrong.")]
