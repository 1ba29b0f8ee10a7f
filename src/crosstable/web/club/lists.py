"""What hangs on the wall: the ladder, a child's card, records, certificates, the poster and the pairing sheet."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from crosstable.club import children, clubs, evening, exchange, ladder, rules, seasons
from crosstable.club.models import Night
from crosstable.errors import CrosstableError
from crosstable.office.ledger.models import Player
from crosstable.web.club import poster as sheets
from crosstable.web.club.access import actor, seen, with_pin
from crosstable.web.downloads import attachment


@require_safe
@seen
def the_ladder(request: HttpRequest) -> HttpResponse:
    given = {
        "ladder": ladder.ladder(),
        "when": ladder.when(),
        "night": evening.latest(),
        "records": ladder.records(),
        "here": "ladder",
    }
    return render(request, "club/ladder.html", given | {"certificates": ladder.certificates()})


@require_safe
@seen
def how(request: HttpRequest) -> HttpResponse:
    """Show what this club's ratings go by, in words and in games."""
    return render(request, "club/how.html", {"rules": rules.in_force(), "examples": rules.examples(), "here": ""})


@require_safe
@seen
def ladder_csv(request: HttpRequest) -> HttpResponse:
    return _csv(exchange.ladder_csv(), "ladder")


@require_safe
@with_pin
def games_csv(request: HttpRequest) -> HttpResponse:
    return _csv(exchange.games_csv(), "games")


def _csv(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": attachment(f"{name}.csv")}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


def _child(number: str) -> Player:
    found = Player.objects.filter(number=number, club_child__isnull=False).first()
    if found is None:
        raise Http404
    return found


@require_http_methods(["GET", "HEAD", "POST"])
@seen
def players(request: HttpRequest) -> HttpResponse:
    """Everybody by name; with the PIN also a CSV file of children or games."""
    who, problem, done = actor(request), "", None
    if request.method == "POST":
        if who is None:
            return redirect("club:enter")
        try:
            file = request.FILES.get("file")
            done = exchange.import_csv(who, file.read(exchange.MOST_BYTES + 1) if file else b"")
        except CrosstableError as wrong:
            problem = str(wrong)
    rungs = sorted(ladder.ladder(), key=lambda rung: rung.name.casefold())
    given = {"rungs": rungs, "here": "players", "done": done, "may": who is not None, "problem": problem}
    return render(request, "club/players.html", given, status=400 if problem else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@seen
def player(request: HttpRequest, number: str) -> HttpResponse:
    child, who = _child(number), actor(request)
    problem = ""
    if request.method == "POST":
        if who is None:
            return redirect("club:enter")
        try:
            return _change(request, child)
        except CrosstableError as wrong:
            problem = str(wrong)
    own = ladder.card(child)
    numbers = {game.opponent_of(number) for game in own.games}
    names = {one.number: children.display_name(one) for one in Player.objects.filter(number__in=numbers)}
    games = [
        (game, names[game.opponent_of(number)], game.rating_of(number), game.score_of(number)) for game in own.games
    ]
    given = {
        "card": own,
        "games": games,
        "line": ladder.sparkline(own.history),
        "may": who is not None,
        "problem": problem,
        "best_win": names[own.best_win.opponent_of(number)] if own.best_win else "",
        "best_rating": own.best_win.rating_of(own.best_win.opponent_of(number)).before if own.best_win else None,
        "here": "players",
    }
    return render(request, "club/player.html", given, status=400 if problem else 200)


def _change(request: HttpRequest, child: Player) -> HttpResponse:
    who = actor(request) or clubs.volunteer()
    what = request.POST.get("what", "")
    if what == "rename":
        children.rename(who, child, request.POST.get("name", ""))
    elif what == "leave":
        children.leave(child)
    elif what == "forget":
        children.forget(who, child)
        return redirect("club:players")
    return redirect("club:player", number=child.number)


@require_safe
@with_pin
def player_csv(request: HttpRequest, number: str) -> HttpResponse:
    return _csv(exchange.child_csv(_child(number)), f"child-{number}")


@require_safe
@seen
def poster(request: HttpRequest) -> HttpResponse:
    return render(request, "club/poster.html", {**sheets.content(), "here": "poster"})


@require_safe
@seen
def certificate(request: HttpRequest, number: str, hundred: int) -> HttpResponse:
    given = [one for one in ladder.certificates() if one.player == number and one.hundred == hundred]
    if not given:
        raise Http404
    return render(request, "club/certificate.html", {"one": given[0], "club": clubs.name(), "here": ""})


@require_http_methods(["GET", "HEAD", "POST"])
@with_pin
def all_seasons(request: HttpRequest) -> HttpResponse:
    problem = ""
    if request.method == "POST":
        try:
            who = actor(request) or clubs.volunteer()
            seasons.begin(who, request.POST.get("name", ""), fresh=request.POST.get("ratings") == "clean")
            return redirect("club:seasons")
        except CrosstableError as wrong:
            problem = str(wrong)
    rows = [(season, Night.objects.filter(season=season).count()) for season in seasons.all_seasons()]
    given = {"seasons": rows, "problem": problem, "here": ""}
    return render(request, "club/seasons.html", given, status=400 if problem else 200)
