"""Jobs: what runs, what ran, and what came of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from crosstable.office.jobs import running
from crosstable.office.people.rights import require
from crosstable.office.queries import officer_queue
from crosstable.office.rating import rules_behind
from crosstable.web import jobs
from crosstable.web.desks.access import actor_of, fresh_second_factor, needs
from crosstable.web.desks.common import BOTH, or_not_found
from crosstable.web.desks.officer.common import or_said, words_of

#: What an officer decides from the queue: when it is done, the next thing is offered
DECIDED = ("accept", "correct")


@BOTH
@needs("job.read")
def index(request: HttpRequest) -> HttpResponseBase:
    """Show the newest first; computing every rating anew asks before it begins."""
    actor = actor_of(request)
    if request.method == "POST":
        if request.POST.get("do") == "look":
            job = jobs.begin(actor, "look", "Preview of recomputing every rating", {})
        else:
            require(actor, "rating.rerate")
            if request.POST.get("do") != "rerate":
                return render(request, "desks/officer/rerate.html", {"why": words_of(request)})
            job = jobs.begin(actor, "rerate", "Recomputing every rating", {"reason": words_of(request)})
        return redirect("desk-job", job.id)
    context = {"jobs": running.jobs(actor), "may": actor.may("rating.rerate"), "behind": rules_behind.known_behind()}
    return render(request, "desks/officer/jobs.html", context)


@BOTH
@needs("job.read")
def one(request: HttpRequest, number: int) -> HttpResponseBase:
    """How far it is, and what came of it. A stopped one is started again from here."""
    actor = actor_of(request)
    with or_not_found():
        job = running.job(actor, number)
    if request.method == "POST":
        # the second half of what takes two officers is this person's own, also the second time
        return (fresh_second_factor(_again) if job.kind == "approve" else _again)(request, number)
    context: dict[str, Any] = {"job": job}
    if job.kind in DECIDED and not job.open:
        found = officer_queue.queue(actor)
        context |= {"queue": found, "next": found.after("", actor)}
    asks_again: bool = bool(request.htmx)  # type: ignore[attr-defined]  # django-htmx has put it there
    response = render(request, f"desks/officer/{'job_state' if asks_again else 'job'}.html", context)
    if asks_again and not job.open:
        response.headers["HX-Refresh"] = "true"  # what came of it is more than the part that was asked for
    return response


def _again(request: HttpRequest, number: int) -> HttpResponse:
    with or_said(request):
        jobs.begin_again(actor_of(request), number)
    return redirect("desk-job", number)
