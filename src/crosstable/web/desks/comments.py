"""Comments on the rows of a report: writing one, answering it, resolving it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from crosstable.errors import OfficeError
from crosstable.office.reports import row_comments
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import or_not_found
from crosstable.web.desks.mine.common import back, whole


@require_POST
@needs("submission.read")
def comment(request: HttpRequest, event: str) -> HttpResponse:
    """Do what the form says, and return to its page; what is refused comes back with its words."""
    act, words = request.POST.get("do", ""), request.POST.get("words", "")
    then = back(request, "/desk/inbox/")
    with or_not_found():
        row_comments.find(actor_of(request), event)
    try:
        _do(request, event, act, words)
    except OfficeError as problem:
        kept = [(name, request.POST.get(name, "")) for name in ("row", "thread", "do", "next")]
        context = {"problem": str(problem), "words": words, "kept": kept, "back": then, "event": event}
        return render(request, "desks/officer/comment_refused.html", context, status=400)
    messages.success(request, "Resolved." if act == "resolve" else "Sent.")
    return redirect(then)


def _do(request: HttpRequest, event: str, act: str, words: str) -> None:
    actor = actor_of(request)
    section, row = map(whole, request.POST.get("row", "").partition("-")[::2])
    thread = whole(request.POST.get("thread", ""))
    if act == "comment" and section is not None and row is not None:
        row_comments.comment(actor, event, (section, row), words)
    elif act == "answer" and thread is not None:
        row_comments.answer(actor, thread, words)
    elif act == "resolve" and thread is not None:
        row_comments.resolve(actor, thread)
    else:
        raise OfficeError("choose a row and write a comment")
