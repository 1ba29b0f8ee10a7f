"""Reading the audit log, for those who may."""

from __future__ import annotations

from typing import Any

from crosstable.office.audit.models import AuditEntry
from crosstable.office.people.rights import Actor, require


def last(actor: Actor, count: int) -> list[dict[str, Any]]:
    """The newest entries, newest first."""
    require(actor, "audit.read")
    names = ("seq", "at", "actor", "action", "subject", "reason", "details")
    return [dict(row) for row in AuditEntry.objects.order_by("-seq").values(*names)[:count]]
