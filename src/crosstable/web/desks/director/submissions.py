"""A report on its way: the preview, off to the office, and what became of it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crosstable.office.queries import draft_preview, status, submission_page
from crosstable.office.reports import accepting, draft_page, drafts, row_comments, sending, submissions
from crosstable.office.reports.submission_status import NoSubmission
from crosstable.office.reports.submissions import SAME
from crosstable.office.requests import correction_drafts, corrections
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import download, sheet
from crosstable.web.desks.director.common import sentence, told
from crosstable.web.desks.director.drafts import page_of


@require_safe
@told("draft.write")
def preview(request: HttpRequest, number: int) -> HttpResponse:
    """Show the ratings that would result; where something still needs fixing, with the suggested fixes."""
    draft = drafts.load(actor_of(request), number)
    look = draft_page.look(draft)
    shown = draft_preview.preview_for(actor_of(request), draft, look)
    context = {**page_of(request, draft, look), "preview": shown, "supposed": shown.supposed}
    return render(request, "desks/director/preview.html", context)


@require_POST
@told("draft.write")
def send(request: HttpRequest, number: int) -> HttpResponse:
    done = sending.send(actor_of(request), number)
    if not done.ok:
        messages.error(request, sentence(done.message))
        return redirect("draft", number)
    if done.outcome == SAME:
        words = (
            f"The office has this event already, as {done.event}: nothing was added. If it should say something else"
        )
        messages.success(request, f"{words} (a bye, say), ask for a correction of it.")
        return redirect("submission", done.submission)
    messages.success(request, f"Sent. This is submission {done.submission}, and this page says what happens next.")
    return redirect("submission", done.submission)


@require_POST
@told("draft.write")
def ask(request: HttpRequest, number: int) -> HttpResponse:
    """Ask for a correction, with the reason."""
    asked = correction_drafts.ask(actor_of(request), number, request.POST.get("reason", "")[:2000])
    messages.success(request, f"Requested. This is correction request {asked}; the answer comes to your inbox.")
    return redirect("submissions")


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
        "threads": row_comments.about(actor, page.line.event),
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
