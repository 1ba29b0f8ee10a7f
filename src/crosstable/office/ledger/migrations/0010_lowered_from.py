"""The highest floor that granted requests have lowered: a floor may be lowered more than once."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0009_sections_that_wait")]
    operations: ClassVar = [migrations.AddField("ratingrow", "lowered_from", models.FloatField(null=True))]
