"""Correction requests: one row each, with the file byte by byte."""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar, Self

from django.db import models

from crosstable.office.ledger.models import Event
from crosstable.office.storage import clock


class CorrectionRequest(models.Model):
    """A director asks that an event say something else."""

    ASKED, GRANTED, REFUSED, TAKEN_BACK = "asked", "granted", "refused", "taken back"

    id: int
    objects: ClassVar[models.Manager[Self]] = models.Manager()

    event_id: int
    event: models.ForeignKey[Event, Event] = models.ForeignKey(
        Event, on_delete=models.PROTECT, related_name="correction_requests"
    )
    file_name: models.CharField[str, str] = models.CharField(max_length=255)
    data: models.BinaryField[bytes, bytes] = models.BinaryField()
    sha256: models.CharField[str, str] = models.CharField(max_length=64)
    reason: models.TextField[str, str] = models.TextField()
    author: models.CharField[str, str] = models.CharField(max_length=150)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    #: for the queue: how many results, players and facts differ, and in which sections
    summary: models.JSONField[Any, Any] = models.JSONField(default=dict)
    state: models.CharField[str, str] = models.CharField(max_length=12, default=ASKED, db_index=True)
    answer: models.TextField[str, str] = models.TextField(blank=True, default="")
    decided_by: models.CharField[str, str] = models.CharField(max_length=150, blank=True, default="")
    decided_at: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(
        null=True, blank=True
    )
    #: the event's revision that came of it
    revision: models.IntegerField[int | None, int | None] = models.IntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return f"correction request {self.id} ({self.state})"
