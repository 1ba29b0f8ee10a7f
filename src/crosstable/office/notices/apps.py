"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "crosstable.office.notices"
    label = "notices"
    default_auto_field = "django.db.models.BigAutoField"
