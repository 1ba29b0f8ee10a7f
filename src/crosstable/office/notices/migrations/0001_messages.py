"""Messages, and the notices that bring them to people."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class Migration(migrations.Migration):
    dependencies: ClassVar = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations: ClassVar = [
        table(
            "Message",
            about=char(100, db_index=True),
            author=char(150),
            subject=char(200),
            words=models.TextField(blank=True),
            at=models.DateTimeField(default=clock.now),
        ),
        table(
            "Notice",
            {"constraints": [models.UniqueConstraint(fields=("to", "message"), name="one_notice_each")]},
            read=models.DateTimeField(blank=True, null=True),
            message=models.ForeignKey("notices.message", models.PROTECT, related_name="notices"),
            to=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="notices"),
        ),
    ]
