"""A session ends by itself: after two hours without a click, after twelve in any case, and when its account is stopped.

Public pages are the same for everyone. A cookie that says nothing but that someone has signed in tells their script to
ask for the person's part of the header.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse

from crosstable.office.people import users
from crosstable.web.account_settings import IDLE, LONGEST

BEGUN, SEEN = "desk_begun", "desk_seen"
#: The cookie that says that someone has signed in
HINT = "desk"
#: allauth's list of how and when the person signed in and confirmed
METHODS = "account_authentication_methods"
#: How often the last click is written down, in seconds
EVERY = 60


class Limits:
    """Looks at the desks' pages only: no one's session is opened for a public page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/desk/"):
            return self.get_response(request)
        if request.user.is_authenticated:
            _check(request)
        response = self.get_response(request)
        _set_hint(request, response)
        return response


def _set_hint(request: HttpRequest, response: HttpResponse) -> None:
    """Say to scripts of public pages whether to ask for the person's part of the header."""
    known = request.COOKIES.get(HINT) == "1"
    if request.user.is_authenticated and not known:
        age, secure = int(LONGEST.total_seconds()), settings.SESSION_COOKIE_SECURE
        response.set_cookie(HINT, "1", max_age=age, secure=secure, samesite="Lax")
    elif known and not request.user.is_authenticated:
        response.delete_cookie(HINT, samesite="Lax")


def _check(request: HttpRequest) -> None:
    now, session = time.time(), request.session
    begun, seen = session.setdefault(BEGUN, now), session.setdefault(SEEN, now)
    too_old = now - seen > IDLE.total_seconds() or now - begun > LONGEST.total_seconds()
    signed_in = min([begun, *(one["at"] for one in session.get(METHODS, ()))])
    if too_old or signed_in <= users.sessions_since(request.user.pk):
        logout(request)
    elif now - seen > EVERY:
        session[SEEN] = now
