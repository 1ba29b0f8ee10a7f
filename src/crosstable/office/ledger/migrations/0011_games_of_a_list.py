"""How many games a FIDE list counts for a player."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0010_lowered_from")]
    operations: ClassVar = [migrations.AddField("externalrating", "games", models.IntegerField(null=True))]
