"""The Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "crosstable.office.lists"
    label = "lists"
    default_auto_field = "django.db.models.BigAutoField"
