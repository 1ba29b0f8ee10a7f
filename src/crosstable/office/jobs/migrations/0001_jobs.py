"""Jobs."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = []
    operations: ClassVar = [
        table(
            "Job",
            kind=char(20),
            title=char(200),
            arguments=models.JSONField(default=dict),
            author=char(150),
            at=models.DateTimeField(default=clock.now),
            state=char(12, db_index=True, default="waiting"),
            started=models.DateTimeField(blank=True, null=True),
            finished=models.DateTimeField(blank=True, null=True),
            done=models.BigIntegerField(default=0),
            total=models.BigIntegerField(default=0),
            result=models.JSONField(default=dict),
            error=models.TextField(blank=True, default=""),
        ),
    ]
