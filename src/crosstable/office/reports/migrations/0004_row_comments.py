"""Comments on the rows of a report."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("drafts", "0003_counted_games"), ("ledger", "0023_contact_and_sign_up")]
    operations: ClassVar = [
        table(
            "RowComment",
            section=models.IntegerField(),
            number=models.IntegerField(),
            author=char(150),
            words=models.TextField(),
            at=models.DateTimeField(default=clock.now),
            resolved_by=char(150, blank=True),
            resolved=models.DateTimeField(null=True, blank=True),
            event=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="ledger.event"),
            thread=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="answers",
                to="drafts.rowcomment",
            ),
        ),
    ]
