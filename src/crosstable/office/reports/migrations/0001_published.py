"""Reports of the lab on the web office."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock


class Migration(migrations.Migration):
    initial = True
    dependencies: ClassVar = []
    operations: ClassVar = [
        migrations.CreateModel(
            "PublishedReport",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(max_length=200)),
                ("content", models.TextField()),
                ("sha256", models.CharField(max_length=64, unique=True)),
                ("author", models.CharField(max_length=150)),
                ("at", models.DateTimeField(default=clock.now)),
                ("withdrawn", models.DateTimeField(blank=True, null=True)),
            ],
        )
    ]
