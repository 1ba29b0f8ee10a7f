"""Reports that are not sent yet, which only their owner reads, comments on rows, and announcements of events.

Nothing in these tables is part of the ledger.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar

from django.db import models

from crosstable.office.ledger.models import Event, Submission
from crosstable.office.storage import clock
from crosstable.office.storage.row import Row


class Draft(Row):
    """A report that its owner works on: what was read of its newest file, with the mends since."""

    OPEN, SENT, DISCARDED = "open", "sent", "discarded"

    owner: models.CharField[str, str] = models.CharField(max_length=150, db_index=True)
    state: models.CharField[str, str] = models.CharField(max_length=12, default=OPEN)
    file_name: models.CharField[str, str] = models.CharField(max_length=255)
    format: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    #: the event document, as the ledger packs one; nothing where no event could be read
    document: models.BinaryField[bytes | None, bytes | None] = models.BinaryField(null=True)
    #: what reading the file found, without what the mends have settled
    reading: models.JSONField[Any, Any] = models.JSONField(default=list)
    #: a typed report as it stands in its cells (see grid)
    typed: models.JSONField[Any, Any] = models.JSONField(null=True)
    #: counts every change: who saves over a newer state is told so
    version: models.IntegerField[int, int] = models.IntegerField(default=1)
    #: the event that waits in the office and will be replaced
    replaces: models.CharField[str, str] = models.CharField(max_length=60, blank=True)
    #: the rated event whose correction is asked for
    corrects: models.CharField[str, str] = models.CharField(max_length=60, blank=True)
    submission_id: int | None
    submission: models.ForeignKey[Submission | None, Submission | None] = models.ForeignKey(
        Submission, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    changed: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)


class PreviewedVersion(Row):
    """A version of a report whose preview someone has seen today, for each player whose age would move a rating.

    Only the counts matter (see preview_limit): yesterday's rows are deleted.
    """

    viewer: models.CharField[str, str] = models.CharField(max_length=150)
    player: models.CharField[str, str] = models.CharField(max_length=40)
    day: models.DateField[dt.date, dt.date] = models.DateField()
    version: models.CharField[str, str] = models.CharField(max_length=64)  # the SHA-256 of the report

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["viewer", "player", "day", "version"], name="previewed_once")
        ]


class DraftFile(Row):
    """An original file of a draft. The newest one is read; the others are kept."""

    FILE, TEXT, GRID = "file", "text", "grid"

    draft_id: int
    draft: models.ForeignKey[Draft, Draft] = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="files")
    kind: models.CharField[str, str] = models.CharField(max_length=8, default=FILE)
    file_name: models.CharField[str, str] = models.CharField(max_length=255)
    data: models.BinaryField[bytes, bytes] = models.BinaryField()
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)


class Mend(Row):
    """One thing that its owner put right: who, when, where, what from, what to; and the draft as it was before."""

    draft_id: int
    draft: models.ForeignKey[Draft, Draft] = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="mends")
    action: models.CharField[str, str] = models.CharField(max_length=20)
    values: models.JSONField[Any, Any] = models.JSONField(default=dict)
    place: models.CharField[str, str] = models.CharField(max_length=200, blank=True)
    before: models.CharField[str, str] = models.CharField(max_length=300, blank=True)
    after: models.CharField[str, str] = models.CharField(max_length=300, blank=True)
    #: the finding that it answers: level, code, where, message
    finding: models.JSONField[Any, Any] = models.JSONField(null=True)
    author: models.CharField[str, str] = models.CharField(max_length=150)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    undone: models.BooleanField[bool, bool] = models.BooleanField(default=False)
    was_document: models.BinaryField[bytes | None, bytes | None] = models.BinaryField(null=True)
    games_before: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    games_after: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    was_reading: models.JSONField[Any, Any] = models.JSONField(default=list)


class RowComment(Row):
    """A comment on a row of a report, or an answer to one. The first comment of a thread has no `thread`."""

    event_id: int
    event: models.ForeignKey[Event, Event] = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="+")
    section: models.IntegerField[int, int] = models.IntegerField()
    number: models.IntegerField[int, int] = models.IntegerField()  # the row's pairing number
    thread_id: int | None
    thread: models.ForeignKey[RowComment | None, RowComment | None] = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="answers"
    )
    author: models.CharField[str, str] = models.CharField(max_length=150)
    words: models.TextField[str, str] = models.TextField()
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    #: of a thread's first comment: who resolved it, and when
    resolved_by: models.CharField[str, str] = models.CharField(max_length=150, blank=True)
    resolved: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(null=True, blank=True)


class Announcement(Row):
    """An event that a director announces before it is played. Its status follows from the days and from its report."""

    OPEN, CANCELLED, REMOVED = "open", "cancelled", "removed"

    owner: models.CharField[str, str] = models.CharField(max_length=150, db_index=True)
    condition: models.CharField[str, str] = models.CharField(max_length=12, default=OPEN)
    name: models.CharField[str, str] = models.CharField(max_length=200)
    start: models.DateField[dt.date, dt.date] = models.DateField()
    end: models.DateField[dt.date, dt.date] = models.DateField(db_index=True)
    city: models.CharField[str, str] = models.CharField(max_length=100, blank=True)
    state: models.CharField[str, str] = models.CharField(max_length=40, blank=True)
    time_control: models.CharField[str, str] = models.CharField(max_length=60, blank=True)
    rounds: models.IntegerField[int | None, int | None] = models.IntegerField(null=True, blank=True)
    link: models.CharField[str, str] = models.CharField(max_length=200, blank=True)
    #: the report that its director chose; without one, the report is found by days and name
    event_id: int | None
    event: models.ForeignKey[Event | None, Event | None] = models.ForeignKey(
        Event, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.name} ({self.start})"
