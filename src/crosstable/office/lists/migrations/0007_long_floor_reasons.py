"""A floor's reason may be longer than 60 characters. SQLite never counted them; PostgreSQL refused the list."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models


def widen(_apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE lists_listrow ALTER COLUMN floor_reason TYPE text")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("lists", "0006_signature")]
    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(widen, migrations.RunPython.noop)],
            state_operations=[migrations.AlterField("listrow", "floor_reason", models.TextField(null=True))],
        )
    ]
