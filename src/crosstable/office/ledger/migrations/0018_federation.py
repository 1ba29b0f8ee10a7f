"""The profile of the federation that the office works for."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0017_preview_limit")]
    operations: ClassVar = [
        migrations.AddField(
            "office",
            "federation",
            models.JSONField(default=dict, db_default=models.Value({}, models.JSONField())),
        )
    ]
