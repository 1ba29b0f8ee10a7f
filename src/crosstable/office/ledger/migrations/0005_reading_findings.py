"""What reading a file found stays with the revision; and the office's own clock dates every row."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock

_DATED = (
    ("office", "created"),
    ("merge", "at"),
    ("fidebatch", "at"),
    ("submission", "at"),
    ("revision", "at"),
    ("adjustment", "at"),
)


def take_over(apps: Any, _: Any) -> None:
    """Events in the queue: what their files' submissions say, except what the checks find again by themselves."""
    from crosstable.checks import CHECKS

    queued = apps.get_model("ledger", "Revision").objects.filter(event__status="submitted").exclude(submission=None)
    for revision in queued.select_related("submission").iterator(chunk_size=500):
        found = [one for one in revision.submission.findings if one["code"] not in CHECKS]
        if found:
            revision.findings = found
            revision.save(update_fields=["findings"])


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0004_club_numbers")]
    operations: ClassVar = [
        migrations.AddField("revision", "findings", models.JSONField(default=list)),
        *(migrations.AlterField(model, name, models.DateTimeField(default=clock.now)) for model, name in _DATED),
        migrations.RunPython(take_over, migrations.RunPython.noop, elidable=True),
    ]
