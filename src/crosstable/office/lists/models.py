"""A published list, its rows and its top lists: public columns only, and frozen. And the titles that lists carry."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from django.db import models

from crosstable.office.storage.row import Row


class PublishedList(Row):
    """The official ratings of one date."""

    date: models.DateField[dt.date, dt.date] = models.DateField(unique=True)
    published_at: models.CharField[str, str] = models.CharField(max_length=27)
    proposed_by: models.CharField[str, str] = models.CharField(max_length=150)
    approved_by: models.CharField[str, str] = models.CharField(max_length=150)
    options: models.TextField[str, str] = models.TextField()  # canonical JSON: see lists.options
    report: models.TextField[str, str] = models.TextField()  # canonical JSON: see lists.report
    rows: models.IntegerField[int, int] = models.IntegerField()
    rows_hash: models.CharField[str, str] = models.CharField(max_length=64)  # over all rows and all top lists
    #: The audit log's end with this publication in it: the log holds the rows' hash, the list holds the log's head
    audit_count: models.BigIntegerField[int, int] = models.BigIntegerField()
    audit_hash: models.CharField[str, str] = models.CharField(max_length=64)
    #: Over that head, with a key that the database does not hold (see audit.signatures); the first lists have none
    signature: models.CharField[str, str] = models.CharField(max_length=150, default="", db_default="")

    def __str__(self) -> str:
        return f"the list of {self.date}"


class ListRow(Row):
    """A player's official rating in one pool. Nothing here tells an age."""

    published_id: int
    published: models.ForeignKey[PublishedList, PublishedList] = models.ForeignKey(
        PublishedList, on_delete=models.PROTECT, related_name="list_rows"
    )
    pool: models.CharField[str, str] = models.CharField(max_length=8)
    number: models.CharField[str, str] = models.CharField(max_length=40)  # the player's public id
    name: models.CharField[str, str] = models.CharField(max_length=200)
    state: models.CharField[str, str] = models.CharField(max_length=40)
    title: models.CharField[str, str] = models.CharField(max_length=40)
    rating: models.FloatField[float | None, float | None] = models.FloatField(null=True)  # nothing: not shown
    games: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)  # while provisional
    class_name: models.CharField[str, str] = models.CharField(max_length=16)
    active: models.BooleanField[bool, bool] = models.BooleanField()
    change: models.FloatField[float | None, float | None] = models.FloatField(null=True)  # since the list before
    floor: models.FloatField[float | None, float | None] = models.FloatField(null=True)  # the first lists had none
    floor_reason: models.TextField[str | None, str | None] = models.TextField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["published", "pool", "number"], name="one_row_per_list")
        ]
        indexes: ClassVar = [
            models.Index(fields=["number", "pool"], name="list_rows_of_player"),
            models.Index(fields=["published", "pool", "-rating"], name="list_rows_by_rating"),
        ]


class TopRow(Row):
    """A place on a top list: "OTBR", "women", 1st."""

    published_id: int
    published: models.ForeignKey[PublishedList, PublishedList] = models.ForeignKey(
        PublishedList, on_delete=models.PROTECT, related_name="top_rows"
    )
    pool: models.CharField[str, str] = models.CharField(max_length=8)
    group: models.CharField[str, str] = models.CharField(max_length=40)  # "overall", "women", "under 13", "state OH"
    place: models.IntegerField[int, int] = models.IntegerField()
    number: models.CharField[str, str] = models.CharField(max_length=40)
    name: models.CharField[str, str] = models.CharField(max_length=200)
    state: models.CharField[str, str] = models.CharField(max_length=40)
    title: models.CharField[str, str] = models.CharField(max_length=40)
    rating: models.FloatField[float, float] = models.FloatField()
    change: models.FloatField[float | None, float | None] = models.FloatField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["published", "pool", "group", "place"], name="top_list")]


class Title(Row):
    """A title that a player has earned: it follows from the ledger, and is replaced whenever the ledger changes."""

    player_id: models.BigIntegerField[int, int] = models.BigIntegerField()
    level: models.IntegerField[int, int] = models.IntegerField()
    title: models.CharField[str, str] = models.CharField(max_length=40)
    earned: models.DateField[dt.date, dt.date] = models.DateField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["player_id", "level"], name="one_title_per_level")]


class TitleNorm(Row):
    """The norms that a player earned in one section: how many towards each title, lowest title first ("4310")."""

    player_id: models.BigIntegerField[int, int] = models.BigIntegerField(db_index=True)
    section_id: models.BigIntegerField[int, int] = models.BigIntegerField(db_index=True)
    position: models.BigIntegerField[int, int] = models.BigIntegerField()  # the section's place in the rating order
    date: models.DateField[dt.date, dt.date] = models.DateField()
    counts: models.CharField[str, str] = models.CharField(max_length=20)
    supernorm: models.BooleanField[bool, bool] = models.BooleanField(default=False)
