"""The first page after signing in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.web.desks.doors import signed_in


@require_safe
@signed_in
def desk(request: HttpRequest) -> HttpResponse:
    return render(request, "desks/home.html")
