"""A list by rating, a page at a time."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("lists", "0002_frozen")]
    operations: ClassVar = [
        migrations.AddIndex(
            "listrow", models.Index(fields=["published", "system", "-rating"], name="list_rows_by_rating")
        )
    ]
