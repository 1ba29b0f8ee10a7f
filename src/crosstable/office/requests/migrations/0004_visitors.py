"""Reports of visitors, who have no account: an e-mail address, and the hash of a private link."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import migrations, models

from crosstable.office.storage.migration_tables import char


class Migration(migrations.Migration):
    dependencies: ClassVar = [("requests", "0003_one_lifecycle")]
    operations: ClassVar = [
        migrations.AlterField(
            "request",
            "user",
            models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="requests"),
        ),
        migrations.AddField("request", "email", char(254, blank=True, default="", db_default="")),
        migrations.AddField("request", "link", char(64, blank=True, default="", db_default="")),
    ]
