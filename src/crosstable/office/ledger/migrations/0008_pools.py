"""A rating stands in a pool; a system is the method that keeps it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

#: The database renames the column in its indexes by itself; Django must be told
INDEXES = [
    migrations.RemoveConstraint("ratingrow", "one_rating_row"),
    migrations.RemoveIndex("ratingrow", "rating_of_player"),
    migrations.AddIndex("ratingrow", models.Index(fields=["player", "pool", "position"], name="rating_of_player")),
    migrations.AddConstraint(
        "ratingrow", models.UniqueConstraint(fields=["section", "pool", "player"], name="one_rating_row")
    ),
]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0007_rating_moves")]
    operations: ClassVar = [
        *(
            migrations.RenameField(model, "system", "pool")
            for model in ("ratingrow", "ratingmove", "adjustment", "floorrequest")
        ),
        migrations.SeparateDatabaseAndState(state_operations=INDEXES),
    ]
