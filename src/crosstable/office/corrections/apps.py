"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class CorrectionsConfig(AppConfig):
    name = "crosstable.office.corrections"
    label = "corrections"
    default_auto_field = "django.db.models.BigAutoField"
