"""A granted floor request sets no numbers of its own: the run lowers the floor that binds in its match (2025 §7).

A request that had ended with its match is granted still; it has no effect while no floor binds there.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations


def forget_numbers(apps: Any, schema_editor: Any) -> None:  # noqa: ARG001  as Django calls it
    requests = apps.get_model("ledger", "FloorRequest").objects.filter(adjustment__isnull=False)
    adjustments = apps.get_model("ledger", "Adjustment").objects
    for request in requests.filter(state__in=("granted", "gone")):
        adjustments.filter(id=request.adjustment_id).update(fields={}, status="granted")
        request.state = "granted"
        request.save()


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ledger", "0020_four_eyes")]
    operations: ClassVar = [migrations.RunPython(forget_numbers, migrations.RunPython.noop)]
