"""What has been published never changes: the database itself refuses."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from crosstable.office.audit.triggers import refuse

MESSAGE = "a published list never changes"
TABLES = ("lists_publishedlist", "lists_listrow", "lists_toprow")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("lists", "0001_initial")]
    operations: ClassVar = [
        migrations.RunPython(refuse(table, change, MESSAGE), migrations.RunPython.noop)
        for table in TABLES
        for change in ("UPDATE", "DELETE")
    ]
