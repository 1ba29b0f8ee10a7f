"""The first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.web.caching import from_ledger


@from_ledger
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "public/home.html")
