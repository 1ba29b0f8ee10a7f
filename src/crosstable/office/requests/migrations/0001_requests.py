"""What players ask an office."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table

ONE_CLAIM = models.UniqueConstraint(
    condition=models.Q(("kind", "claim"), ("state", "waiting")), fields=("user",), name="one_claim_at_a_time"
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations: ClassVar = [
        table(
            "Request",
            {"constraints": [ONE_CLAIM]},
            kind=char(8),
            player=char(32, blank=True, default=""),
            event=char(60, blank=True, db_index=True, default=""),
            section=models.IntegerField(null=True),
            round=models.IntegerField(null=True),
            result=char(4, blank=True, default=""),
            words=models.TextField(blank=True),
            at=models.DateTimeField(default=clock.now),
            state=char(12, db_index=True, default="waiting"),
            answer=models.TextField(blank=True, default=""),
            decided_by=char(150, blank=True, default=""),
            decided_at=models.DateTimeField(blank=True, null=True),
            correction=models.BigIntegerField(null=True),
            user=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="requests"),
        ),
    ]
