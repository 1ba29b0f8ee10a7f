"""The Django app of the desks."""

from __future__ import annotations

from django.apps import AppConfig


class DesksConfig(AppConfig):
    name = "crosstable.web.desks"
    label = "web_desks"
