"""The Django app of the public pages."""

from __future__ import annotations

from django.apps import AppConfig


class PublicConfig(AppConfig):
    name = "crosstable.web.public"
    label = "public"
