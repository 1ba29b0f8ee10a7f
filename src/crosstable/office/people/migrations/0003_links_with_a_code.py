"""Links and roles that a second person confirms with a code."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char


class Migration(migrations.Migration):
    dependencies: ClassVar = [("people", "0002_one_time_links")]
    operations: ClassVar = [
        migrations.AddField("OneTimeLink", "needs_code", models.BooleanField(default=False)),
        migrations.AddField("OneTimeLink", "code", char(64, blank=True, default="")),
        migrations.AddField("OneTimeLink", "confirmed_by", char(150, blank=True, default="")),
        migrations.AddField("OneTimeLink", "tries", models.PositiveSmallIntegerField(default=0)),
    ]
