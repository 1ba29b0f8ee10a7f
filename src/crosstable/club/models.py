"""What a club knows besides its office: who is here tonight, who sits at which board, wishes, and every tap.

No result and no rating stands here. A night's results are its event's in the office's ledger.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar

from django.db import models

from crosstable.office.ledger.models import Player
from crosstable.office.storage import clock
from crosstable.office.storage.row import Row


class Club(Row):
    """The club's choices: one row, id 1. Its name is the office's."""

    NOBODY, LADDER = "nobody", "ladder"
    ROUNDS, FREE = "rounds", "free"

    pin: models.CharField[str, str] = models.CharField(max_length=200)  # hashed
    #: who sees anything without the PIN: no one, or all visitors see the ladder
    public: models.CharField[str, str] = models.CharField(max_length=10, default=LADDER)
    #: pair all children at once, or those who are free
    mode: models.CharField[str, str] = models.CharField(max_length=10, default=ROUNDS)


class PinFailure(Row):
    """A wrong PIN: too many from one address, and it must wait."""

    address: models.CharField[str, str] = models.CharField(max_length=64, db_index=True)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)


class Season(Row):
    name: models.CharField[str, str] = models.CharField(max_length=80, unique=True)
    start: models.DateField[dt.date, dt.date] = models.DateField()
    fresh: models.BooleanField[bool, bool] = models.BooleanField(default=False)  # all ratings began anew


class Child(Row):
    """A member of the club. The name stands in the office's register, and nowhere else."""

    player_id: int
    player: models.OneToOneField[Player, Player] = models.OneToOneField(
        Player, on_delete=models.PROTECT, related_name="club_child"
    )
    joined: models.DateField[dt.date, dt.date] = models.DateField()
    left: models.BooleanField[bool, bool] = models.BooleanField(default=False)


class Night(Row):
    date: models.DateField[dt.date, dt.date] = models.DateField(db_index=True)
    event: models.CharField[str, str] = models.CharField(max_length=60, unique=True)  # the event's id in the office
    season_id: int
    season: models.ForeignKey[Season, Season] = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="nights"
    )


class Presence(Row):
    """Someone who has come on a night."""

    HERE, OUT, GONE = "here", "out", "gone"  # plays, sits out for now, has gone home

    night_id: int
    night: models.ForeignKey[Night, Night] = models.ForeignKey(
        Night, on_delete=models.CASCADE, related_name="presences"
    )
    player_id: int
    player: models.ForeignKey[Player, Player] = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    state: models.CharField[str, str] = models.CharField(max_length=8, default=HERE)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["night", "player"], name="one_presence")]


class Board(Row):
    """Two children at a board, or one who sits this round out. The result stands in the night's event."""

    night_id: int
    night: models.ForeignKey[Night, Night] = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="boards")
    round: models.IntegerField[int, int] = models.IntegerField()
    number: models.IntegerField[int, int] = models.IntegerField()  # 0: sits out
    white_id: int
    white: models.ForeignKey[Player, Player] = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    black_id: int | None
    black: models.ForeignKey[Player | None, Player | None] = models.ForeignKey(
        Player, null=True, on_delete=models.PROTECT, related_name="+"
    )
    why: models.CharField[str, str] = models.CharField(max_length=300, blank=True)


class Wish(Row):
    """Two children who must play each other, or must not (siblings); always, or on one night."""

    APART, TOGETHER = "apart", "together"

    kind: models.CharField[str, str] = models.CharField(max_length=10)
    one_id: int
    one: models.ForeignKey[Player, Player] = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    other_id: int
    other: models.ForeignKey[Player, Player] = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    night_id: int | None
    night: models.ForeignKey[Night | None, Night | None] = models.ForeignKey(
        Night, null=True, on_delete=models.CASCADE, related_name="wishes"
    )


class Act(Row):
    """One thing that was done on a night, so that it can be undone; a phone's key makes sure that it is done once."""

    RESULT, PAIR, PRESENCE, DISAGREEMENT = "result", "pair", "presence", "disagreement"

    night_id: int
    night: models.ForeignKey[Night, Night] = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="acts")
    #: given by the phone; nothing where an act came without one
    key: models.CharField[str | None, str | None] = models.CharField(max_length=64, unique=True, null=True)
    kind: models.CharField[str, str] = models.CharField(max_length=16)
    data: models.JSONField[Any, Any] = models.JSONField(default=dict)
    by: models.CharField[str, str] = models.CharField(max_length=150)
    at: models.DateTimeField[dt.datetime, dt.datetime] = models.DateTimeField(default=clock.now)
    undone: models.BooleanField[bool, bool] = models.BooleanField(default=False)
