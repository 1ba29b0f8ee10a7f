"""What has changed in a report since an officer last acted on it: commented, asked, sent back or decided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.dateparse import parse_datetime

from crosstable.model.difference import Difference, PlayerChanged, ResultChanged
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Event, Revision, Submission
from crosstable.office.people.rights import Actor
from crosstable.office.requests.corrections import changed_between


@dataclass(frozen=True, slots=True)
class Since:
    """The officer's last act on a report, and what differs from the version that the officer saw then."""

    at: datetime
    by: str  # who sent the newer version
    differences: tuple[Difference, ...]

    def rounds(self, section: int, number: int) -> frozenset[int]:
        """Return the rounds of a row with another result."""
        return frozenset(
            one.round
            for one in self.differences
            if isinstance(one, ResultChanged) and one.section == section and number in (one.white, one.black)
        )

    def named(self, section: int, number: int) -> bool:
        """Whether a row has another player."""
        return any(
            isinstance(one, PlayerChanged) and (one.section, one.number) == (section, number)
            for one in self.differences
        )


def since_review(actor: Actor, event: Event) -> Since | None:
    """Return what changed; None where this officer has not acted on the report, or nothing came since."""
    files = Submission.objects.filter(event=event).values_list("id", flat=True)
    subjects = [f"event:{event.number}", *(f"submission:{one}" for one in files)]
    mine = Q(actor=actor.user) | Q(actor__startswith=f"{actor.user}/")
    last = AuditEntry.objects.filter(mine, subject__in=subjects).order_by("-seq").first()
    at = parse_datetime(last.at) if last else None
    newest = Revision.objects.filter(event=event).order_by("-number").first()
    if at is None or newest is None:
        return None
    seen = Revision.objects.filter(event=event, at__lte=at).order_by("-number").first()
    if seen is None or seen.number == newest.number:
        return None
    old, new = (documents.unpack(one.document, event.number) for one in (seen, newest))
    return Since(at, newest.author, tuple(changed_between(actor, old, new)))
