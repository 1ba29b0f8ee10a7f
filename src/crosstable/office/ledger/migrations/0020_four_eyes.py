"""Whether an officer may decide on what the officer has sent in."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0019_states_of_floor_requests")]
    operations: ClassVar = [
        migrations.AddField("office", "four_eyes", models.BooleanField(default=True, db_default=True))
    ]
