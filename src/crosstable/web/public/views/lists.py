"""Published lists."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from crosstable.office.queries import published as reading
from crosstable.web.caching import keep
from crosstable.web.public.views.common import as_csv, as_xlsx, number, page, shown

HEAD = ("id", "name", "state", "title", "rating", "games", "class", "active", "change", "floor", "floor reason")
FILES = {"csv": as_csv, "xlsx": as_xlsx}


@page
def index(request: HttpRequest) -> HttpResponse:
    """Every list; or the one that the form on a list's page asks for."""
    if "on" in request.GET:
        return _to_list(request, request.GET["on"])
    return shown(request, "lists/index", lists=reading.index())


@page
def published(request: HttpRequest, day: str, pool: str) -> HttpResponse:
    """Show a list, which never changes, so browsers may keep it."""
    try:
        wanted = date.fromisoformat(day)
    except ValueError as problem:
        raise Http404(day) from problem
    as_file = FILES.get(request.GET.get("format", ""))
    if as_file:
        reading.page(wanted, pool)  # a 404 where there is no such list
        return keep(as_file(f"{day}-{pool}", HEAD, reading.rows(wanted, pool)))
    whole = request.GET.get("all") == "1"
    found = reading.page(
        wanted, pool, request.GET.get("group", "overall")[:40], whole=whole, number=number(request, "page")
    )
    return keep(shown(request, "lists/list", page=found))


@page
def chosen(request: HttpRequest, day: str) -> HttpResponse:
    """Show a list by its date alone."""
    return _to_list(request, day)


def _to_list(request: HttpRequest, day: str) -> HttpResponse:
    """Show a list's first pool, or the one that the form asks for."""
    line = next((one for one in reading.index() if one.date.isoformat() == day), None)
    if line is None:
        raise Http404(day)
    pool = request.GET.get("pool", "")
    return HttpResponseRedirect(reverse("list", args=[day, pool if pool in line.pools else line.pools[0]]))
