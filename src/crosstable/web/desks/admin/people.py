"""Users, their roles, and the links that let people in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from crosstable.errors import CrosstableError
from crosstable.office.people import one_time_links, second_factors, users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.requests import rights
from crosstable.web.desks.access import actor_of, fresh_second_factor, needs
from crosstable.web.desks.common import BOTH

ROLES = [role.value for role in Role if role is not Role.PUBLIC]


@require_safe
@needs("user.read")
def users_page(request: HttpRequest) -> HttpResponse:
    wanted = request.GET.get("q", "").strip().casefold()
    rows = [row for row in users.users(actor_of(request)) if wanted in row["name"].casefold()]
    return render(request, "desks/admin/users.html", {"users": rows, "q": request.GET.get("q", "")})


@require_safe
@needs("user.read")
def user(request: HttpRequest, number: int) -> HttpResponse:
    return _shown(request, number)


@require_POST
@needs("user.write")
@fresh_second_factor
def change(request: HttpRequest, number: int, act: str) -> HttpResponse:
    """One act on one user. It says what was done; a way back in is shown once, in the answer itself."""
    actor, name = actor_of(request), _one(request, number)["name"]
    do = ACTS.get(act)
    if do is None:
        raise Http404
    try:
        if act == "reset":
            made = rights.reset(actor, name, request.POST.get("reason", ""))
            link = request.build_absolute_uri(reverse("desk_reset", args=[made.secret]))
            more = {"link": link, "hours": one_time_links.RESET_HOURS, "proposal": made.proposal}
            return _shown(request, number, more)
        messages.success(request, do(actor, name, request.POST))
    except CrosstableError as refused:
        return _shown(request, number, {"problem": str(refused)})
    return redirect("desk_user", number)


@BOTH
@needs("user.write")
def invitations(request: HttpRequest) -> HttpResponseBase:
    """Show the links that could still be used."""
    return _invite(request) if request.method == "POST" else _invitations(request, {})


@fresh_second_factor
def _invite(request: HttpRequest) -> HttpResponse:
    """Invite a person; the new link is shown once, in the answer to the form."""
    given, context = request.POST, dict[str, object]()
    days = given.get("days", "")
    try:
        role = Role(given.get("role", "")) if given.get("role") in ROLES else Role.PUBLIC
        player, lives = given.get("player", "").strip(), int(days) if days.isdecimal() else 0
        made = rights.invite(actor_of(request), role, player, lives, given.get("reason", ""))
        context["link"] = request.build_absolute_uri(reverse("desk_join", args=[made.secret]))
        context["proposal"] = made.proposal
    except CrosstableError as refused:
        context["problem"] = str(refused)
    return _invitations(request, context)


def _invitations(request: HttpRequest, more: Mapping[str, object]) -> HttpResponse:
    links = one_time_links.waiting(actor_of(request))
    context = {"roles": ROLES, "role": request.POST.get("role", "director"), "links": links, **more}
    return render(request, "desks/admin/invitations.html", context)


@require_POST
@needs("user.write")
def cancel(request: HttpRequest, start: str) -> HttpResponse:
    try:
        one_time_links.cancel(actor_of(request), start)
        messages.success(request, "That link no longer works.")
    except CrosstableError as gone:
        messages.error(request, str(gone))
    return redirect("desk_invitations")


def _role(actor: Actor, name: str, given: QueryDict) -> str:
    role = given.get("role", "")
    if role not in ROLES:
        raise users.PeopleError(f"choose one of {', '.join(ROLES)}")
    done = rights.set_role(actor, name, Role(role), given.get("reason", ""))
    return _done(done, f"{name} now has the role {role}.")


def _deactivate(actor: Actor, name: str, given: QueryDict) -> str:
    users.deactivate(actor, name, given.get("reason", ""))
    return f"{name} can no longer sign in or act."


def _activate(actor: Actor, name: str, given: QueryDict) -> str:
    return _done(rights.activate(actor, name, given.get("reason", "")), f"{name} can sign in again.")


def _second_factor(actor: Actor, name: str, given: QueryDict) -> str:
    done = rights.remove_second_factor(actor, name, given.get("reason", ""))
    return _done(done, f"{name} has no second factor any more.")


def _done(done: rights.Outcome, words: str) -> str:
    waits = f"Proposal {done.proposal} waits for another officer or administrator to confirm it."
    return words if done.proposal is None else waits


def _reset(actor: Actor, name: str, given: QueryDict) -> str:
    return ""  # its answer is a page of its own


ACTS: Mapping[str, Callable[[Actor, str, QueryDict], str]] = {
    "role": _role,
    "deactivate": _deactivate,
    "activate": _activate,
    "second-factor": _second_factor,
    "reset": _reset,
}


def _one(request: HttpRequest, number: int) -> dict[str, Any]:
    try:
        return users.one_user(actor_of(request), number)
    except users.PeopleError as unknown:
        raise Http404 from unknown


def _shown(request: HttpRequest, number: int, more: Mapping[str, object] | None = None) -> HttpResponse:
    one = _one(request, number)
    kinds = second_factors.kinds(actor_of(request), one["name"]) if one["active"] else []
    context = {
        "person": one,
        "kinds": kinds,
        "roles": ROLES,
        "own": actor_of(request).name == one["name"],
        **(more or {}),
    }
    return render(request, "desks/admin/user.html", context)
