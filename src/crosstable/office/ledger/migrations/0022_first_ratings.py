"""When the ratings of newcomers are published, and which ones depend on an age."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0021_granted_floor_requests")]
    operations: ClassVar = [
        migrations.AddField("office", "first_ratings", char(12, default="as-rated", db_default="as-rated")),
        table(
            "AgeDependent",
            section_id=models.BigIntegerField(),
            player_id=models.BigIntegerField(db_index=True),
            pool=char(8),
        ),
    ]
