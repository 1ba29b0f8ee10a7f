"""Facts about players that hold from a day on. What a player's own row says holds from the beginning."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from crosstable.office.storage import clock


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0005_reading_findings")]
    operations: ClassVar = [
        migrations.CreateModel(
            "DatedFact",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=20)),
                ("value", models.BooleanField()),
                ("since", models.DateField()),
                ("author", models.CharField(max_length=150)),
                ("second", models.CharField(blank=True, max_length=150)),
                ("reason", models.TextField(blank=True)),
                ("at", models.DateTimeField(default=clock.now)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="dated_facts", to="ledger.player"
                    ),
                ),
            ],
        ),
    ]
