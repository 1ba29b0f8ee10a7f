"""One row for each run that someone has asked for."""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar, Self

from django.db import models

from crosstable.office.storage import clock


class Job(models.Model):
    """A run: who asked for what, how far it is, and what came of it."""

    WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"

    id: int
    objects: ClassVar[models.Manager[Self]] = models.Manager()

    kind: models.CharField[str, str] = models.CharField(max_length=20)  # see jobs.kinds
    title: models.CharField[str, str] = models.CharField(max_length=200)
    arguments: models.JSONField[Any, Any] = models.JSONField(default=dict)
    author: models.CharField[str, str] = models.CharField(max_length=150)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    state: models.CharField[str, str] = models.CharField(max_length=12, default=WAITING, db_index=True)
    started: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(null=True, blank=True)
    finished: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(null=True, blank=True)
    done: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    total: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)  # 0: no one knows
    result: models.JSONField[Any, Any] = models.JSONField(default=dict)
    error: models.TextField[str, str] = models.TextField(blank=True, default="")

    def __str__(self) -> str:
        return f"job {self.id}: {self.title} ({self.state})"
