"""The tables of requests: corrections that directors ask for, and what players ask."""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models

from crosstable.office.ledger.models import Event
from crosstable.office.storage import clock
from crosstable.office.storage.row import Row


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

    class Meta:
        db_table = "corrections_correctionrequest"

    def __str__(self) -> str:
        return f"correction request {self.id} ({self.state})"


class Request(Row):
    """A claim ("I am this player") or the report of a mistake ("my round 3 was a draw"), and the office's answer."""

    CLAIM, MISTAKE = "claim", "mistake"
    #: `granted`: the claim is confirmed, the mistake mended; `refused`: it stays as it is
    WAITING, GRANTED, REFUSED, TAKEN_BACK = "waiting", "granted", "refused", "taken back"

    kind: models.CharField[str, str] = models.CharField(max_length=8)
    user_id: int
    user: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="requests"
    )
    #: the id that is claimed; of a report, the player that its author is, if the office knows
    player: models.CharField[str, str] = models.CharField(max_length=32, blank=True, default="")
    event: models.CharField[str, str] = models.CharField(max_length=60, blank=True, default="", db_index=True)
    section: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    round: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    #: how the author's own game of that round ended, says the author: win, draw, loss, or nothing
    result: models.CharField[str, str] = models.CharField(max_length=4, blank=True, default="")
    words: models.TextField[str, str] = models.TextField(blank=True)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    state: models.CharField[str, str] = models.CharField(max_length=12, default=WAITING, db_index=True)
    answer: models.TextField[str, str] = models.TextField(blank=True, default="")
    decided_by: models.CharField[str, str] = models.CharField(max_length=150, blank=True, default="")
    decided_at: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(
        null=True, blank=True
    )
    #: the correction request that came of it
    correction: models.BigIntegerField[int | None, int | None] = models.BigIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(kind="claim", state="waiting"), name="one_claim_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"request {self.id} ({self.kind}, {self.state})"
