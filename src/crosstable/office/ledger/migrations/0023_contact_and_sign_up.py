"""How people reach the office, and who may open an account."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from crosstable.office.storage.migration_tables import char


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0022_first_ratings")]
    operations: ClassVar = [
        migrations.AddField("office", "contact", char(254, blank=True, default="", db_default="")),
        migrations.AddField("office", "sign_up", char(12, default="invitation", db_default="invitation")),
    ]
