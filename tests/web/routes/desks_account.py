"""Signing in, and one's own account."""

from __future__ import annotations

from collections.abc import Mapping

from tests.web.routes import ROLES, Route

AWAY = dict.fromkeys(ROLES, 302)
#: Those who have signed in see the page, the others are sent to sign in
MINE = {**dict.fromkeys(ROLES, 200), "anonymous": 302, "token": 302}
#: Who has signed in is sent to the desk
DOOR = {**AWAY, "anonymous": 200, "token": 200}
#: Only officers and administrators have a second factor here; the others are sent elsewhere
WITH = {**AWAY, "officer": 200, "admin": 200}
WITHOUT = {**AWAY, "player": 200, "director": 200}
HAS = {**WITH, "player": 404, "director": 404}
NONE = {**dict.fromkeys(ROLES, 404), "anonymous": 302, "token": 302}
ALL, WORN = dict.fromkeys(ROLES, 200), dict.fromkeys(ROLES, 404)
#: Only directors and the office have programs
OFFICIAL = {**MINE, "player": 403}


def form(status: Mapping[str, int]) -> Mapping[str, Mapping[str, int]]:
    """A form that is sent empty is shown again."""
    return {"GET": status, "HEAD": status, "POST": status}


ROUTES = [
    Route("desk/", "/desk/", {"GET": MINE, "HEAD": MINE}),
    Route("desk/sign-in/", "/desk/sign-in/", form(DOOR)),
    Route("desk/sign-in/code/", "/desk/sign-in/code/", form(AWAY)),
    Route("desk/sign-in/passkey/", "/desk/sign-in/passkey/", form(AWAY)),
    Route("desk/sign-in/help/", "/desk/sign-in/help/", form(ALL)),
    Route("desk/sign-in/reset/<str:secret>/", "/desk/sign-in/reset/nothing/", form(WORN)),
    Route("desk/join/<str:secret>/", "/desk/join/nothing/", form(WORN)),
    Route("desk/sign-out/", "/desk/sign-out/", {"GET": MINE, "HEAD": MINE, "POST": AWAY}),
    Route("desk/account/", "/desk/account/", {"GET": MINE, "HEAD": MINE}),
    Route("desk/account/password/", "/desk/account/password/", form(MINE)),
    Route("desk/account/email/", "/desk/account/email/", {"GET": MINE, "HEAD": MINE, "POST": AWAY}),
    Route("desk/account/sessions/", "/desk/account/sessions/", {"GET": MINE, "HEAD": MINE, "POST": AWAY}),
    Route("desk/account/tokens/", "/desk/account/tokens/", form(OFFICIAL)),
    Route(
        "desk/account/tokens/<str:start>/",
        "/desk/account/tokens/ct_none/",
        {"GET": OFFICIAL, "HEAD": OFFICIAL, "POST": {**AWAY, "player": 403}},
    ),
    Route("desk/account/confirm/", "/desk/account/confirm/", form(MINE)),
    Route("desk/account/confirm/code/", "/desk/account/confirm/code/", form(WITH)),
    Route("desk/account/confirm/passkey/", "/desk/account/confirm/passkey/", form(AWAY)),
    Route("desk/account/app/", "/desk/account/app/", form(WITHOUT)),
    Route("desk/account/app/remove/", "/desk/account/app/remove/", form(HAS)),
    Route("desk/account/passkeys/", "/desk/account/passkeys/", form(MINE)),
    Route("desk/account/passkeys/<int:pk>/", "/desk/account/passkeys/1/", form(NONE)),
    Route("desk/account/recovery/", "/desk/account/recovery/", {"GET": HAS, "HEAD": HAS}),
    Route(
        "desk/account/recovery/new/",
        "/desk/account/recovery/new/",
        {"GET": MINE, "HEAD": MINE, "POST": {**MINE, "officer": 302, "admin": 302}},
    ),
]
