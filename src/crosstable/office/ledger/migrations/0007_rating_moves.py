"""Whose ratings a revision moved."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0006_dated_facts")]
    operations: ClassVar = [
        migrations.CreateModel(
            "RatingMove",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("section_id", models.BigIntegerField()),
                ("player_id", models.BigIntegerField()),
                ("system", models.CharField(max_length=8)),
                ("position", models.BigIntegerField()),
                ("before", models.FloatField(null=True)),
                ("after", models.FloatField(null=True)),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="ledger.revision"
                    ),
                ),
            ],
        )
    ]
