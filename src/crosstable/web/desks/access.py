"""Who may come in: the right, the second factor, and how fresh it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.reauthentication import suspend_request
from allauth.mfa.models import Authenticator
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from crosstable.office.ledger.office_settings import our_federation
from crosstable.office.people import second_factors, users
from crosstable.office.people.rights import OFFICE, RIGHTS, Actor, NotAllowedError
from crosstable.web.account_settings import FRESH
from crosstable.web.form_pages import page_of_form

View = Callable[..., HttpResponseBase]
SAFE = ("GET", "HEAD")
#: In a session: this person's second factor is not lost
LOOKED_FOR = "second_factor_looked_for"


def actor_of(request: HttpRequest) -> Actor:
    """Anyone who has signed in, as the office knows people; else no one."""
    found: Actor | None = getattr(request, "desk_actor", None)
    if found is None:
        user: Any = request.user
        found = users.actor_of(user) if user.is_authenticated else Actor.nobody()
        request.desk_actor = found  # type: ignore[attr-defined]  # asked for several times in a request
    return found


def needs(right: str) -> Callable[[View], View]:
    """Only for those who have this right. Write it above `fresh_second_factor`."""
    if right not in RIGHTS:
        raise ValueError(f"{right}: no such right; the table in people/rights.py does not know it")

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            return view(request, *args, **kwargs) if actor_of(request).may(right) else _refused(request, right)

        return signed_in(guarded)

    return decorate


def us_chess_only(view: View) -> View:
    """For what only the US Chess rules know: other offices say so. Write it below `needs`."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if our_federation().us_chess:
            return view(request, *args, **kwargs)
        return render(request, "desks/not_in_rules.html", status=404)

    return guarded


def is_signed_in(request: HttpRequest) -> bool:
    """Whether a person has signed in, with the second factor where the role needs one."""
    return bool(request.user.is_authenticated) and not _second_step(request)


def signed_in(view: View) -> View:
    """For everybody who has signed in; officers and administrators with their second factor."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        missing = _second_step(request) if request.user.is_authenticated else ""
        return _kept_nowhere(redirect(missing)) if missing else view(request, *args, **kwargs)

    return allow_without_second_factor(guarded)


def allow_without_second_factor(view: View) -> View:
    """For everybody who has signed in, and for nothing but giving or setting up the second factor."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return _kept_nowhere(_to_sign_in(request))
        if _lost_second_factor(request):
            return _kept_nowhere(render(request, "desks/account/lost.html", status=403))
        try:
            return _kept_nowhere(view(request, *args, **kwargs))
        except NotAllowedError as refused:
            return _kept_nowhere(render(request, "desks/forbidden.html", {"words": str(refused)}, status=403))

    return guarded


def setting_up(view: View) -> View:
    """Protect adding a second factor: users who already have one must have entered it."""
    first, another = allow_without_second_factor(view), signed_in(fresh_second_factor(view))

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        has = request.user.is_authenticated and has_second_factor(request)
        return (another if has else first)(request, *args, **kwargs)

    return guarded


def private(view: View) -> View:
    """For everybody, but no browser and no proxy keeps it."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _kept_nowhere(view(request, *args, **kwargs))

    return guarded


def fresh_second_factor(view: View) -> View:
    """For giving rights and for each half of what takes two officers: this person's own second factor, within five
    minutes.

    A form that comes too late is kept while the second factor is asked for, and then done.
    """
    return _after_second_factor(view, lambda request: _suspend(request, "mfa_reauthenticate"))


def _suspend(request: HttpRequest, page: str) -> HttpResponseBase:
    """Keep a form while `page` asks who it is, and do it afterwards.

    Allauth finds a kept form by its path alone, so the address to return to has no query; the form keeps its own.
    """
    answer: HttpResponseBase = suspend_request(request, reverse(page))
    if request.method in SAFE:
        return answer
    return redirect(f"{reverse(page)}?{urlencode({'next': request.path})}")


def fresh_confirmation(view: View) -> View:
    """For an act with one's own rights, such as a token: a fresh second factor; without one, the password, as fresh."""
    with_factor = fresh_second_factor(view)

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if has_second_factor(request):
            return with_factor(request, *args, **kwargs)
        records = get_authentication_records(request, request.user)
        if any(time.time() - record["at"] <= FRESH for record in records):
            return view(request, *args, **kwargs)
        return _suspend(request, "account_reauthenticate")

    return guarded


def fresh_second_factor_for_download(page: str) -> Callable[[View], View]:
    """Ask for a second factor before answering with a file: `page` with its button comes after the question, not the
    file.

    A file leaves the browser on the page that it was asked from, and that would be the question.
    """

    def ask(_: HttpRequest) -> HttpResponseBase:
        return redirect(_confirm_and_go_to(f"{reverse(page)}?confirmed=1"))

    return lambda view: _after_second_factor(view, ask)


def _after_second_factor(view: View, ask: Callable[[HttpRequest], HttpResponseBase]) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if is_fresh(request):
            return view(request, *args, **kwargs)
        return ask(request) if has_second_factor(request) else redirect("mfa_index")

    return guarded


def is_fresh(request: HttpRequest) -> bool:
    """Whether the second factor was given within the last five minutes."""
    return time.time() - second_factor_at(request) <= FRESH


def second_factor_at(request: HttpRequest) -> float:
    """When this person last gave the second factor in this session, in seconds since 1970; 0: never."""
    records = get_authentication_records(request, request.user)
    return max((record["at"] for record in records if record["method"] == "mfa"), default=0.0)


def has_second_factor(request: HttpRequest) -> bool:
    kinds = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
    return bool(Authenticator.objects.filter(user=request.user, type__in=kinds).exists())


def _lost_second_factor(request: HttpRequest) -> bool:
    """Whether this person's second factor stayed behind when a backup was restored; asked once in a session."""
    if not request.session.get(LOOKED_FOR):
        if second_factors.missing(actor_of(request)):
            return True
        request.session[LOOKED_FOR] = True
    return False


def _second_step(request: HttpRequest) -> str:
    """Where an officer without the second factor has to go first; nothing: nowhere."""
    if actor_of(request).role not in OFFICE or second_factor_at(request):
        return ""
    if not has_second_factor(request):
        return reverse("mfa_index")
    return _confirm_and_go_to(_back(request))


def _confirm_and_go_to(address: str) -> str:
    return f"{reverse('mfa_reauthenticate')}?{urlencode({'next': address})}"


def _to_sign_in(request: HttpRequest) -> HttpResponseBase:
    """To signing in, which says so where a form was not taken."""
    lost = "" if request.method in SAFE else "?not-sent=1"
    return redirect_to_login(_back(request), reverse("account_login") + lost)


def _back(request: HttpRequest) -> str:
    """Where to go on after signing in. A form that was lost on the way is not sent again: its page comes first."""
    return request.get_full_path() if request.method in SAFE else page_of_form(request)


def _refused(request: HttpRequest, right: str) -> HttpResponse:
    roles = " or ".join(sorted(RIGHTS[right]))
    return render(request, "desks/forbidden.html", {"roles": roles}, status=403)


def _kept_nowhere(response: HttpResponseBase) -> HttpResponseBase:
    response.headers["Cache-Control"] = "private, no-store"
    return response
