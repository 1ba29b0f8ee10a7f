"""Events: search, one event, a crosstable, a revision."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from crosstable.office.queries import announced as coming
from crosstable.office.queries import crosstable as tables
from crosstable.office.queries import event as reading
from crosstable.office.queries import revision as revisions
from crosstable.office.queries import standings as places
from crosstable.office.queries.words import round_half_up
from crosstable.web.public.views.common import as_csv, number, page, shown, today, wants_csv

TIE_BREAKS = ("modified_median", "solkoff", "cumulative", "sonneborn_berger", "direct_encounter")


@page
def search(request: HttpRequest) -> HttpResponse:
    year = number(request, "year", 0) or None
    found = reading.events(
        request.GET.get("q", "")[:200], year, request.GET.get("state", "")[:40], number(request, "page")
    )
    if wants_csv(request):
        head = ("event", "name", "city", "state", "end", "sections", "pools", "players")
        rows = [
            (one.number, one.name, one.city, one.state, one.end, one.sections, " ".join(one.pools), one.players)
            for one in found.lines
        ]
        return as_csv("events", head, rows)
    template = "events/found" if request.headers.get("HX-Request") else "events/search"
    first = not (found.query or found.year or found.state) and found.page == 1
    return shown(request, template, found=found, coming=coming.coming(today()) if first else ())


@page
def event(request: HttpRequest, event: str) -> HttpResponse:
    found = reading.event(event)
    if wants_csv(request):
        head = (
            "section",
            "name",
            "time_control",
            "rounds",
            "pools",
            "players",
            "games",
            "average_before",
            "rose",
            "fell",
        )
        rows = [
            (
                one.number,
                one.name,
                one.time_control,
                one.rounds,
                " ".join(one.pools),
                one.players,
                one.games,
                one.average,
                one.rose,
                one.fell,
            )
            for one in found.sections
        ]
        return as_csv(found.number, head, rows)
    return shown(request, "events/event", page=found)


@page
def crosstable(request: HttpRequest, event: str, section: int) -> HttpResponse:
    found = tables.crosstable(event, section, request.GET.get("sort", "score"))
    if wants_csv(request):
        return crosstable_csv(found)
    return shown(request, "events/crosstable", page=found)


def crosstable_csv(found: tables.CrosstablePage) -> HttpResponse:
    rounds = [name for one in range(1, found.rounds + 1) for name in (f"round_{one}", f"round_{one}_color")]
    ratings = [f"{pool}_{when}" for pool in found.pools for when in ("before", "after")]
    head = ("number", "id", "name", *rounds, "score", *ratings, "performance")
    rows = [
        (
            row.number,
            row.person.number,
            row.person.name,
            *(part for cell in row.cells for part in (f"{cell.letter}{cell.opponent or ''}", cell.color)),
            row.score,
            *(value for one in row.numbers for value in (one.before, one.after)),
            None if row.performance is None else round_half_up(row.performance),
        )
        for row in found.rows
    ]
    return as_csv(f"{found.event}-{found.section}", head, rows)


@page
def standings(request: HttpRequest, event: str, section: int) -> HttpResponse:
    """Show the standings with their tie-breaks."""
    found = places.standings(event, section)
    if wants_csv(request):
        head = ("place", "id", "name", "score", *TIE_BREAKS)
        rows = [
            (one.first, one.row.person.number, one.row.person.name, one.row.score, *one.numbers) for one in found.lines
        ]
        return as_csv(f"{event}-{section}-standings", head, rows)
    return shown(request, "events/standings", page=found)


@page
def revision(request: HttpRequest, event: str, revision: int) -> HttpResponse:
    found = revisions.revision(event, revision)
    if wants_csv(request):
        head = ("id", "name", "pool", "event", "event_name", "section", "section_name", "was", "is_now", "difference")
        rows = [
            (
                one.person.number,
                one.person.name,
                one.pool,
                one.event,
                one.event_name,
                one.section,
                one.section_name,
                one.before,
                one.after,
                one.change,
            )
            for group in found.groups
            for one in group.moved
        ]
        return as_csv(f"{event}-revision-{revision}", head, rows)
    return shown(request, "events/revision", page=found)
