"""Floors with their reason on lists; those that are out have none, and stay as they were published."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("lists", "0004_pools")]
    operations: ClassVar = [
        migrations.AddField("listrow", "floor", models.FloatField(null=True)),
        migrations.AddField("listrow", "floor_reason", models.CharField(max_length=60, null=True)),
    ]
