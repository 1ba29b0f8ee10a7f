"""The queue, and one event of it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from crosstable.office.notices.messages import write
from crosstable.office.people.rights import require
from crosstable.office.queries import changes, officer_queue
from crosstable.office.queries import review as reviewing
from crosstable.office.rating import rules_behind
from crosstable.office.reports import accepting, events
from crosstable.office.reports.sending import mends_of
from crosstable.web import jobs
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH, or_not_found
from crosstable.web.desks.officer.common import or_said, to_queue, words_of

#: So many lines of a group are shown; the rest is one click away
SHOWN = 100


@BOTH
@needs("event.review")
def queue(request: HttpRequest) -> HttpResponseBase:
    """What waits; the form accepts one clean event, or all that are ticked."""
    if request.method == "POST":
        return _accept_some(request)
    found = officer_queue.queue(actor_of(request))
    decided = request.GET.get("decided", "")
    most = None if request.GET.get("all") == "1" else SHOWN
    groups = {name: getattr(found, name)[:most] for name in ("needs", "waits", "clean")}
    left_out = sum(len(getattr(found, name)) - len(lines) for name, lines in groups.items())
    context = {
        "queue": found,
        "left_out": left_out,
        "may": actor_of(request).may("event.accept"),
        "behind": rules_behind.known_behind(),
        "decided": decided,
        "next": found.after(decided, actor_of(request)) if decided else None,
        **groups,
    }
    return render(request, "desks/officer/queue.html", context)


def _accept_some(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    require(actor, "event.accept")
    numbers = list(dict.fromkeys(request.POST.getlist("event")))
    with or_said(request):
        if len(numbers) == 1:
            accepting.accept(actor, numbers[0])
            messages.success(request, f"{events.find(numbers[0]).name} is rated. Its director is told.")
            return to_queue(f"event:{numbers[0]}")
        if numbers:
            job = jobs.begin(actor, "accept", f"Accepting {len(numbers)} events", {"events": numbers})
            return redirect("desk-job", job.id)
        messages.error(request, "Not done. No event is ticked.")
    return redirect("desk-queue")


@BOTH
@needs("event.review")
def review(request: HttpRequest, event: str) -> HttpResponseBase:
    """One event: its sections, what was found in each, and the decision."""
    actor = actor_of(request)
    with or_not_found():
        page = reviewing.review(actor, event)
    if request.method == "POST":
        return _decide(request, page)
    look = None
    if request.GET.get("look") and page.waits and page.ready and actor.may("rating.preview"):
        with or_said(request):
            look = changes.moved(accepting.accept(actor, event, preview=True, sections=page.ready).as_json())
    mends = mends_of(actor, page.submission) if page.submission else []
    context = {
        "page": page,
        "look": look,
        "may": actor.may("event.accept"),
        "about": f"submission:{page.submission}",
        "mends": mends,
    }
    return render(request, "desks/officer/review.html", context)


def _decide(request: HttpRequest, page: reviewing.ReviewPage) -> HttpResponse:
    actor, said, act = actor_of(request), words_of(request), request.POST.get("do", "")
    require(actor, "event.accept")
    with or_said(request):
        if act == "accept":
            _accept(request, page, said)
            return to_queue(f"event:{page.number}")
        if act == "refuse":
            accepting.refuse(actor, page.number, said)
            messages.success(request, f"{page.name} is refused. {page.by} reads why.")
            return to_queue(f"event:{page.number}")
        if act == "send-back":
            return _send_back(request, page, said)
        if act == "ask" and page.submission is not None:
            write(actor, f"submission:{page.submission}", said)
            messages.success(request, f"Sent to {page.by}. The event waits for the answer.")
            return to_queue(f"event:{page.number}")
        messages.error(request, "Not done. Choose what should become of it.")
    return redirect("desk-review", page.number)


def _send_back(request: HttpRequest, page: reviewing.ReviewPage, said: str) -> HttpResponse:
    """One section; where others are still to be decided on, the officer goes on with them."""
    wanted = [one.line for one in page.open_sections if str(one.line.number) == request.POST.get("back")]
    accepting.refuse(actor_of(request), page.number, said, sections=[one.number for one in wanted])
    names = ", ".join(one.name for one in wanted)
    messages.success(request, f"{names} went back to {page.by}, who reads why. The other sections go on.")
    others = [one for one in page.open_sections if one.line not in wanted and not one.line.sent_back]
    return redirect("desk-review", page.number) if others else to_queue(f"event:{page.number}")


def _accept(request: HttpRequest, page: reviewing.ReviewPage, said: str) -> None:
    """All sections that wait, or those that are ticked."""
    waiting = [one.line.number for one in page.open_sections]
    ticked = [number for number in waiting if str(number) in request.POST.getlist("section")]
    chosen = None if not page.sent_back and (len(waiting) == 1 or ticked == waiting) else ticked
    accepting.accept(actor_of(request), page.number, said, sections=chosen)
    names = [one.line.name for one in page.open_sections if chosen is None or one.line.number in chosen]
    rest = [one.line.name for one in page.open_sections if one.line.name not in names]
    words = f"{page.name}: rated {', '.join(names)}." + (f" Waiting: {', '.join(rest)}." if rest else "")
    messages.success(request, f"{words} {page.by} is told.")
