"""The first page after signing in: what waits, how old it is, what closes when; then every desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.office.ledger.office_settings import our_federation
from crosstable.office.notices.inbox import unread
from crosstable.office.people.rights import Actor, Role
from crosstable.office.queries import officer_queue
from crosstable.web.desks.access import actor_of, is_signed_in, private, signed_in
from crosstable.web.desks.director import drafts as director
from crosstable.web.desks.mine import player

# The desk's navigation: a few tabs for each role, and every desk, grouped, on the first page.


@dataclass(frozen=True, slots=True)
class Link:
    """A title, an address, the right that it takes (nothing: for everybody who has signed in), and what is there.

    `elsewhere` says what is there in an office that does not rate by the US Chess rules.
    """

    title: str
    address: str
    right: str
    words: str
    elsewhere: str = ""


GROUPS: Mapping[str, Sequence[Link]] = {
    "Events": (
        Link("Queue", "/desk/queue/", "event.review", "reports to review and accept"),
        Link("Events", "/desk/events/", "event.review", "every event: review, correct, withdraw, restore"),
        Link("Corrections", "/desk/corrections/", "event.review", "compare old and new before you decide"),
        Link("Jobs", "/desk/jobs/", "job.read", "running and finished jobs"),
    ),
    "Decisions": (
        Link(
            "Decisions",
            "/desk/decisions/",
            "event.review",
            "floors, prizes, adjustments, FIDE, CFC, merges",
            elsewhere="adjustments, merges, imported lists",
        ),
        Link("Requests", "/desk/requests/", "submission.read", "claims and reports of players"),
        Link("Proposals", "/desk/proposals/", "proposal.read", "decisions that need a second officer"),
        Link("Publish", "/desk/lists/", "list.publish", "the next list"),
    ),
    "Records": (
        Link("Players", "/desk/players/", "player.read_private", "facts, memberships, names", elsewhere="facts, names"),
        Link("Log", "/desk/log/", "audit.read", "who did what, when and why"),
        Link("Lab reports", "/desk/reports/", "report.publish", "published for all to read"),
    ),
    "The installation": (
        Link("Users", "/desk/admin/users/", "user.read", "roles, invitations, lost passwords"),
        Link("Installation", "/desk/admin/", "office.settings", "settings, backups, imports"),
    ),
    "Your own": (
        Link("Inbox", "/desk/inbox/", "notice.read", "messages to you"),
        Link("Reports", "/desk/drafts/", "draft.write", "new reports and drafts"),
        Link("Sent", "/desk/submissions/", "submission.read", "the status of each report"),
        Link("Announced", "/desk/announcements/", "draft.write", "events that are to be played"),
        Link("Mine", "/desk/mine/", "request.make", "your ratings and requests"),
        Link("Account", "/desk/account/", "", "password, second factor, sessions, tokens"),
    ),
}

HOME = Link("Desk", "/desk/", "", "what waits for you")
#: What stands at the top of every page: few enough for a phone; the rest is one step away
TABS = {
    Role.PLAYER: ("Inbox",),
    Role.DIRECTOR: ("Sent", "Requests", "Mine", "Inbox"),
    Role.OFFICER: ("Queue", "Decisions", "Players", "Publish", "Inbox"),
    Role.ADMIN: ("Users", "Installation", "Queue", "Log", "Inbox"),
}
#: Pages that lie below a tab without beginning with its address
BELOW = {
    "Queue": ("/desk/review/", "/desk/events/", "/desk/corrections/", "/desk/jobs/"),
    "Decisions": (
        "/desk/floors/",
        "/desk/prizes/",
        "/desk/adjustments/",
        "/desk/fide/",
        "/desk/cfc/",
        "/desk/merges/",
        "/desk/requests/",
        "/desk/proposals/",
    ),
    "Desk": ("/desk/drafts/", "/desk/mine/", "/desk/announcements/"),
}


def links(actor: Actor) -> dict[str, list[Link]]:
    """Every desk that this person has the right to, by group."""
    found = {
        group: [one for one in all_of_it if not one.right or actor.may(one.right)]
        for group, all_of_it in GROUPS.items()
    }
    return {group: own for group, own in found.items() if own}


def tabs(actor: Actor) -> list[Link]:
    own = {one.title: one for group in links(actor).values() for one in group}
    return [HOME, *(own[title] for title in TABS.get(actor.role, ()) if title in own)]


def tab_of(shown: Sequence[Link], path: str) -> str:
    """Return the address of the tab under which a page lies; nothing where it lies under none."""
    above = [one.address for one in shown if path == one.address or (one is not HOME and path.startswith(one.address))]
    above += [one.address for one in shown if path.startswith(BELOW.get(one.title, ("?",)))]
    return max(above, key=len, default="")


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


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return what the frame of a desk page says; public pages ask for none of it, so that they are the same for all."""
    if not request.path.startswith("/desk/") or not hasattr(request, "user"):
        return {}
    actor = actor_of(request)
    if not request.user.is_authenticated:
        return {"actor": actor, "desk_tabs": []}
    shown = tabs(actor)
    return {"actor": actor, "desk_tabs": shown, "desk_tab": tab_of(shown, request.path), "unread": unread(actor)}


@require_safe
@signed_in
def desk(request: HttpRequest) -> HttpResponseBase:
    """Show the desk: a director's and a player's are those desks themselves; the office's says what waits at each."""
    actor = actor_of(request)
    if actor.role is Role.DIRECTOR:
        return director.desk(request)
    if actor.role is Role.PLAYER:
        return player.mine(request)
    queue, found = officer_queue.desks(actor)
    groups, us_chess = links(actor), our_federation().us_chess
    if not us_chess:
        found = [one for one in found if one.name != "floor"]
        groups = {
            group: [replace(one, words=one.elsewhere or one.words) for one in own] for group, own in groups.items()
        }
    context = {
        "queue": queue,
        "desks": [(one, PLACES[one.name]) for one in found],
        "lines": queue.needs[:OLDEST],
        "groups": groups,
    }
    return render(request, "desks/home.html", context)


@require_safe
@private
def me(request: HttpRequest) -> HttpResponseBase:
    """Return the person's part of a public page's header; nothing for a visitor. No browser and no proxy keeps it."""
    if not is_signed_in(request):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, "me.html")
