"""People and their roles, their tokens, and proposals that wait for a second officer."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import migrations, models

from crosstable.office.storage.migration_tables import char, table

ROLES = [(role, role) for role in ("public", "player", "director", "officer", "admin")]
TWO_OFFICERS = models.CheckConstraint(
    condition=models.Q(
        models.Q(("state", "done"), _negated=True),
        models.Q(("decided_by", models.F("proposed_by")), _negated=True),
        _connector="OR",
    ),
    name="two_officers",
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations: ClassVar = [
        table(
            "Person",
            user=models.OneToOneField(
                settings.AUTH_USER_MODEL, models.PROTECT, primary_key=True, serialize=False, related_name="person"
            ),
            role=char(16, default="player", choices=ROLES),
            player_id=char(32, blank=True, default=""),
        ),
        table(
            "Token",
            label=char(100),
            start=char(12, unique=True),
            hash=char(64, unique=True),
            scopes=models.TextField(),
            created=char(27),
            expires=char(27),
            revoked=char(27, blank=True, default=""),
            user=models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tokens"),
        ),
        table(
            "Proposal",
            {"constraints": [TWO_OFFICERS]},
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
        ),
    ]
