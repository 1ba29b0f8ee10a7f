"""A merge remembers the facts that the record that is kept took over from the duplicate."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0015_sections_sent_back")]
    operations: ClassVar = [
        migrations.AddField("merge", "carried", models.JSONField(default=dict, db_default={}, blank=True))
    ]
