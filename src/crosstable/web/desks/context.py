"""What the frame of a desk page says; public pages ask for none of it, so that they are the same for everybody."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from crosstable.office.notices.inbox import unread
from crosstable.web.desks import access
from crosstable.web.desks.home import tab_of, tabs


def desk(request: HttpRequest) -> dict[str, Any]:
    if not request.path.startswith("/desk/") or not hasattr(request, "user"):
        return {}
    actor = access.actor_of(request)
    if not request.user.is_authenticated:
        return {"actor": actor, "desk_tabs": []}
    shown = tabs(actor)
    return {"actor": actor, "desk_tabs": shown, "desk_tab": tab_of(shown, request.path), "unread": unread(actor)}
