"""Correction requests."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0009_sections_that_wait")]
    operations: ClassVar = [
        table("CorrectionRequest",
            file_name=char(255), data=models.BinaryField(), sha256=char(64), reason=models.TextField(),
            author=char(150), at=models.DateTimeField(default=clock.now), summary=models.JSONField(default=dict),
            state=char(12, db_index=True, default="asked"), answer=models.TextField(blank=True, default=""),
            decided_by=char(150, blank=True, default=""), decided_at=models.DateTimeField(blank=True, null=True),
            revision=models.IntegerField(blank=True, null=True),
            event=models.ForeignKey("ledger.event", models.PROTECT, related_name="correction_requests"),
        ),
    ]  # fmt: skip
