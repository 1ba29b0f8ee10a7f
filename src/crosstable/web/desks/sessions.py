"""A session ends by itself: after two hours without a click, after twelve in any case, and when its account is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse

from crosstable.office.people import users
from crosstable.web.account_settings import IDLE, LONGEST

BEGUN, SEEN = "desk_begun", "desk_seen"
#: allauth's list of how and when the person signed in and confirmed
METHODS = "account_authentication_methods"
#: How often the last click is written down, in seconds
EVERY = 60


class Limits:
    """Looks at the desks' pages only: no one's session is opened for a public page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith("/desk/") and request.user.is_authenticated:
            _check(request)
        return self.get_response(request)


def _check(request: HttpRequest) -> None:
    now, session = time.time(), request.session
    begun, seen = session.setdefault(BEGUN, now), session.setdefault(SEEN, now)
    too_old = now - seen > IDLE.total_seconds() or now - begun > LONGEST.total_seconds()
    signed_in = min([begun, *(one["at"] for one in session.get(METHODS, ()))])
    if too_old or signed_in <= users.sessions_since(request.user.pk):
        logout(request)
    elif now - seen > EVERY:
        session[SEEN] = now
