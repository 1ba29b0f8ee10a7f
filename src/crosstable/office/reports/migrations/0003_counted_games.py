"""Every fix of a draft says how many games the report had before and after it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("drafts", "0002_previewed_versions")]
    operations: ClassVar = [
        migrations.AddField("mend", "games_before", models.IntegerField(null=True)),
        migrations.AddField("mend", "games_after", models.IntegerField(null=True)),
    ]
