"""Links that work once: invitations and new passwords."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("people", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations: ClassVar = [
        table(
            "OneTimeLink",
            kind=char(16),
            start=char(12, unique=True),
            hash=char(64, unique=True),
            role=char(16, blank=True, default=""),
            player_id=char(32, blank=True, default=""),
            created=char(27),
            expires=char(27),
            used=char(27, blank=True, default=""),
            made_by=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"),
            user=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"),
        ),
    ]
