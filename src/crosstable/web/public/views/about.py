"""How ratings work, how to read a crosstable, privacy, status."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from crosstable.federations.current import current
from crosstable.office.ledger.office_settings import publishes_without_ages
from crosstable.office.queries import rules, status
from crosstable.web.public.views.common import page, shown, today


@page
def about(request: HttpRequest) -> HttpResponse:
    return shown(request, "about", status=status.status())


@page
def privacy(request: HttpRequest) -> HttpResponse:
    return shown(request, "privacy", without_age=publishes_without_ages())


@page
def help_page(request: HttpRequest) -> HttpResponse:
    if current().us_chess:
        return shown(request, "help")
    return shown(request, "help_system", page=rules.own_systems(today()))
