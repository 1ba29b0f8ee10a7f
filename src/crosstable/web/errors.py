"""Errors are pages too, with a way on."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.db import DataError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template import loader

from crosstable.office.queries import search
from crosstable.web import addresses
from crosstable.web.api import problems
from crosstable.web.form_pages import above, page_of_form

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show the nearest real page, a search, and the ways on."""
    wanted = request.path.strip("/").rsplit("/", 1)[-1][:60]
    context = {"wanted": wanted, "near": search.near(addresses.meant(request.path))}
    return render(request, "404.html", context, status=404)


class OnlyForms:
    """Middleware: a GET of an address that only takes a form leads to the page of the form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or request.method != "GET":
            return response
        if request.path.startswith(API):
            return response
        context = {"frame": _frame(request), "above": above(request.path)}
        page = render(request, "405.html", context, status=response.status_code)
        page.headers["Allow"] = response.headers["Allow"]
        return page


class Unreadable:
    """Middleware: text with a NUL character, which PostgreSQL does not store, is a bad request, not a failure."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer where the database has refused the text; nothing was saved."""
        given = (request.path, *_values(request.GET), *_values(request.POST))
        refused = isinstance(exception, ValueError | DataError) and any("\0" in text for text in given)
        return bad_request(request, exception) if refused else None


def _values(given: QueryDict) -> list[str]:
    return [text for _, values in given.lists() for text in values]


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


def token_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token does not fit: mostly its page is older than the last sign-in."""
    context = {"frame": _frame(request), "back": page_of_form(request)}
    response = render(request, "token_failed.html", context, status=403)
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _frame(request: HttpRequest) -> str:
    return "desks/base.html" if request.path.startswith("/desk/") else "base.html"
