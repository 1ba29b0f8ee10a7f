"""Sections of an accepted event may wait; and what the queue shows stands with the revision."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0008_pools")]

    operations: ClassVar = [
        migrations.AddField("event", "held", models.TextField(blank=True, default="", db_default="")),
        migrations.AddField("revision", "summary", models.JSONField(default=dict, db_default={})),
    ]
