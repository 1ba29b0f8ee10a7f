"""Corrections that directors ask for: all of them, and one side by side with what is rated."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from crosstable.errors import CrosstableError
from crosstable.formats import guarded_csv
from crosstable.office.corrections import asking, rows
from crosstable.office.notices.messages import conversation, write
from crosstable.office.people.rights import NotAllowedError, require
from crosstable.office.reading import correction as reading
from crosstable.office.requests import correcting
from crosstable.web import jobs
from crosstable.web.desks.common import BOTH, download, or_not_found
from crosstable.web.desks.doors import actor_of, needs
from crosstable.web.desks.officer import charts
from crosstable.web.desks.officer.common import or_said, to_queue, words_of


@require_safe
@needs("correction.ask")
def index(request: HttpRequest) -> HttpResponse:
    """To the office all of them, to a director the director's own."""
    found = rows.requests(actor_of(request))
    waiting = [one for one in reversed(found) if one.state == "asked"]
    decided = [one for one in found if one.state != "asked"][:100]
    return render(request, "desks/officer/corrections.html", {"waiting": waiting, "decided": decided})


@BOTH
@needs("correction.ask")
def one(request: HttpRequest, number: int) -> HttpResponseBase:
    """What is asked for; for the office with everything that it would do."""
    actor = actor_of(request)
    with or_not_found():
        asked = rows.shown(rows.find(actor, number))
    if request.method == "POST":
        return _decide(request, asked)
    page, wrong = None, ""
    if asked.state == "asked" and actor.may("rating.preview"):
        try:
            page = reading.correction(actor, number)
        except NotAllowedError:
            raise
        except CrosstableError as refused:  # the ledger has changed since it was asked
            wrong = str(refused)
    about = f"correction:{number}"
    context = {
        "asked": asked, "page": page, "wrong": wrong, "may": actor.may("event.correct"), "about": about,
        "own": asked.by == actor.name, "report": correcting.report_of(actor, number), "said": conversation(actor, about),
        "bars": charts.bars(page.reach.bars) if page and page.reach else None,
    }  # fmt: skip
    return render(request, "desks/officer/correction.html", context)


def _decide(request: HttpRequest, asked: rows.Asked) -> HttpResponse:
    actor, said, act = actor_of(request), words_of(request), request.POST.get("do", "")
    with or_said(request):
        if act == "take-back":
            asking.take_back(actor, asked.number)
            messages.success(request, "Taken back. The event stays as it is.")
            return redirect("desk-correction", asked.number)
        if act == "preview":
            job = jobs.begin(actor, "preview", f"A look at correcting {asked.event_name}", {"request": asked.number})
            return redirect("desk-job", job.id)
        require(actor, "event.correct")
        if act == "apply":
            given = {"request": asked.number, "message": said}
            job = jobs.begin(actor, "correct", f"Correcting {asked.event_name}", given)
            return redirect("desk-job", job.id)
        if act == "ask":
            write(actor, f"correction:{asked.number}", said)
            messages.success(request, f"Sent to {asked.by}. The request waits for the answer.")
            return to_queue(f"correction:{asked.number}")
        if act == "reject":
            correcting.refuse(actor, asked.number, said)
            messages.success(request, f"Rejected. {asked.by} reads why.")
            return to_queue(f"correction:{asked.number}")
        messages.error(request, "Not done. Choose what should become of it.")
    return redirect("desk-correction", asked.number)


@require_safe
@needs("rating.preview")
def moved(request: HttpRequest, number: int) -> HttpResponse:
    """Everybody whose rating would move."""
    with or_not_found():
        found = reading.all_moved(actor_of(request), number)
    heads = ("id", "name", "pool", "now", "would be", "difference", "why", "lists")
    lines = ((o.player, o.name, o.pool, o.now, o.would_be, o.change, o.why, o.lists) for o in found)
    table = guarded_csv.text((heads, *lines), line_end="\r\n")
    return download(f"correction-{number}.csv", table.encode(), "text/csv; charset=utf-8")


@require_safe
@needs("correction.ask")
def file(request: HttpRequest, number: int) -> HttpResponse:
    """The file that came with the request, byte by byte; never shown as a page."""
    with or_not_found():
        row = rows.find(actor_of(request), number)
    return download(f"correction-{number}", bytes(row.data))
