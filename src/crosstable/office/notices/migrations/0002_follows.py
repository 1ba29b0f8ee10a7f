"""Whom and what people follow."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import migrations, models

from crosstable.office.storage.migration_tables import table


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("notices", "0001_messages"),
        ("ledger", "0023_contact_and_sign_up"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations: ClassVar = [
        table(
            "Follow",
            {
                "constraints": [
                    models.UniqueConstraint(fields=("user", "player"), name="follow_player_once"),
                    models.UniqueConstraint(fields=("user", "event"), name="follow_event_once"),
                ]
            },
            event=models.ForeignKey("ledger.event", models.PROTECT, blank=True, null=True, related_name="+"),
            player=models.ForeignKey("ledger.player", models.PROTECT, blank=True, null=True, related_name="+"),
            user=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="follows"),
        ),
    ]
