"""Directors' reports before they are sent, the files that they came from, and their mends."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0007_rating_moves")]
    operations: ClassVar = [
        table(
            "Draft",
            owner=char(150, db_index=True),
            state=char(12, default="open"),
            file_name=char(255),
            format=char(40, blank=True),
            document=models.BinaryField(null=True),
            reading=models.JSONField(default=list),
            typed=models.JSONField(null=True),
            version=models.IntegerField(default=1),
            replaces=char(60, blank=True),
            corrects=char(60, blank=True),
            created=models.DateTimeField(default=clock.now),
            changed=models.DateTimeField(default=clock.now),
            submission=models.ForeignKey("ledger.submission", models.PROTECT, blank=True, null=True, related_name="+"),
        ),
        table(
            "DraftFile",
            kind=char(8, default="file"),
            file_name=char(255),
            data=models.BinaryField(),
            at=models.DateTimeField(default=clock.now),
            draft=models.ForeignKey("drafts.draft", models.CASCADE, related_name="files"),
        ),
        table(
            "Mend",
            action=char(20),
            values=models.JSONField(default=dict),
            place=char(200, blank=True),
            before=char(300, blank=True),
            after=char(300, blank=True),
            finding=models.JSONField(null=True),
            author=char(150),
            at=models.DateTimeField(default=clock.now),
            undone=models.BooleanField(default=False),
            was_document=models.BinaryField(null=True),
            was_reading=models.JSONField(default=list),
            draft=models.ForeignKey("drafts.draft", models.CASCADE, related_name="mends"),
        ),
    ]
