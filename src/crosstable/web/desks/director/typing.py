"""Typing a report in: a row for each player, cells like W12; saved at every pause."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from crosstable.errors import OfficeError
from crosstable.office.drafts import drafting
from crosstable.office.drafts.grid import FACTS, MOST_ROUNDS, MOST_ROWS, Row, Typed
from crosstable.office.drafts.models import Draft
from crosstable.office.storage import clock
from crosstable.web.desks.director.common import sentence, told
from crosstable.web.desks.doors import actor_of

ROWS, ROUNDS, MORE = 12, 4, 8
LABELS = {
    "event": "Event", "city": "City", "state": "State", "country": "Country", "start": "First day", "end": "Last day",
    "affiliate": "Affiliate’s id", "chief_td": "Chief TD’s id", "section": "Section", "time_control": "Time control",
}  # fmt: skip


@require_POST
@told("draft.write")
def start(request: HttpRequest) -> HttpResponse:
    if not request.POST.get("begin"):
        raise OfficeError("press the button: nothing was begun")
    row = drafting.start_typed(actor_of(request), Typed({}, ROUNDS, (Row(),) * ROWS))
    return redirect("draft-grid", row.id)


@require_http_methods(["GET", "HEAD", "POST"])
@told("draft.write")
def grid(request: HttpRequest, number: int) -> HttpResponse:
    actor = actor_of(request)
    if request.method != "POST":
        row, typed = drafting.typed_of(actor, number)
        return _page(request, row, typed)
    typed = _typed(request)
    try:
        row = drafting.save_typed(actor, number, typed, _whole(request, "version", 0))
    except OfficeError as problem:
        return _not_saved(request, number, typed, str(problem))
    if request.headers.get("X-Autosave"):
        return JsonResponse({"version": row.version, "saved": f"{clock.now():%H:%M:%S}"})
    if request.POST.get("done"):
        drafting.read_typed(actor, number)
        return redirect("draft", number)
    return redirect("draft-grid", number)


def _not_saved(request: HttpRequest, number: int, typed: Typed, problem: str) -> HttpResponse:
    """What was typed stays on the page."""
    if request.headers.get("X-Autosave"):
        return JsonResponse({"problem": sentence(problem)}, status=409)
    row = drafting.find(actor_of(request), number)
    return _page(request, row, typed, sentence(problem), status=409)


def _page(request: HttpRequest, row: Draft, typed: Typed, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "draft": row,
        "typed": typed,
        "facts": [(name, LABELS[name], typed.facts.get(name, ""), "date" if name in ("start", "end") else "text") for name in FACTS],
        "turns": range(1, typed.rounds + 1),
        "problem": problem,
        "rows": list(enumerate(typed.rows, start=1)),
    }  # fmt: skip
    return render(request, "desks/director/grid.html", context, status=status)


def _typed(request: HttpRequest) -> Typed:
    """The cells of the form; a few more rows or one more round where they were asked for."""
    post = request.POST
    rows = min(_whole(request, "rows", ROWS), MOST_ROWS)
    rounds = min(_whole(request, "rounds", ROUNDS), MOST_ROUNDS)
    made = [
        Row(
            post.get(f"id{place}", ""), post.get(f"name{place}", ""), post.get(f"rating{place}", ""),
            tuple(post.get(f"r{place}-{turn}", "") for turn in range(1, rounds + 1)),
        )
        for place in range(1, rows + 1)
    ]  # fmt: skip
    if post.get("more") == "rows":
        made += [Row()] * min(MORE, MOST_ROWS - rows)
    if post.get("more") == "round":
        rounds = min(rounds + 1, MOST_ROUNDS)
    return Typed({name: post.get(name, "") for name in FACTS}, rounds, tuple(made))


def _whole(request: HttpRequest, name: str, otherwise: int) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 7 else otherwise
