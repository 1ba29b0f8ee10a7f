"""Whether a report brought a player: then the player's first event opens the record."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0001_tables")]
    operations: ClassVar = [
        migrations.AddField("player", "reported", models.BooleanField(default=False, db_default=False))
    ]
