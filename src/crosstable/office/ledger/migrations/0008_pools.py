"""A rating stands in a pool; a system is the method that keeps it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0007_rating_moves")]
    operations: ClassVar = [
        migrations.RenameField(model, "system", "pool")
        for model in ("ratingrow", "ratingmove", "adjustment", "floorrequest")
    ]
