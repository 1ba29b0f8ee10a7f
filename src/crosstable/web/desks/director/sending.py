"""The preview, and off to the office."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crosstable.office.queries import draft_preview
from crosstable.office.reports import draft_page, drafts
from crosstable.office.reports import sending as office
from crosstable.office.reports.submissions import SAME
from crosstable.office.requests import correction_drafts
from crosstable.web.desks.access import actor_of
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
    done = office.send(actor_of(request), number)
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
