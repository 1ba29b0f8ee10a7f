"""The Django app of the API."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The API's page of documentation."""

    name = "crosstable.web.api"
    label = "web_api"
