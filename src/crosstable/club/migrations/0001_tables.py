"""The tables of a club: who is here, who sits where, wishes, and every tap."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0004_club_numbers")]
    operations: ClassVar = [
        table(
            "Club",
            pin=char(200),
            public=char(10, default="ladder"),
            mode=char(10, default="rounds"),
        ),
        table(
            "Night",
            date=models.DateField(db_index=True),
            event=char(60, unique=True),
        ),
        table(
            "PinFailure",
            address=char(64, db_index=True),
            at=models.DateTimeField(auto_now_add=True),
        ),
        table(
            "Season",
            name=char(80, unique=True),
            start=models.DateField(),
            fresh=models.BooleanField(default=False),
        ),
        table(
            "Child",
            joined=models.DateField(),
            left=models.BooleanField(default=False),
            player=models.OneToOneField("ledger.player", models.PROTECT, related_name="club_child"),
        ),
        table(
            "Board",
            round=models.IntegerField(),
            number=models.IntegerField(),
            why=char(300, blank=True),
            black=models.ForeignKey("ledger.player", models.PROTECT, null=True, related_name="+"),
            white=models.ForeignKey("ledger.player", models.PROTECT, related_name="+"),
            night=models.ForeignKey("club.night", models.CASCADE, related_name="boards"),
        ),
        table(
            "Act",
            key=char(64, unique=True, null=True),
            kind=char(16),
            data=models.JSONField(default=dict),
            by=char(150),
            at=models.DateTimeField(auto_now_add=True),
            undone=models.BooleanField(default=False),
            night=models.ForeignKey("club.night", models.CASCADE, related_name="acts"),
        ),
        migrations.AddField("night", "season", models.ForeignKey("club.season", models.PROTECT, related_name="nights")),
        table(
            "Wish",
            kind=char(10),
            night=models.ForeignKey("club.night", models.CASCADE, null=True, related_name="wishes"),
            one=models.ForeignKey("ledger.player", models.CASCADE, related_name="+"),
            other=models.ForeignKey("ledger.player", models.CASCADE, related_name="+"),
        ),
        table(
            "Presence",
            {"constraints": [models.UniqueConstraint(fields=("night", "player"), name="one_presence")]},
            state=char(8, default="here"),
            night=models.ForeignKey("club.night", models.CASCADE, related_name="presences"),
            player=models.ForeignKey("ledger.player", models.PROTECT, related_name="+"),
        ),
    ]
