"""A section of an event may go back to its director while the others go on."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0014_names_of_events")]
    operations: ClassVar = [
        migrations.AddField("event", "sent_back", models.JSONField(default=dict, db_default={}, blank=True))
    ]
