"""The columns that every table of requests has: the state, the answer, who decided, and when."""

from __future__ import annotations

import datetime as dt

from django.db import models

from crosstable.office.storage import clock
from crosstable.office.storage.row import Row


class RequestRow(Row):
    """What one person asks and another decides. `office.requests.lifecycle` moves it from state to state."""

    WAITING, GRANTED, REFUSED, TAKEN_BACK, GONE = "waiting", "granted", "refused", "taken back", "gone"

    state: models.CharField[str, str] = models.CharField(max_length=12, default=WAITING, db_index=True)
    answer: models.TextField[str, str] = models.TextField(blank=True, default="")
    decided_by: models.CharField[str, str] = models.CharField(max_length=150, blank=True, default="")
    decided_at: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(
        null=True, blank=True
    )

    class Meta:
        abstract = True

    def close(self, state: str, answer: str, by: str) -> None:
        """Set the state that ends the wait, and save it. `by`: the name in the log of the person who decided."""
        self.state, self.answer = state, answer.strip()
        self.decided_by, self.decided_at = by, clock.now()
        self.save()
