"""How migrations write a table, in a few lines. Migrations are history: nothing here may change what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import migrations, models


def table(name: str, options: Mapping[str, Any] | None = None, /, **columns: Any) -> migrations.CreateModel:
    """Make a new table: a numbered id, unless a column is the key itself, and the columns in their order."""
    if not any(column.primary_key for column in columns.values()):
        columns = {
            "id": models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
        } | columns
    return migrations.CreateModel(name, list(columns.items()), dict(options or {}))


def char(longest: int, **more: Any) -> models.CharField[Any, Any]:
    """Make a text column of so many characters at most."""
    return models.CharField(max_length=longest, **more)
