"""The first page after signing in: what waits, how old it is, what closes when; then every desk."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.office.people.rights import Role
from crosstable.office.queue import desks
from crosstable.web.desks.director import drafts as director
from crosstable.web.desks.doors import actor_of, signed_in
from crosstable.web.desks.links import links
from crosstable.web.desks.mine import player

#: What waits → where it is decided
PLACES = {
    "event": "/desk/queue/#needs",
    "clean": "/desk/queue/#clean",
    "waits": "/desk/queue/#waits",
    "correction": "/desk/corrections/",
    "request": "/desk/requests/",
    "floor": "/desk/floors/",
    "proposal": "/desk/proposals/",
}
#: So many of what needs an officer stand on the page, the oldest
OLDEST = 5


@require_safe
@signed_in
def desk(request: HttpRequest) -> HttpResponseBase:
    """A director's and a player's are those desks themselves; the office's says what waits at each."""
    actor = actor_of(request)
    if actor.role is Role.DIRECTOR:
        return director.desk(request)
    if actor.role is Role.PLAYER:
        return player.mine(request)
    queue, found = desks.desks(actor)
    context = {
        "queue": queue, "desks": [(one, PLACES[one.name]) for one in found], "lines": queue.needs[:OLDEST],
        "groups": links(actor),
    }  # fmt: skip
    return render(request, "desks/home.html", context)
