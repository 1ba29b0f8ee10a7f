"""The queue, and one event of it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crosstable.office.ledger.models import Event
from crosstable.office.notices.messages import write
from crosstable.office.people.rights import require
from crosstable.office.queries import changes, desk, officer_queue
from crosstable.office.queries import review as reviewing
from crosstable.office.rating import rules_behind
from crosstable.office.rating.rerating import Rerated
from crosstable.office.reports import accepting, events
from crosstable.office.reports.sending import mends_of
from crosstable.office.requests import correction_drafts
from crosstable.web import jobs
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH, or_not_found
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import told
from crosstable.web.desks.officer.common import or_said, status_of, to_queue, typed, words_of

#: So many lines of a group are shown; the rest is one click away
SHOWN = 100


@BOTH
@needs("event.review")
def queue(request: HttpRequest) -> HttpResponseBase:
    """Show what waits; the form accepts one clean event, or all that are ticked."""
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
            messages.success(request, f"{events.find(numbers[0]).name} is rated. Its director is notified.")
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
        page = reviewing.review(actor, event, rate=True)
    if request.method == "POST" and (done := _decide(request, page)) is not None:
        return done
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
        "typed": typed(request),
        "may_correct": actor.may("event.correct") and page.status != Event.WITHDRAWN,
        "may_withdraw": actor.may("event.withdraw") and page.status == Event.ACCEPTED,
        "may_restore": actor.may("event.accept") and page.status == Event.WITHDRAWN,
    }
    return render(request, "desks/officer/review.html", context, status=status_of(request))


def _decide(request: HttpRequest, page: reviewing.ReviewPage) -> HttpResponse | None:
    """Return where to go next; nothing where it is refused, and the page shows why beside what was typed."""
    actor, said, act = actor_of(request), words_of(request), request.POST.get("do", "")
    require(actor, "event.accept")
    with or_said(request):
        if act == "accept":
            _accept(request, page, said)
            return to_queue(f"event:{page.number}")
        if act == "refuse":
            accepting.refuse(actor, page.number, said)
            messages.success(request, f"{page.name} is refused. {page.by} gets the reason.")
            return to_queue(f"event:{page.number}")
        if act == "send-back":
            return _send_back(request, page, said)
        if act == "ask" and page.submission is not None:
            write(actor, f"submission:{page.submission}", said)
            messages.success(request, f"Sent to {page.by}. The event waits for the answer.")
            return to_queue(f"event:{page.number}")
        messages.error(request, "Not done. Choose what to do with this event.")
    return None


@require_safe
@needs("event.review")
def find(request: HttpRequest) -> HttpResponse:
    """Show every event of this office by words of its name or the beginning of its id, whatever its status."""
    query = request.GET.get("q", "")[:200]
    return render(request, "desks/officer/events.html", {"rows": desk.events(query), "query": query})


@BOTH
@needs("event.withdraw")
def withdraw(request: HttpRequest, event: str) -> HttpResponseBase:
    """Show what withdrawing a rated event would move, then withdraw it. `restore` brings it back."""
    return _move(request, event, accepting.withdraw, "withdraw", "withdrawn")


@BOTH
@needs("event.accept")
def restore(request: HttpRequest, event: str) -> HttpResponseBase:
    """Show what restoring a withdrawn event would move, then rate it again."""
    return _move(request, event, accepting.accept, "restore", "rated again")


def _move(request: HttpRequest, event: str, act: Callable[..., Rerated], name: str, done: str) -> HttpResponse:
    actor = actor_of(request)
    with or_not_found():
        row = events.find(event)
    if row.status != {"withdraw": Event.ACCEPTED, "restore": Event.WITHDRAWN}[name]:
        messages.error(request, f"Not done. This event is {row.status}.")
        return redirect("desk-review", event)
    form = forms.Reason(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with told(form):
            act(actor, event, form.cleaned_data["reason"])
            messages.success(request, f"{row.name} has been {done}. The director has a message.")
            return redirect("desk-review", event)
    look = None
    with or_said(request):
        look = changes.moved(act(actor, event, "", preview=True).as_json())
    context = {"event": row, "form": form, "look": look, "act": name}
    return render(request, "desks/officer/withdraw.html", context, status=status_of(request))


@require_POST
@needs("event.correct")
def edit(request: HttpRequest, event: str) -> HttpResponse:
    """Open an event's report as a draft; what the officer changes there is asked for and decided as a correction."""
    draft = None
    with or_said(request):
        draft = correction_drafts.correction(actor_of(request), event)
    return redirect("desk-review", event) if draft is None else redirect("draft", draft.id)


def _send_back(request: HttpRequest, page: reviewing.ReviewPage, said: str) -> HttpResponse:
    """One section; where others are still to be decided on, the officer goes on with them."""
    wanted = [one.line for one in page.open_sections if str(one.line.number) == request.POST.get("back")]
    accepting.refuse(actor_of(request), page.number, said, sections=[one.number for one in wanted])
    names = ", ".join(one.name for one in wanted)
    messages.success(request, f"{names} went back to {page.by}, with the reason. The other sections are not affected.")
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
    messages.success(request, f"{words} {page.by} is notified.")
