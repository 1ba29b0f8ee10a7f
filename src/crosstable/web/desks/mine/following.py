"""Following a player or an event: the page with the button, and stopping."""

from __future__ import annotations

from django.contrib import messages as flash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Player
from crosstable.office.notices import following
from crosstable.office.players import person
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH, or_not_found


@BOTH
@needs("notice.read")
def follow(request: HttpRequest) -> HttpResponse:
    """Ask once, so that public pages need no form and are the same for everybody."""
    asked, actor, problem = request.POST if request.method == "POST" else request.GET, actor_of(request), ""
    kind = following.EVENT if asked.get("event") else following.PLAYER
    number = asked.get(kind, "")[:40]
    with or_not_found():
        one = following.target(kind, number)
    name = person.of(one).name if isinstance(one, Player) else one.name or f"Event {one.number}"
    if request.method == "POST":
        try:
            if request.POST.get("do") == "stop":
                following.stop(actor, kind, number)
                flash.success(request, f"You no longer follow {name}.")
            else:
                following.follow(actor, kind, number)
                flash.success(request, f"You follow {name}.")
            return redirect(f"{reverse('inbox')}#follow")
        except OfficeError as refused:
            problem = str(refused)
    context = {
        "kind": kind,
        "one": one,
        "name": name,
        "follows": following.follows(actor, kind, number),
        "problem": problem,
    }
    return render(request, "desks/mine/follow.html", context, status=400 if problem else 200)
