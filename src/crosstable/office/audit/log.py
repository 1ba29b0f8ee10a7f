"""Writing the log: one entry for each write, inside the writer's own transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from crosstable.errors import CrosstableError
from crosstable.office.audit.models import AuditEntry, AuditHead
from crosstable.office.storage import clock

GENESIS = "0" * 64

#: What no log may tell; a caller who tries has a bug.
PRIVATE_KEYS = frozenset({"birth_date", "birth_year", "birthday", "born", "age", "dob", "password", "token"})


class AuditError(CrosstableError):
    """The log was used wrongly: outside a transaction, without an actor, or with private data."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where the chain ends: what a published list prints, and what `audit verify` can be compared with."""

    count: int
    hash: str

    def __str__(self) -> str:
        return f"{self.count}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> Head:
        count, _, digest = text.strip().partition(":")
        if not count.isdigit() or len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise AuditError(
                f"{text!r} is not a head of the log, which looks like 1234:9f86d0…, as printed on every list"
            )
        return cls(int(count), digest)


def record(
    actor: str, action: str, subject: str, reason: str = "", details: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Append one entry. The chain's head is locked until the caller's transaction ends, so entries never fork.

    `reason`: what a person wrote was looked through by `input_checks.reasons` before the transaction began.
    """
    if not transaction.get_connection().in_atomic_block:
        raise AuditError(f"{action}: an audit entry belongs into the transaction of the write that it tells of")
    if not actor or not action:
        raise AuditError(f"{action or 'a write'} of {subject!r}: an audit entry names who did what")
    refuse_private(details or {})
    head = AuditHead.objects.select_for_update().get(id=1)
    entry = AuditEntry(
        seq=head.count + 1,
        at=clock.stamp(),
        actor=actor[:200],
        action=action[:64],
        subject=subject[:200],
        reason=reason,
        details=canonical(details or {}),
        previous=head.hash,
    )
    entry.hash = digest(entry)
    entry.save(force_insert=True)
    AuditHead.objects.filter(id=1).update(count=entry.seq, hash=entry.hash)
    return entry


def head() -> Head:
    row = AuditHead.objects.get(id=1)
    return Head(row.count, row.hash)


def digest(entry: AuditEntry) -> str:
    """SHA-256 over every column of the row, the previous hash among them."""
    columns = [entry.seq, entry.at, entry.actor, entry.action, entry.subject, entry.reason, entry.details]
    return hashlib.sha256(canonical([*columns, entry.previous]).encode()).hexdigest()


def details_of(entry: AuditEntry) -> dict[str, Any]:
    """Return an entry's details; nothing where they are damaged, which `verify` reports."""
    try:
        found = json.loads(entry.details)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


def refuse_private(details: Any, path: str = "details") -> None:
    if isinstance(details, Mapping):
        for key, value in details.items():
            if str(key).lower() in PRIVATE_KEYS:
                raise AuditError(f"{path}.{key}: birth dates, ages and secrets never enter the log")
            refuse_private(value, f"{path}.{key}")
    elif isinstance(details, list | tuple):
        for index, value in enumerate(details):
            refuse_private(value, f"{path}[{index}]")
