"""Proposals move to the app of requests; their table and its rows stay where they are."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("people", "0003_links_with_a_code")]
    operations: ClassVar = [migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Proposal")])]
