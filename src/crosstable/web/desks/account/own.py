"""One's own account: second factor, password, address, sessions, and the tokens of one's programs."""

from __future__ import annotations

from collections.abc import Mapping

from allauth.mfa.models import Authenticator
from allauth.usersessions.internal.flows.sessions import end_other_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import authenticate, update_session_auth_hash
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from crosstable.errors import CrosstableError
from crosstable.office.ledger.office_settings import our_federation
from crosstable.office.people import one_time_links, users
from crosstable.office.people import tokens as office_tokens
from crosstable.office.people.rights import EVERYBODY, OFFICE, PEOPLE_ONLY, RIGHTS, Actor
from crosstable.office.storage import mail_settings
from crosstable.web.desks.access import (
    actor_of,
    allow_without_second_factor,
    fresh_confirmation,
    needs,
    second_factor_at,
    signed_in,
)
from crosstable.web.desks.account import links
from crosstable.web.desks.common import BOTH


@require_safe
@allow_without_second_factor
def account(request: HttpRequest) -> HttpResponse:
    """Show what users can do with their own account; where the second factor is missing, that first."""
    found = list(Authenticator.objects.filter(user=request.user).order_by("created_at"))
    actor = actor_of(request)
    context = {
        "app": next((one for one in found if one.type == Authenticator.Type.TOTP), None),
        "passkeys": [one.wrap() for one in found if one.type == Authenticator.Type.WEBAUTHN],
        "codes": next((len(one.wrap().get_unused_codes()) for one in found if one.type == "recovery_codes"), None),
        "first": actor.role in OFFICE and not second_factor_at(request),
        "sessions": UserSession.objects.filter(user=request.user).count(),
        "tokens": actor.may("token.write"),
        "mail": mail_settings.configured(),
        "offered": one_time_links.offered_role(actor),
    }
    return render(request, "desks/account/index.html", context)


@sensitive_post_parameters()
@BOTH
@signed_in
def password(request: HttpRequest) -> HttpResponse:
    """Change the password: the old one, then a new one twice. Sessions elsewhere end with the old password."""
    if request.method != "POST":
        return render(request, "desks/account/password.html")
    given, name = request.POST, actor_of(request).name
    problem = ""
    if authenticate(request, username=name, password=given.get("old", "")) is None:
        problem = "The old password is wrong."
    elif given.get("new", "") != given.get("again", ""):
        problem = "The two new passwords differ."
    else:
        try:
            users.set_password(actor_of(request), name, given.get("new", ""))
        except CrosstableError as refused:
            problem = str(refused)
    if problem:
        return render(request, "desks/account/password.html", {"problem": problem})
    update_session_auth_hash(request, User.objects.get(username=name))
    UserSession.objects.create_from_request(request)
    messages.success(request, "You have a new password. Other sessions have ended.")
    return redirect("mfa_index")


@BOTH
@signed_in
def email(request: HttpRequest) -> HttpResponseBase:
    """Where links and notices go."""
    return _set_email(request) if request.method == "POST" else render(request, "desks/account/email.html")


@fresh_confirmation
def _set_email(request: HttpRequest) -> HttpResponse:
    """Links to a new password go to the address, so it takes the password or the second factor, and the old one
    hears.
    """
    actor, given = actor_of(request), request.POST.get("email", "")
    before = User.objects.values_list("email", flat=True).get(id=actor.user_id)
    try:
        users.set_email(actor, actor.name, given)
    except CrosstableError as refused:
        return render(request, "desks/account/email.html", {"problem": str(refused), "given": given})
    if before and before.casefold() != given.strip().casefold() and mail_settings.configured():
        links.tell_old_address(request, before)
    messages.success(request, "Your address is set." if request.POST.get("email") else "Your address was removed.")
    return redirect("mfa_index")


@BOTH
@signed_in
def sessions(request: HttpRequest) -> HttpResponse:
    """Where one is signed in; and out, everywhere else."""
    if request.method == "POST":
        end_other_sessions(request, request.user)
        messages.success(request, "You are signed out everywhere else.")
        return redirect("usersessions_list")
    found = sorted(UserSession.objects.purge_and_list(request.user), key=lambda one: one.created_at, reverse=True)
    return render(request, "desks/account/sessions.html", {"sessions": found})


@BOTH
@needs("token.write")
def tokens(request: HttpRequest) -> HttpResponseBase:
    """Show and make the keys of a user's programs."""
    return _make_token(request) if request.method == "POST" else _tokens(request, {})


@fresh_confirmation
def _make_token(request: HttpRequest) -> HttpResponse:
    """Make a token, which is shown in the answer to the form, and nowhere again."""
    actor, given = actor_of(request), request.POST
    context: dict[str, object] = {"chosen": given.getlist("scope"), "label": given.get("label", "")}
    days = given.get("days", "")
    try:
        context["secret"] = office_tokens.create_token(
            actor, actor.name, given.get("label", ""), given.getlist("scope"), int(days) if days.isdecimal() else 0
        )
    except CrosstableError as refused:
        context["problem"] = str(refused)
    return _tokens(request, context)


def _tokens(request: HttpRequest, more: Mapping[str, object]) -> HttpResponse:
    actor = actor_of(request)
    context = {"scopes": _scopes(actor), "chosen": ["event.submit", "submission.read"], **more}
    context["tokens"] = [row for row in office_tokens.tokens(actor) if row["user"] == actor.name]
    return render(request, "desks/account/tokens.html", context)


@BOTH
@needs("token.write")
def revoke_token(request: HttpRequest, start: str) -> HttpResponse:
    if request.method == "POST":
        try:
            office_tokens.revoke(actor_of(request), start)
            messages.success(request, f"The token {start}… no longer works.")
        except users.PeopleError as unknown:
            messages.error(request, str(unknown))
        return redirect("desk_tokens")
    return render(request, "desks/account/revoke_token.html", {"start": start})


def _scopes(actor: Actor) -> list[str]:
    """Return what a program may be allowed: what its owner may, beyond what everyone may and what takes a person."""
    ours = our_federation()
    without = (("floor.",) * (not ours.us_chess)) + (("membership.",) * (not ours.memberships))
    return [
        right
        for right, roles in RIGHTS.items()
        if actor.may(right) and roles != EVERYBODY and right not in PEOPLE_ONLY and not right.startswith(without)
    ]


@BOTH
@signed_in
def role(request: HttpRequest) -> HttpResponseBase:
    """Take the role that was confirmed, with the code from the second person."""
    return _take_role(request) if request.method == "POST" else _role(request, "")


@fresh_confirmation
def _take_role(request: HttpRequest) -> HttpResponse:
    try:
        taken = one_time_links.take_role(actor_of(request), request.POST.get("code", ""))
    except CrosstableError as refused:
        return _role(request, str(refused))
    messages.success(request, f"You now have the role {taken.value}.")
    return redirect("mfa_index")


def _role(request: HttpRequest, problem: str) -> HttpResponse:
    context = {"offered": one_time_links.offered_role(actor_of(request)), "problem": problem}
    return render(request, "desks/account/role.html", context)
