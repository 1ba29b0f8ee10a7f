"""Facts about players that hold from a day on. What a player's own row says holds from the beginning."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0005_reading_findings")]
    operations: ClassVar = [
        table(
            "DatedFact",
            name=char(20),
            value=models.BooleanField(),
            since=models.DateField(),
            author=char(150),
            second=char(150, blank=True),
            reason=models.TextField(blank=True),
            at=models.DateTimeField(default=clock.now),
            player=models.ForeignKey("ledger.player", models.CASCADE, related_name="dated_facts"),
        ),
    ]
