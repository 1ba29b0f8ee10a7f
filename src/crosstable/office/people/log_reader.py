"""Reading the audit log, for those who may."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from crosstable.office.audit.models import AuditEntry
from crosstable.office.people.rights import Actor, require


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries: by whom, what (an act, or the beginning of one), about what, with which word, between which
    days.
    """

    by: str = ""
    act: str = ""
    about: str = ""
    word: str = ""
    since: date | None = None
    until: date | None = None

    def of(self, rows: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        rows = rows.filter(actor__iexact=self.by) if self.by else rows
        rows = rows.filter(action__startswith=self.act) if self.act else rows
        rows = rows.filter(subject__icontains=self.about) if self.about else rows
        rows = rows.filter(Q(reason__icontains=self.word) | Q(details__icontains=self.word)) if self.word else rows
        rows = rows.filter(at__gte=self.since.isoformat()) if self.since else rows
        return rows.filter(at__lt=(self.until + timedelta(days=1)).isoformat()) if self.until else rows


@dataclass(frozen=True, slots=True)
class Entries:
    """One page of entries, newest first, and how many there are."""

    rows: tuple[dict[str, Any], ...]
    total: int
    page: int
    pages: int


def read(actor: Actor, wanted: Wanted | None = None, page: int = 1, size: int = 50) -> Entries:
    """Return the entries that are wanted, newest first."""
    require(actor, "audit.read")
    found = (wanted or Wanted()).of(AuditEntry.objects.order_by("-seq"))
    total = found.count()
    pages = max(1, -(-total // size))
    page = min(max(1, page), pages)
    rows = [
        {
            "seq": one.seq,
            "at": one.at,
            "actor": one.actor,
            "action": one.action,
            "subject": one.subject,
            "reason": one.reason,
            "details": _details(one),
        }
        for one in found[(page - 1) * size : page * size]
    ]
    return Entries(tuple(rows), total, page, pages)


def _details(entry: AuditEntry) -> Any:
    """Return an entry's details; of a damaged one what is left."""
    try:
        return json.loads(entry.details)
    except (TypeError, ValueError):
        return entry.details


def acts(actor: Actor) -> list[str]:
    """Every kind of act that the log tells of."""
    require(actor, "audit.read")
    kinds = AuditEntry.objects.order_by("action").values_list(
        "action", flat=True
    )  # by number each entry would be distinct
    return list(kinds.distinct())
