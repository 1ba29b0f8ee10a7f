"""Jobs."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock


class Migration(migrations.Migration):
    initial = True

    dependencies: ClassVar = []

    operations: ClassVar = [
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("title", models.CharField(max_length=200)),
                ("arguments", models.JSONField(default=dict)),
                ("author", models.CharField(max_length=150)),
                ("at", models.DateTimeField(default=clock.now)),
                ("state", models.CharField(db_index=True, default="waiting", max_length=12)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("done", models.BigIntegerField(default=0)),
                ("total", models.BigIntegerField(default=0)),
                ("result", models.JSONField(default=dict)),
                ("error", models.TextField(blank=True, default="")),
            ],
        ),
    ]
