"""The Django app of the club's pages."""

from __future__ import annotations

from django.apps import AppConfig


class ClubPagesConfig(AppConfig):
    name = "crosstable.web.club"
    label = "web_club"
