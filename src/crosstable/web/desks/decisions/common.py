"""What the pages of decisions share: a form that says what is wrong, a look before the act, a page for what there is
not.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from crosstable.office.queries import changes
from crosstable.office.rating.rerating import Rerated
from crosstable.web.desks.common import or_told

POST = require_http_methods(["POST"])


HUB, PLAYERS = ("/desk/decisions/", "Decisions"), ("/desk/players/", "Players")
#: Page → the way to it, where that is not the first page of decisions
CRUMBS = {
    "floor": (HUB, ("/desk/floors/", "Floor requests")),
    **dict.fromkeys(("player", "add", "take_list", "revoke"), (PLAYERS,)),
    **dict.fromkeys(("merge", "unmerge"), (HUB, ("/desk/merges/", "Merges"))),
    "proposal": (("/desk/proposals/", "Proposals"),),
    "chain": (("/desk/log/", "Log"),),
}


def shown(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    context["crumbs"] = CRUMBS.get(template, (HUB,))
    return render(request, f"desks/decisions/{template}.html", context)


def wants(request: HttpRequest, act: str) -> bool:
    """Which of a form's buttons was pressed."""
    return request.method == "POST" and request.POST.get("do") == act


def told(form: Form) -> AbstractContextManager[None]:
    """Show what the office refuses above the form, and keep what was typed in it."""
    return or_told(lambda refused: form.add_error(None, str(refused)))


def seen(done: Rerated) -> changes.Moved:
    """Whose ratings an act moves, as its page shows it."""
    return changes.moved(done.as_json())
