"""What players ask: the list for officers and directors, one request with its messages, and the decision."""

from __future__ import annotations

from typing import Any

from django.contrib import messages as flash
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crosstable.errors import CrosstableError, OfficeError
from crosstable.office.notices import messages
from crosstable.office.requests import corrections, player_requests, registry
from crosstable.office.requests.player_requests import Asked
from crosstable.web.desks.access import actor_of, needs


@require_safe
@needs("submission.read")
def index(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    decided = player_requests.decided(actor) if actor.may("event.review") else []
    context = {
        "waiting": player_requests.waiting(actor),
        "decided": decided,
        "own_corrections": corrections.own_waiting(actor),
    }
    return render(request, "desks/mine/requests.html", context)


@require_safe
@needs("request.make")
def one(request: HttpRequest, number: int) -> HttpResponse:
    return _page(request, number)


@require_POST
@needs("request.decide")
def decide(request: HttpRequest, number: int) -> HttpResponse:
    """Decide as an officer: a claim confirmed or refused; a mistake corrected or not."""
    _asked(request, number)
    words, granted = request.POST.get("words", ""), request.POST.get("answer") == "yes"
    try:
        registry.decide(actor_of(request), f"request:{number}", granted=granted, words=words)
    except OfficeError as problem:
        return _page(request, number, status=400, problem=str(problem), words=words)
    flash.success(request, "Answered. The reply is in the sender's inbox.")
    return redirect("request", number)


@require_POST
@needs("request.decide")
def correct(request: HttpRequest, number: int) -> HttpResponse:
    """Turn the reported mistake into a correction request, to be looked at and granted at its own page."""
    _asked(request, number)
    try:
        made = corrections.make_correction(actor_of(request), number)
    except CrosstableError as problem:
        return _page(request, number, status=400, problem=str(problem))
    flash.success(request, "The correction request is made. Look at what it changes; deciding it answers the report.")
    return redirect("desk-correction", made.id)


@require_POST
@needs("request.make")
def take_back(request: HttpRequest, number: int) -> HttpResponse:
    _asked(request, number)
    try:
        registry.take_back(actor_of(request), f"request:{number}")
    except OfficeError as problem:
        return _page(request, number, status=400, problem=str(problem))
    flash.success(request, "Taken back.")
    return redirect("mine")


def _asked(request: HttpRequest, number: int) -> Asked:
    """Return a request that this person may look at."""
    try:
        return player_requests.one(actor_of(request), number)
    except OfficeError as problem:
        raise Http404(str(problem)) from problem


def _page(request: HttpRequest, number: int, status: int = 200, **more: Any) -> HttpResponse:
    actor, asked = actor_of(request), _asked(request, number)
    context = {
        "asked": asked,
        "said": messages.conversation(actor, asked.about),
        "about": asked.about,
        "mine": asked.by == request.user.get_username(),
        "may_decide": actor.may("request.decide") and asked.waits,
    }
    return render(request, "desks/mine/request.html", {**context, **more}, status=status)
