"""Messages, and to whom each was delivered."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models

from crosstable.office.ledger.models import Event, Player
from crosstable.office.storage import clock
from crosstable.office.storage.row import Row

LONGEST_SUBJECT = 200


class Message(Row):
    """Words about something: a decision of the office, or what a person wrote."""

    about: models.CharField[str, str] = models.CharField(max_length=100, db_index=True)  # "submission:316"
    author: models.CharField[str, str] = models.CharField(max_length=150)
    subject: models.CharField[str, str] = models.CharField(max_length=LONGEST_SUBJECT)
    words: models.TextField[str, str] = models.TextField(blank=True)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.about}: {self.subject}"


class Notice(Row):
    """A message in one person's inbox."""

    to_id: int
    to: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notices"
    )
    message_id: int
    message: models.ForeignKey[Message, Message] = models.ForeignKey(
        Message, on_delete=models.PROTECT, related_name="notices"
    )
    read: models.DateTimeField[dt.datetime | None, dt.datetime | None] = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["to", "message"], name="one_notice_each")]

    def __str__(self) -> str:
        return f"{self.message} (to {self.to.username})"


class Follow(Row):
    """A person who follows a player or an event, and gets messages about it."""

    user_id: int
    user: models.ForeignKey[User, User] = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="follows"
    )
    player_id: int | None
    player: models.ForeignKey[Player | None, Player | None] = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    event_id: int | None
    event: models.ForeignKey[Event | None, Event | None] = models.ForeignKey(
        Event, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "player"], name="follow_player_once"),
            models.UniqueConstraint(fields=["user", "event"], name="follow_event_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user.username} follows {self.player or self.event}"
