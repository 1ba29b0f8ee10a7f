"""The first page after signing in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.office.people.rights import Role
from crosstable.web.desks.director import drafts as director
from crosstable.web.desks.doors import actor_of, signed_in


@require_safe
@signed_in
def desk(request: HttpRequest) -> HttpResponse:
    """A director's is the desk itself; others choose where to go."""
    if actor_of(request).role is Role.DIRECTOR:
        return director.desk(request)
    return render(request, "desks/home.html")
