"""A director's announced events; officers see all and can remove one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from crosstable.errors import OfficeError
from crosstable.office.queries import announced
from crosstable.office.reports import announcements
from crosstable.office.storage import clock
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH, or_not_found
from crosstable.web.desks.director.common import sentence

FIELDS = tuple(announcements.Details.__dataclass_fields__)


@BOTH
@needs("draft.write")
def index(request: HttpRequest) -> HttpResponse:
    """Show one's own announcements, and the form for another."""
    given, problem = _given(request), ""
    if request.method == "POST":
        try:
            row = announcements.announce(actor_of(request), announcements.details(given))
            messages.success(request, f"{row.name} is announced.")
            return redirect("announcements")
        except OfficeError as refused:
            problem = sentence(str(refused))
    actor, today = actor_of(request), clock.today()
    lists = {"own": announced.own(actor, today), "others": announced.others(actor, today)}
    return _page(request, "announcements", problem, {**lists, "given": given})


@BOTH
@needs("draft.write")
def one(request: HttpRequest, number: int) -> HttpResponse:
    """Change an announcement of one's own, and choose its report."""
    actor, problem = actor_of(request), ""
    with or_not_found():
        row = announcements.find(actor, number)
    given = {name: str(getattr(row, name) or "") for name in FIELDS}
    report = row.event.number if row.event else ""
    if request.method == "POST":
        given, report = _given(request), request.POST.get("report", "")[:60]
        try:
            announcements.change(actor, number, announcements.details(given), report)
            messages.success(request, "Saved.")
            return redirect("announcements")
        except OfficeError as refused:
            problem = sentence(str(refused))
    more = {"row": row, "given": given, "report": report, "reports": announcements.reports(actor, row)}
    return _page(request, "announcement", problem, more)


@require_POST
@needs("draft.write")
def cancel(request: HttpRequest, number: int) -> HttpResponse:
    """Cancel one's own, or remove another's."""
    with or_not_found():
        announcements.cancel(actor_of(request), number)
    messages.success(request, "It is no longer announced.")
    return redirect("announcements")


def _given(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "")[:250] for name in FIELDS}


def _page(request: HttpRequest, template: str, problem: str, more: dict[str, Any]) -> HttpResponse:
    context = {"problem": problem, **more}
    return render(request, f"desks/director/{template}.html", context, status=400 if problem else 200)
