"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class DraftsConfig(AppConfig):
    name = "crosstable.office.reports"
    label = "drafts"
    default_auto_field = "django.db.models.BigAutoField"
