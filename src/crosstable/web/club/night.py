"""The night: tick who is here, pair, tap results, undo; and the taps that a phone kept while it had no contact."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from crosstable.club import attendance, boards, children, evening, ladder, results, shown
from crosstable.club.clubs import ClubError, check_pin, club, volunteer
from crosstable.club.models import Club, Wish
from crosstable.errors import CrosstableError
from crosstable.office.ledger.models import Player
from crosstable.office.people.rights import Actor
from crosstable.web.club.access import actor, address_of, let_in, seen, with_pin
from crosstable.words.language import _

#: A phone that was away for a whole evening has fewer
MOST_TAPS = 500


@require_safe
@seen
def tonight(request: HttpRequest) -> HttpResponse:
    return _page(request)


def _page(request: HttpRequest, problem: str = "") -> HttpResponse:
    who = actor(request)
    night = evening.today() if who else evening.latest()
    given = {
        "may": who is not None,
        "problem": problem,
        "tonight": shown.tonight(night) if night else None,
        "ladder": ladder.ladder(),
        "when": ladder.when(),
        "mode": club().mode,
        "here": "tonight",
        "apart": children.wishes(Wish.APART) if who else [],
        "typed": request.POST.get("new", ""),
    }
    return render(request, "club/tonight.html", given, status=400 if problem else 200)


@require_safe
@seen
def pulse(request: HttpRequest) -> HttpResponse:
    """Show a few letters that change with every change of the night."""
    return HttpResponse(shown.pulse(evening.today()), content_type="text/plain")


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest) -> HttpResponseBase:
    """Ask for the PIN."""
    if not Club.objects.filter(id=1).exists():
        return render(request, "club/none.html", status=404)
    problem = ""
    if request.method == "POST":
        try:
            if check_pin(request.POST.get("pin", "").strip(), address_of(request)):
                response = redirect("club:tonight")
                let_in(response, request.POST.get("name", "").strip())
                return response
            problem = _("That is not the club's PIN.")
        except CrosstableError as wrong:
            problem = str(wrong)
    return render(request, "club/enter.html", {"problem": problem, "here": ""}, status=403 if problem else 200)


@require_POST
@with_pin
def leave(request: HttpRequest) -> HttpResponse:
    response = redirect("club:tonight")
    response.delete_cookie("club")
    return response


#: What a volunteer does; it answers where on the night's page to go on
Act = Callable[[HttpRequest, Actor], str]


def does(act: Act) -> Callable[[HttpRequest], HttpResponseBase]:
    """Make the page of an act: do it, and show the night; where it cannot be done, say why on the same page."""

    @require_POST
    @with_pin
    @wraps(act)
    def page(request: HttpRequest) -> HttpResponse:
        try:
            back = act(request, actor(request) or volunteer())
        except CrosstableError as wrong:
            return _page(request, str(wrong))
        return redirect(f"/club/{back}")

    return page


@does
def here(request: HttpRequest, who: Actor) -> str:
    """Return the ticks of all who have come, and newcomers by first name."""
    night = evening.tonight()
    names = request.POST.get("new", "").replace(",", "\n").splitlines()
    new = children.join_all(who, [name for name in names if name.strip()])
    ticked = Player.objects.filter(id__in=_numbers(request.POST.getlist("here")), club_child__isnull=False)
    attendance.here(who, night, [*ticked, *new])
    return "#here"


def _numbers(texts: list[str]) -> list[int]:
    return [int(text) for text in texts if text.isdigit() and len(text) < 12]


def _player(request: HttpRequest, name: str) -> Player:
    found = Player.objects.filter(id__in=_numbers([request.POST.get(name, "")]), club_child__isnull=False).first()
    if found is None:
        raise ClubError(_("choose a child from the list"))
    return found


@does
def state(request: HttpRequest, who: Actor) -> str:
    """Sits out, has gone home, is back."""
    attendance.set_state(who, evening.tonight(), _player(request, "player"), request.POST.get("state", ""))
    return "#here"


@does
def pair(_request: HttpRequest, who: Actor) -> str:
    boards.pair_free(who, evening.tonight())
    return "#boards"


@does
def wish(request: HttpRequest, _who: Actor) -> str:
    """Two children for the next pairing, or never; or a wish that no longer holds."""
    if drop := _numbers([request.POST.get("drop", "")]):
        children.drop_wish(drop[0])
        return "#wishes"
    one, other = _player(request, "one"), _player(request, "other")
    if request.POST.get("kind") == Wish.APART:
        children.keep_apart(one, other)
    else:
        children.put_together(one, other, evening.tonight().id)
    return "#wishes"


@does
def undo(_request: HttpRequest, who: Actor) -> str:
    results.undo(who, evening.tonight())
    return "#boards"


@does
def result(request: HttpRequest, who: Actor) -> str:
    """One tap, from a page without JavaScript."""
    board = _numbers([request.POST.get("board", "")])
    if not board:
        raise ClubError(_("which board?"))
    given = results.enter(who, board[0], request.POST.get("result", ""), seen=request.POST.get("seen"))
    if given.outcome in (results.DISAGREE, results.GONE):
        raise ClubError(given.message)
    return f"#board-{board[0]}"


@require_POST
@with_pin
def taps(request: HttpRequest) -> HttpResponse:
    """Taps that a phone kept, in their order; each is taken once, however often it is sent."""
    who = actor(request) or volunteer()
    try:
        given = json.loads(request.body)
        wanted = [_tap(one) for one in given["taps"][:MOST_TAPS]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return HttpResponse('taps are {"taps": [{"key", "board", "result", "seen"}]}', status=400)
    answers = []
    for key, board, value, seen_before in wanted:
        try:
            done = results.enter(who, board, value, seen=seen_before, key=key)
            answers.append({"key": key, "outcome": done.outcome, "message": done.message})
        except CrosstableError as wrong:
            answers.append({"key": key, "outcome": "refused", "message": str(wrong)})
    return JsonResponse({"taps": answers})


def _tap(one: Any) -> tuple[str, int, str, str | None]:
    seen_before = one.get("seen")
    return (
        str(one["key"])[:64],
        int(one["board"]),
        str(one["result"]),
        None if seen_before is None else str(seen_before),
    )
