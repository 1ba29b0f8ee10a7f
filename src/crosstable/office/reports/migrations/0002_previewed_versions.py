"""Which versions of a report someone has previewed today, for the limit per player whose age would matter."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("drafts", "0001_tables")]
    operations: ClassVar = [
        table("PreviewedVersion", viewer=char(150), player=char(40), day=models.DateField(), version=char(64)),
        migrations.AddConstraint(
            "previewedversion",
            models.UniqueConstraint(fields=["viewer", "player", "day", "version"], name="previewed_once"),
        ),
    ]
