"""Who may do what on the club's pages: with the PIN everything, without it what the club lets everybody see."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from crosstable.club import clubs
from crosstable.club.models import Club
from crosstable.office.people.rights import Actor
from crosstable.web.api import limits

COOKIE = "club"
HOURS_12 = 12 * 3600
View = Callable[..., HttpResponseBase]


def actor(request: HttpRequest) -> Actor | None:
    """Return the volunteer who has given the PIN; another PIN ends it."""
    found = request.get_signed_cookie(COOKIE, default=None, salt=_salt(), max_age=HOURS_12)
    return None if found is None else clubs.volunteer(found)


def let_in(response: HttpResponse, name: str) -> None:
    response.set_signed_cookie(
        COOKIE, name[:60], salt=_salt(), max_age=HOURS_12, httponly=True, samesite="Lax", secure=_secure()
    )


def _secure() -> bool:
    from django.conf import settings

    return bool(settings.SESSION_COOKIE_SECURE)


def _salt() -> str:
    return f"club {clubs.club().pin[-24:]}"


def address_of(request: HttpRequest) -> str:
    return limits.network(request)


def seen(view: View) -> View:
    """Show a page to anyone, if the club shows anything; otherwise to volunteers with the PIN."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        row = Club.objects.filter(id=1).first()
        if row is None:
            return render(request, "club/none.html", status=404)
        if row.public == Club.NOBODY and actor(request) is None:
            return redirect("club:enter")
        return _private(view(request, *args, **kwargs))

    return guarded


def with_pin(view: View) -> View:
    """Show a page or carry out an act for volunteers with the PIN.

    A phone that sends results gets a 403, and keeps them.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not Club.objects.filter(id=1).exists():
            return render(request, "club/none.html", status=404)
        if actor(request) is None:
            if request.content_type == "application/json":
                return HttpResponse("the PIN, please", status=403, content_type="text/plain")
            return redirect("club:enter")
        return _private(view(request, *args, **kwargs))

    return guarded


def _private(response: HttpResponseBase) -> HttpResponseBase:
    response.headers["Cache-Control"] = "private, no-store"
    return response
