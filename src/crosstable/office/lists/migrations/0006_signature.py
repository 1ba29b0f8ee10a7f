"""The signature over the head that a list prints; lists that are out have none."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models

from crosstable.office.audit.triggers import refuse

TABLE, MESSAGE = "lists_publishedlist", "a published list never changes"


def install_triggers_again(apps: Any, schema_editor: Any) -> None:
    """SQLite makes the table anew for a column, and the triggers of the old one go with it."""
    if schema_editor.connection.vendor == "sqlite":
        for change in ("UPDATE", "DELETE"):
            refuse(TABLE, change, MESSAGE)(apps, schema_editor)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("lists", "0005_floors")]
    operations: ClassVar = [
        migrations.AddField("publishedlist", "signature", models.CharField(max_length=150, default="", db_default="")),
        migrations.RunPython(install_triggers_again, migrations.RunPython.noop),
    ]
