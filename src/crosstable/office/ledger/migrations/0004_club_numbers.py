"""A club's own numbers, each from a day on."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0003_names")]
    operations: ClassVar = [migrations.AddField("office", "numbers", models.JSONField(default=list))]
