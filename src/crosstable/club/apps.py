"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ClubConfig(AppConfig):
    name = "crosstable.club"
    label = "club"
    default_auto_field = "django.db.models.BigAutoField"
