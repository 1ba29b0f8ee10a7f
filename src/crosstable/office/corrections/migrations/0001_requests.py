"""Correction requests."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

import crosstable.office.storage.clock


class Migration(migrations.Migration):
    initial = True

    dependencies: ClassVar = [
        ("ledger", "0009_sections_that_wait"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="CorrectionRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("file_name", models.CharField(max_length=255)),
                ("data", models.BinaryField()),
                ("sha256", models.CharField(max_length=64)),
                ("reason", models.TextField()),
                ("author", models.CharField(max_length=150)),
                ("at", models.DateTimeField(default=crosstable.office.storage.clock.now)),
                ("summary", models.JSONField(default=dict)),
                ("state", models.CharField(db_index=True, default="asked", max_length=12)),
                ("answer", models.TextField(blank=True, default="")),
                ("decided_by", models.CharField(blank=True, default="", max_length=150)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                ("revision", models.IntegerField(blank=True, null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="correction_requests",
                        to="ledger.event",
                    ),
                ),
            ],
        ),
    ]
