"""The log, its head, and the triggers that make both append-only."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from crosstable.office.audit.triggers import refuse

GENESIS = "0" * 64
APPEND_ONLY = "the audit log is append-only"


def first_head(apps: StateApps, _: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("audit", "AuditHead").objects.create(id=1, count=0, hash=GENESIS)


class Migration(migrations.Migration):
    initial = True
    dependencies: ClassVar = []
    operations: ClassVar = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("seq", models.BigIntegerField(primary_key=True, serialize=False)),
                ("at", models.CharField(max_length=27)),
                ("actor", models.CharField(max_length=200)),
                ("action", models.CharField(max_length=64)),
                ("subject", models.CharField(max_length=200)),
                ("reason", models.TextField()),
                ("details", models.TextField()),
                ("previous", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
            ],
            options={"ordering": ["seq"]},
        ),
        migrations.CreateModel(
            name="AuditHead",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("count", models.BigIntegerField()),
                ("hash", models.CharField(max_length=64)),
            ],
        ),
        migrations.RunPython(first_head, migrations.RunPython.noop),
        migrations.RunPython(refuse("audit_auditentry", "UPDATE", APPEND_ONLY), migrations.RunPython.noop),
        migrations.RunPython(refuse("audit_auditentry", "DELETE", APPEND_ONLY), migrations.RunPython.noop),
        migrations.RunPython(
            refuse("audit_audithead", "UPDATE", APPEND_ONLY, when="NEW.count <= OLD.count"), migrations.RunPython.noop
        ),
        migrations.RunPython(refuse("audit_audithead", "DELETE", APPEND_ONLY), migrations.RunPython.noop),
    ]
