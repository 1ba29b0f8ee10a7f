"""Search for players and events together."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from crosstable.office.queries import suggestions
from crosstable.web.public.views.common import page, shown

#: No name or number is longer
LONGEST = 200


@page
def search(request: HttpRequest) -> HttpResponse:
    """Suggest while a person types.

    Otherwise lead to the event with this name or number, or to the search of players.
    """
    query = request.GET.get("q", "")[:6000]
    if request.headers.get("HX-Request"):
        return shown(request, "search/suggestions", found=suggestions.suggest(query[:LONGEST]))
    if number := suggestions.event_called(query[:LONGEST]):
        return redirect("event", number)
    return redirect(f"{reverse('players')}?{urlencode({'q': query})}")
