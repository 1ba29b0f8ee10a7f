"""The first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from crosstable.office.queries import home as reading
from crosstable.web.public.views.common import page, shown


@page
def home(request: HttpRequest) -> HttpResponse:
    return shown(request, "home", home=reading.home())
