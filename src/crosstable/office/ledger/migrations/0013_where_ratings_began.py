"""The few rows in which a rating began are found without reading all rows of a player."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

BEGAN = models.Q(("initialized", True), ("prior_games", 0), ("flags__gte", 16), _connector="OR")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0012_events_by_end")]
    operations: ClassVar = [
        migrations.AddIndex("ratingrow", models.Index(fields=["player"], name="where_a_rating_began", condition=BEGAN)),
    ]
