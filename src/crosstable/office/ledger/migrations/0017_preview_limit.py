"""How many versions of a report with one player of unknown age a director may preview in a day."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0016_facts_carried_by_a_merge")]
    operations: ClassVar = [
        migrations.AddField("office", "previews_a_day", models.PositiveIntegerField(default=40, db_default=40))
    ]
