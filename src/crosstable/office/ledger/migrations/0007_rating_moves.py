"""Whose ratings a revision moved."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0006_dated_facts")]
    operations: ClassVar = [
        table(
            "RatingMove",
            section_id=models.BigIntegerField(),
            player_id=models.BigIntegerField(),
            system=char(8),
            position=models.BigIntegerField(),
            before=models.FloatField(null=True),
            after=models.FloatField(null=True),
            revision=models.ForeignKey("ledger.revision", models.CASCADE, related_name="moves"),
        ),
    ]
