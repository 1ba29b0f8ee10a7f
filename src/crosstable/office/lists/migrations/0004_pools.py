"""A rating stands in a pool; a system is the method that keeps it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

#: The database renames the column in its indexes by itself; Django must be told
INDEXES = [
    migrations.RemoveConstraint("listrow", "one_row_per_list"),
    migrations.RemoveIndex("listrow", "list_rows_of_player"),
    migrations.RemoveIndex("listrow", "list_rows_by_rating"),
    migrations.RemoveIndex("toprow", "top_list"),
    migrations.AddIndex("listrow", models.Index(fields=["number", "pool"], name="list_rows_of_player")),
    migrations.AddIndex("listrow", models.Index(fields=["published", "pool", "-rating"], name="list_rows_by_rating")),
    migrations.AddIndex("toprow", models.Index(fields=["published", "pool", "group", "place"], name="top_list")),
    migrations.AddConstraint(
        "listrow", models.UniqueConstraint(fields=["published", "pool", "number"], name="one_row_per_list")
    ),
]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("lists", "0003_by_rating")]
    operations: ClassVar = [
        *(migrations.RenameField(model, "system", "pool") for model in ("listrow", "toprow")),
        migrations.SeparateDatabaseAndState(state_operations=INDEXES),
    ]
