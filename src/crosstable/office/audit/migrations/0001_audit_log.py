"""The log, its head, and the triggers that make both append-only."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from crosstable.office.audit.triggers import refuse
from crosstable.office.storage.migration_tables import char, table

GENESIS = "0" * 64
APPEND_ONLY = "the audit log is append-only"


def first_head(apps: StateApps, _: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("audit", "AuditHead").objects.create(id=1, count=0, hash=GENESIS)


class Migration(migrations.Migration):
    dependencies: ClassVar = []
    operations: ClassVar = [
        table(
            "AuditEntry",
            {"ordering": ["seq"]},
            seq=models.BigIntegerField(primary_key=True, serialize=False),
            at=char(27),
            actor=char(200),
            action=char(64),
            subject=char(200),
            reason=models.TextField(),
            details=models.TextField(),
            previous=char(64),
            hash=char(64),
        ),
        table(
            "AuditHead",
            id=models.SmallIntegerField(primary_key=True, default=1, serialize=False),
            count=models.BigIntegerField(),
            hash=char(64),
        ),
        migrations.RunPython(first_head, migrations.RunPython.noop),
        migrations.RunPython(refuse("audit_auditentry", "UPDATE", APPEND_ONLY), migrations.RunPython.noop),
        migrations.RunPython(refuse("audit_auditentry", "DELETE", APPEND_ONLY), migrations.RunPython.noop),
        migrations.RunPython(
            refuse("audit_audithead", "UPDATE", APPEND_ONLY, when="NEW.count <= OLD.count"), migrations.RunPython.noop
        ),
        migrations.RunPython(refuse("audit_audithead", "DELETE", APPEND_ONLY), migrations.RunPython.noop),
    ]
