"""What waits for a decision, and where each kind is decided."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from crosstable.office.decisions import floors
from crosstable.office.people import proposals
from crosstable.office.players.cfc_desk import cfc_desk
from crosstable.web.desks.decisions.common import shown
from crosstable.web.desks.doors import actor_of, needs


@require_safe
@needs("event.review")
def decisions(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    waits = {
        "floors": len(list(floors.requests(actor))),
        "proposals": len(proposals.waiting(actor)),
        "cfc": len(cfc_desk(actor)),
    }
    return shown(request, "hub", waits=waits, may=actor.may("rating.adjust"))
