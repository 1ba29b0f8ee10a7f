"""Requests of all kinds have the same states; proposals are a kind of request. Their table keeps its name."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table


def _two_officers(state: str) -> models.CheckConstraint:
    differ = ~models.Q(("state", state)) | ~models.Q(("decided_by", models.F("proposed_by")))
    return models.CheckConstraint(name="two_officers", condition=differ)


_PROPOSAL = table(
    "Proposal",
    {"db_table": "people_proposal", "constraints": [_two_officers("done")]},
    action=char(64),
    subject=char(200),
    payload=models.TextField(),
    reason=models.TextField(),
    proposed_at=char(27),
    state=char(16, default="waiting"),
    decided_at=char(27, blank=True, default=""),
    answer=models.TextField(blank=True, default=""),
    decided_by=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"),
    proposed_by=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+"),
)
#: (table, the name before, the name now)
_STATES = (
    ("CorrectionRequest", "asked", "waiting"),
    ("Proposal", "done", "granted"),
    ("Proposal", "withdrawn", "taken back"),
)


def _rename_states(apps: Any, _: Any) -> None:
    for name, before, now in _STATES:
        apps.get_model("requests", name).objects.filter(state=before).update(state=now)


def _name_them_as_before(apps: Any, _: Any) -> None:
    for name, before, now in _STATES:
        apps.get_model("requests", name).objects.filter(state=now).update(state=before)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("requests", "0002_corrections"), ("people", "0004_proposals_are_requests")]
    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(state_operations=[_PROPOSAL]),
        migrations.RemoveConstraint("proposal", "two_officers"),
        migrations.RunPython(_rename_states, _name_them_as_before),
        migrations.AlterField("proposal", "state", char(12, db_index=True, default="waiting")),
        migrations.AlterField("correctionrequest", "state", char(12, db_index=True, default="waiting")),
        migrations.AddConstraint("proposal", _two_officers("granted")),
    ]
