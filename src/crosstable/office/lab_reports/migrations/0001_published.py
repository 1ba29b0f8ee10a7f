"""Reports of the lab on the web office."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = []
    operations: ClassVar = [
        table(
            "PublishedReport",
            title=char(200),
            content=models.TextField(),
            sha256=char(64, unique=True),
            author=char(150),
            at=models.DateTimeField(default=clock.now),
            withdrawn=models.DateTimeField(blank=True, null=True),
        ),
    ]
