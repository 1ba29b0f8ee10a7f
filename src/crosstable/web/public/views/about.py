"""How ratings work, how to read a crosstable, privacy, status."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from crosstable.office.queries import status
from crosstable.web.public.views.common import page, shown


@page
def about(request: HttpRequest) -> HttpResponse:
    return shown(request, "about", status=status.status())


@page
def privacy(request: HttpRequest) -> HttpResponse:
    return shown(request, "privacy")


@page
def help_page(request: HttpRequest) -> HttpResponse:
    return shown(request, "help")
