"""A link that was sent to an address: the account that it opens has the address."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from crosstable.office.storage.migration_tables import char


class Migration(migrations.Migration):
    dependencies: ClassVar = [("people", "0005_sessions_since")]
    operations: ClassVar = [
        migrations.AddField("onetimelink", "email", char(254, blank=True, default="", db_default="")),
    ]
