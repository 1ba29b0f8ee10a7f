"""Start a club in the browser; and the worker that keeps the night's page on a phone without contact."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from crosstable.club import starting
from crosstable.errors import CrosstableError
from crosstable.web.api import limits
from crosstable.web.club.access import let_in

WORKER = Path(__file__).parents[1] / "static" / "crosstable" / "worker.js"


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponseBase:
    """Show the form, and make the club. A database that holds an office says where a club is made instead."""
    if not starting.is_possible():
        return render(request, "club/new.html", {"possible": False, "here": ""}, status=_status(request))
    wanted = starting.NewClub(
        name=request.POST.get("name", "")[:200],
        pin=request.POST.get("pin", "")[:20] or f"{secrets.randbelow(10**6):06}",
        children=request.POST.get("children", "")[:10_000],
    )
    problem = ""
    if request.method == "POST":
        try:
            if seconds := limits.wait("report", limits.network(request)):
                return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(seconds)})
            starting.start(wanted)
            response = redirect("club:tonight")
            let_in(response, "")
            return response
        except CrosstableError as refused:
            problem = str(refused)
    context = {"possible": True, "wanted": wanted, "problem": problem, "here": ""}
    return render(request, "club/new.html", context, status=HTTPStatus.BAD_REQUEST if problem else HTTPStatus.OK)


def _status(request: HttpRequest) -> int:
    return HTTPStatus.NOT_FOUND if request.method == "POST" else HTTPStatus.OK


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker from under the club's pages, where it works."""
    return HttpResponse(WORKER.read_bytes(), content_type="text/javascript", headers={"Cache-Control": "no-cache"})
