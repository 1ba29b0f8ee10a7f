"""Taps and wrong PINs are dated by the office's clock, like everything else."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from crosstable.office.storage import clock


class Migration(migrations.Migration):
    dependencies: ClassVar = [("club", "0001_tables")]
    operations: ClassVar = [
        migrations.AlterField(model, "at", models.DateTimeField(default=clock.now)) for model in ("act", "pinfailure")
    ]
