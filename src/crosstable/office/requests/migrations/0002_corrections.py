"""Correction requests move into this app; their table keeps its name, and its rows stay where they are."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock
from crosstable.office.storage.migration_tables import char, table


class CreateUnlessPresent(migrations.CreateModel):
    """Create a table, except where an app that no longer exists has created it."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        name = to_state.apps.get_model(app_label, self.name)._meta.db_table
        if name not in schema_editor.connection.introspection.table_names():
            super().database_forwards(app_label, schema_editor, from_state, to_state)


_NEW = table(
    "CorrectionRequest",
    {"db_table": "corrections_correctionrequest"},
    file_name=char(255),
    data=models.BinaryField(),
    sha256=char(64),
    reason=models.TextField(),
    author=char(150),
    at=models.DateTimeField(default=clock.now),
    summary=models.JSONField(default=dict),
    state=char(12, db_index=True, default="asked"),
    answer=models.TextField(blank=True, default=""),
    decided_by=char(150, blank=True, default=""),
    decided_at=models.DateTimeField(blank=True, null=True),
    revision=models.IntegerField(blank=True, null=True),
    event=models.ForeignKey("ledger.event", models.PROTECT, related_name="correction_requests"),
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("requests", "0001_requests"), ("ledger", "0009_sections_that_wait")]
    operations: ClassVar = [CreateUnlessPresent(_NEW.name, _NEW.fields, _NEW.options)]
