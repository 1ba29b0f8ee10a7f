"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class RequestsConfig(AppConfig):
    name = "crosstable.office.requests"
    label = "requests"
    default_auto_field = "django.db.models.BigAutoField"
