"""The Django app of what all pages share."""

from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Templates, static files and template tags that every room uses."""

    name = "crosstable.web"
    label = "web"
