"""Floor requests have the states and columns of all requests."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models

from crosstable.office.storage.migration_tables import char


def _rename(before: str, now: str) -> Any:
    def rename(apps: Any, _: Any) -> None:
        apps.get_model("ledger", "FloorRequest").objects.filter(state=before).update(state=now)

    return rename


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0018_federation")]
    operations: ClassVar = [
        migrations.RenameField("floorrequest", "status", "state"),
        migrations.RenameField("floorrequest", "reason", "answer"),
        migrations.RunPython(_rename("asked", "waiting"), _rename("waiting", "asked")),
        migrations.AlterField("floorrequest", "state", char(12, db_index=True, default="waiting")),
        migrations.AlterField("floorrequest", "answer", models.TextField(blank=True, default="")),
        migrations.AlterField("floorrequest", "decided_by", char(150, blank=True, default="")),
    ]
