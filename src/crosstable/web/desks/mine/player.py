"""The player's own page: ratings, the claim of an id, reports of mistakes, floor requests, and the answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages as flash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from crosstable.errors import OfficeError
from crosstable.office.queries.ratings import own
from crosstable.office.requests import claims, floors, mistakes, player_requests
from crosstable.web.desks.access import actor_of, needs, us_chess_only
from crosstable.web.desks.mine.common import whole


@require_safe
@needs("request.make")
def mine(request: HttpRequest) -> HttpResponse:
    return _page(request)


@require_POST
@needs("request.make")
def claim(request: HttpRequest) -> HttpResponse:
    given = {"player": request.POST.get("player", ""), "words": request.POST.get("words", "")}
    try:
        claims.claim(actor_of(request), given["player"], given["words"])
    except OfficeError as problem:
        return _page(request, status=400, claim_problem=str(problem), given=given)
    flash.success(request, "Sent. An officer looks at your claim; the answer comes to your inbox.")
    return redirect("mine")


@require_POST
@needs("floor.request")
@us_chess_only
def floor(request: HttpRequest) -> HttpResponse:
    actor, found = actor_of(request), own(actor_of(request))
    wanted = next((one for one in floors.own(actor) if str(one.number) == request.POST.get("floor")), None)
    if found is None or wanted is None:
        return _page(request, status=400, floor_problem="There is no such match of yours.")
    try:
        floors.request(
            actor,
            found.person.number,
            wanted.event,
            section=wanted.section,
            reason=request.POST.get("words", ""),
            pool=wanted.pool,
        )
    except OfficeError as problem:
        return _page(request, status=400, floor_problem=str(problem))
    flash.success(request, "Sent. An officer decides; the answer comes to your inbox.")
    return redirect("mine")


def _page(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    actor = actor_of(request)
    asked = player_requests.mine(actor)
    context = {
        "own": own(actor),
        "asked": asked,
        "claim": next((one for one in asked if one.kind == "claim" and one.waits), None),
        "floors": floors.own(actor),
    }
    return render(request, "desks/mine/mine.html", {**context, **more}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@needs("request.make")
def report(request: HttpRequest) -> HttpResponse:
    """Something in an event is wrong: the form, and what comes of it."""
    asked = request.POST if request.method == "POST" else request.GET
    given = {name: asked.get(name, "")[:2100] for name in ("event", "section", "round", "result", "words")}
    name, problem = "", ""
    sections: list[mistakes.Choice] = []
    try:
        if given["event"]:
            name, sections = mistakes.choices(given["event"])
        if request.method == "POST":
            place = mistakes.Place(given["event"], whole(given["section"]), whole(given["round"]))
            row = mistakes.report(actor_of(request), place, given["words"], given["result"])
            flash.success(request, "Sent. The office and the event’s director read it; the answer comes to your inbox.")
            return redirect("request", row.id)
    except OfficeError as found:
        problem = str(found)
    rounds = range(1, max((one.rounds for one in sections), default=0) + 1)
    context = {"given": given, "name": name, "sections": sections, "rounds": rounds, "problem": problem}
    context["results"] = [("win", "I won"), ("draw", "It was a draw"), ("loss", "I lost"), ("", "Something else")]
    return render(request, "desks/mine/report.html", context, status=400 if problem else 200)
