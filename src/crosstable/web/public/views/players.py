"""Players: search, one player, one pool, head to head."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from crosstable.office.players import person
from crosstable.office.queries import player as reading
from crosstable.office.queries import search as finding
from crosstable.office.queries import versus as duels
from crosstable.office.queries.history import Played
from crosstable.web import addresses
from crosstable.web.public import charts
from crosstable.web.public.views.common import as_csv, number, page, shown, today, wants_csv


@page
def search(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "")[:6000]
    typing = bool(request.headers.get("HX-Request"))
    limits = finding.Limits(person.state_code(request.GET.get("state", "")[:40]), _year(number(request, "played", 0)))
    found = finding.players(query, number(request, "page"), limits, typing=typing)
    if wants_csv(request):
        return _hits(found)
    template = "players/found" if typing else "players/search"
    return shown(request, template, found=found, query=query)


def _year(given: int) -> int | None:
    return given if MINYEAR < given < MAXYEAR else None


def _hits(found: finding.Found) -> HttpResponse:
    head = ("id", "name", "state", "pool", "official", "live", "games", "last_event")
    rows = [
        (
            hit.person.number,
            hit.person.name,
            hit.person.state,
            one.pool,
            one.official and one.official.rating,
            one.live and one.live.rating,
            one.live and one.live.games,
            hit.last,
        )
        for hit in found.hits
        for one in hit.pools
    ]
    return as_csv("players", head, rows)


@page
def player(request: HttpRequest, player: str) -> HttpResponse:
    found = reading.player(player, today())
    if found.person.number != player:  # a duplicate: the record that is kept stands for it
        return HttpResponseRedirect(addresses.player(found.person.number))
    typed = request.GET.get("vs", "").strip()[:60]
    meant = duels.opponent(found.person, typed) if typed else None
    if meant and meant.person:
        return HttpResponseRedirect(reverse("versus", args=[player, meant.person.number]))
    if wants_csv(request):
        return _history(player, found.played)
    return shown(request, "players/player", page=found, chart=charts.player(found), typed=typed, meant=meant)


@page
def pool(request: HttpRequest, player: str, pool: str) -> HttpResponse:
    found = reading.pool(player, pool, today())
    if found is None:
        raise Http404(f"{player} has no rating in {pool}")
    if wants_csv(request):
        return _history(f"{player}-{pool}", tuple(reversed(found.played)))
    return shown(request, "players/pool", page=found, chart=charts.pool(found))


def _history(name: str, played: tuple[Played, ...]) -> HttpResponse:
    head = ("date", "event", "name", "section", "pool", "games", "score", "before", "after", "change")
    rows = [
        (
            one.date,
            one.event,
            one.name,
            one.section_name,
            one.pool,
            one.games,
            one.score,
            one.before,
            one.after,
            one.change,
        )
        for one in played
    ]
    return as_csv(name, head, rows)


@page
def versus(request: HttpRequest, player: str, other: str) -> HttpResponse:
    found = duels.versus(player, other, today())
    if wants_csv(request):
        head = ("date", "event", "section", "round", "colour", "score", "own_rating", "their_rating", "expected")
        rows = [
            (one.date, one.event, one.section, one.round, one.colour, one.score, one.own, one.theirs, one.expected)
            for one in found.games
        ]
        return as_csv(f"{player}-{other}", head, rows)
    return shown(request, "players/versus", page=found)
