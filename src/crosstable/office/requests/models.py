"""The tables of requests. Floor requests are in the ledger, because rating opens and closes them."""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models

from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import user_name
from crosstable.office.storage import clock
from crosstable.office.storage.request_row import RequestRow

#: What pages and the log call a person without an account
VISITOR = "a visitor"


class CorrectionRequest(RequestRow):
    """A director asks for a new version of an event's report."""

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
    #: the event's revision that came of it
    revision: models.IntegerField[int | None, int | None] = models.IntegerField(null=True, blank=True)

    class Meta:
        db_table = "corrections_correctionrequest"

    def __str__(self) -> str:
        return f"correction request {self.id} ({self.state})"


class Request(RequestRow):
    """A claim ("I am this player") or the report of a mistake ("my round 3 was a draw")."""

    CLAIM, MISTAKE = "claim", "mistake"
    #: A visitor's report that no one has confirmed by its link: not in any list
    UNCONFIRMED = "unconfirmed"

    kind: models.CharField[str, str] = models.CharField(max_length=8)
    user_id: int | None
    #: nothing: a visitor without an account (`visitors`), with an e-mail address or a private link alone
    user: models.ForeignKey[User | None, User | None] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="requests"
    )
    email: models.CharField[str, str] = models.CharField(max_length=254, blank=True, default="", db_default="")
    #: the hash of a visitor's private link
    link: models.CharField[str, str] = models.CharField(max_length=64, blank=True, default="", db_default="")
    #: the id that is claimed; of a report, the player that its author is, if the office knows
    player: models.CharField[str, str] = models.CharField(max_length=32, blank=True, default="")
    event: models.CharField[str, str] = models.CharField(max_length=60, blank=True, default="", db_index=True)
    section: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    round: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    #: how the author's own game of that round ended, says the author: win, draw, loss, or nothing
    result: models.CharField[str, str] = models.CharField(max_length=4, blank=True, default="")
    words: models.TextField[str, str] = models.TextField(blank=True)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    #: the correction request that came of it
    correction: models.BigIntegerField[int | None, int | None] = models.BigIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(kind="claim", state="waiting"), name="one_claim_at_a_time"
            )
        ]

    @property
    def author_name(self) -> str:
        """Return the user name of the person who asked; a visitor has none, and no user name holds a blank."""
        return self.user.username if self.user else VISITOR

    def __str__(self) -> str:
        return f"request {self.id} ({self.kind}, {self.state})"


class Proposal(RequestRow):
    """What one officer proposes and another decides. Approving carries out exactly the `payload`."""

    action: models.CharField[str, str] = models.CharField(max_length=64)
    subject: models.CharField[str, str] = models.CharField(max_length=200)
    payload: models.TextField[str, str] = models.TextField()  # canonical JSON
    reason: models.TextField[str, str] = models.TextField()
    proposed_by_id: int
    proposed_by: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at: models.CharField[str, str] = models.CharField(max_length=27)
    # users and not names, so that the database itself can compare the two officers
    decided_by_id: int | None
    decided_by: models.ForeignKey[User | None, User | None] = models.ForeignKey(  # type: ignore[assignment]  # a user
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at: models.CharField[str, str] = models.CharField(  # type: ignore[assignment]  # text
        max_length=27, blank=True, default=""
    )

    class Meta:
        db_table = "people_proposal"
        constraints: ClassVar = [
            models.CheckConstraint(
                name="two_officers",
                condition=~models.Q(state="granted") | ~models.Q(decided_by=models.F("proposed_by")),
            )
        ]

    def close(self, state: str, answer: str, by: str) -> None:
        self.state, self.answer = state, answer.strip()
        self.decided_by, self.decided_at = User.objects.get(username=user_name(by)), clock.stamp()
        self.save()

    def __str__(self) -> str:
        return f"{self.action} {self.subject} ({self.state})"
