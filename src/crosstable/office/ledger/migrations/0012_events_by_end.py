"""The newest rated events are read from an index, without sorting all of them."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0011_games_of_a_list")]
    operations: ClassVar = [
        migrations.AddIndex("event", models.Index(fields=["status", "end", "number"], name="events_by_end")),
        migrations.AlterField("event", "status", models.CharField(default="submitted", max_length=12)),
    ]
