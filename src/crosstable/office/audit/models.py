"""Two tables: the entries, and one row that says where the chain ends."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from crosstable.office.storage.row import Row


class AuditEntry(Row):
    """One write of the office. Its hash covers everything in the row and the hash before it."""

    seq: models.BigIntegerField[int, int] = models.BigIntegerField(primary_key=True)
    at: models.CharField[str, str] = models.CharField(
        max_length=27
    )  # UTC, to the microsecond, as text: what was hashed is what stands here
    actor: models.CharField[str, str] = models.CharField(max_length=200)
    action: models.CharField[str, str] = models.CharField(max_length=64)
    subject: models.CharField[str, str] = models.CharField(max_length=200)
    reason: models.TextField[str, str] = models.TextField()
    details: models.TextField[str, str] = models.TextField()  # canonical JSON, as it was hashed
    previous: models.CharField[str, str] = models.CharField(max_length=64)
    hash: models.CharField[str, str] = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["seq"]

    def __str__(self) -> str:
        return f"{self.seq} {self.at} {self.actor} {self.action} {self.subject}"


class AuditHead(Row):
    """The end of the chain: how many entries there are, and the last one's hash. Writers queue up at this row."""

    id: models.SmallIntegerField[int, int] = models.SmallIntegerField(primary_key=True, default=1)
    count: models.BigIntegerField[int, int] = models.BigIntegerField()
    hash: models.CharField[str, str] = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.count}:{self.hash}"
