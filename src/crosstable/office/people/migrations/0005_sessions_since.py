"""Since when sessions of an account count."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("people", "0004_proposals_are_requests")]
    operations: ClassVar = [
        migrations.AddField(
            "person", "sessions_since", models.CharField(max_length=27, blank=True, default="", db_default="")
        ),
    ]
