"""Addresses that Python makes, where a template's `{% url %}` does not reach: one function per page."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


def site(request: HttpRequest) -> str:
    """Return the office's own address, for links in mails: as it is set up, else as it was asked."""
    return settings.OFFICE_ADDRESS.rstrip("/") or request.build_absolute_uri("/").rstrip("/")


def rule(name: str, system: str = "us_chess") -> str:
    """Return the page of a rule."""
    address = reverse("rule", args=[name])
    return address if system == "us_chess" else f"{address}?system={system}"


def event(number: str) -> str:
    """Return the page of an event."""
    return reverse("event", args=[number])


def revision(number: str, revision_number: int) -> str:
    """Return the page of a revision of an event."""
    return reverse("revision", args=[number, revision_number])


def published_list(day: date, pool: str) -> str:
    """Return the page of a list."""
    return reverse("list", args=[day.isoformat(), pool])
