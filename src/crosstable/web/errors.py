"""Errors are pages too, with a way on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader

from crosstable.office.reading import search
from crosstable.web.api import problems

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The nearest real page, a search, and the ways on."""
    wanted = request.path.strip("/").rsplit("/", 1)[-1][:60]
    context = {"wanted": wanted, "near": search.near(request.path)}
    return render(request, "404.html", context, status=404)


def failed(request: HttpRequest) -> HttpResponse:
    """Nothing may be asked of the database here: it may be what failed."""
    if request.path.startswith(API):
        return problems.problem("server-error", "The office could not answer.")
    return HttpResponse(loader.render_to_string("500.html"), status=500)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return problems.problem("bad-request", "The request cannot be read.")
    return HttpResponse(loader.render_to_string("400.html"), status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)
