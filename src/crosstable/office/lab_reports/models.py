"""Reports of the lab that an officer has published."""

from __future__ import annotations

import datetime as dt

from django.db import models

from crosstable.office.storage import clock
from crosstable.office.storage.row import Row


class PublishedReport(Row):
    """What the lab found, as published; one that was withdrawn stays, and no one is shown it."""

    title: models.CharField[str, str] = models.CharField(max_length=200)
    content: models.TextField[str, str] = models.TextField()  # JSON: what the page shows
    sha256: models.CharField[str, str] = models.CharField(max_length=64, unique=True)  # of the file that came in
    author: models.CharField[str, str] = models.CharField(max_length=150)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    withdrawn: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(
        null=True, blank=True
    )
