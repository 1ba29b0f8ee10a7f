"""Published lists, and the titles of their day."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table

ONE_ROW = models.UniqueConstraint(fields=("published", "system", "number"), name="one_row_per_list")
OF_PLAYER = models.Index(fields=["number", "system"], name="list_rows_of_player")


class Migration(migrations.Migration):
    dependencies: ClassVar = []
    operations: ClassVar = [
        table(
            "PublishedList",
            date=models.DateField(unique=True),
            published_at=char(27),
            proposed_by=char(150),
            approved_by=char(150),
            options=models.TextField(),
            report=models.TextField(),
            rows=models.IntegerField(),
            rows_hash=char(64),
            audit_count=models.BigIntegerField(),
            audit_hash=char(64),
        ),
        table(
            "TitleNorm",
            player_id=models.BigIntegerField(db_index=True),
            section_id=models.BigIntegerField(db_index=True),
            position=models.BigIntegerField(),
            date=models.DateField(),
            counts=char(20),
            supernorm=models.BooleanField(default=False),
        ),
        table(
            "Title",
            {"constraints": [models.UniqueConstraint(fields=("player_id", "level"), name="one_title_per_level")]},
            player_id=models.BigIntegerField(),
            level=models.IntegerField(),
            title=char(40),
            earned=models.DateField(),
        ),
        table(
            "ListRow",
            {"indexes": [OF_PLAYER], "constraints": [ONE_ROW]},
            system=char(8),
            number=char(40),
            name=char(200),
            state=char(40),
            title=char(40),
            rating=models.FloatField(null=True),
            games=models.IntegerField(null=True),
            class_name=char(16),
            active=models.BooleanField(),
            change=models.FloatField(null=True),
            published=models.ForeignKey("lists.publishedlist", models.PROTECT, related_name="list_rows"),
        ),
        table(
            "TopRow",
            {"indexes": [models.Index(fields=["published", "system", "group", "place"], name="top_list")]},
            system=char(8),
            group=char(40),
            place=models.IntegerField(),
            number=char(40),
            name=char(200),
            state=char(40),
            title=char(40),
            rating=models.FloatField(),
            change=models.FloatField(null=True),
            published=models.ForeignKey("lists.publishedlist", models.PROTECT, related_name="top_rows"),
        ),
    ]
