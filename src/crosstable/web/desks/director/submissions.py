"""What was sent, and what became of it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crosstable.office.queries import status, submission_page
from crosstable.office.reports import accepting, sending, submissions
from crosstable.office.reports.submission_status import NoSubmission
from crosstable.office.requests import correction_drafts, corrections
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import download, sheet
from crosstable.web.desks.director.common import told


@require_safe
@needs("submission.read")
def index(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    asked = (
        corrections.correction_requests(actor) if actor.may("correction.ask") and not actor.may("event.review") else []
    )
    context = {"sent": sheet(request, submission_page.submissions(actor)), "asked": asked}
    return render(request, "desks/director/submissions.html", context)


@require_safe
@told("submission.read")
def one(request: HttpRequest, number: int) -> HttpResponse:
    actor = actor_of(request)
    page = submission_page.page(actor, number)
    about = f"submission:{number}"
    context = {
        "page": page,
        "about": about,
        "said": submission_page.said(actor, page),
        "next_list": status.closes(),
        "own_corrections": corrections.own_waiting(actor, page.line.event) if page.line.event else [],
    }
    return render(request, "desks/director/submission.html", context)


@require_safe
@told("submission.read")
def file(request: HttpRequest, number: int) -> HttpResponse:
    """Show the file as it was sent; also of a report that was withdrawn."""
    row = submissions.visible(actor_of(request)).filter(id=number).first()
    if row is None:
        raise NoSubmission(f"there is no submission {number} for you")
    return download(row.file_name, bytes(row.data))


@require_POST
@told("draft.write")
def mend(request: HttpRequest, number: int) -> HttpResponse:
    """Open the report as a draft again."""
    return redirect("draft", sending.reopen(actor_of(request), number).id)


@require_POST
@told("submission.read")
def take_back(request: HttpRequest, number: int) -> HttpResponse:
    actor = actor_of(request)
    page = submission_page.page(actor, number)
    why = "closed by its director after the refusal" if page.may_close else "taken back by its director"
    accepting.withdraw(actor, page.line.event, request.POST.get("reason", "").strip()[:500] or why)
    messages.success(request, "Taken back. You can still read it here, fix it and send it again.")
    return redirect("submission", number)


@require_POST
@told("draft.write")
def correct(request: HttpRequest, number: int) -> HttpResponse:
    """Begin a correction of a rated event: its report as a draft."""
    actor = actor_of(request)
    return redirect("draft", correction_drafts.correction(actor, submission_page.page(actor, number).line.event).id)
