"""An office that is a club's shows children on the club's pages only: there the club decides who sees them."""

from __future__ import annotations

from collections.abc import Callable

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from crosstable.club.models import Club
from crosstable.office.ledger.models import Office

#: Pages that name no one, and rooms that ask who comes
OPEN = ("/club/", "/static/", "/healthz", "/desk/", "/help/", "/about/", "/privacy/", "/rules/", "/estimate/")

#: Database → whether it is a club's. That never changes: a club is made together with its office.
_known: dict[str, bool] = {}


class OnlyTheClub:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not _is_a_club():
            return self.get_response(request)
        if request.path == "/":
            return redirect("club:tonight")
        if request.path.startswith(OPEN):
            response = self.get_response(request)
            if response.status_code != 404:
                return response
        return render(request, "club/elsewhere.html", status=404)  # the office's own page would name the nearest player


def _is_a_club() -> bool:
    name = f"{connection.settings_dict['HOST']}/{connection.settings_dict['NAME']}"
    if name not in _known:
        try:
            found = Club.objects.exists()
            if not found and not Office.objects.exists():
                return False
        except Error:  # no tables yet: the next page says so
            return False
        _known[name] = found
    return _known[name]
