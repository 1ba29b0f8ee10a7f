"""Announcements of events."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("drafts", "0004_row_comments"), ("ledger", "0023_contact_and_sign_up")]
    operations: ClassVar = [
        table(
            "Announcement",
            owner=char(150, db_index=True),
            condition=char(12, default="open"),
            name=char(200),
            start=models.DateField(),
            end=models.DateField(db_index=True),
            city=char(100, blank=True),
            state=char(40, blank=True),
            time_control=char(60, blank=True),
            rounds=models.IntegerField(blank=True, null=True),
            link=char(200, blank=True),
            at=models.DateTimeField(default=clock.now),
            event=models.ForeignKey("ledger.event", models.PROTECT, blank=True, null=True, related_name="+"),
        ),
    ]
