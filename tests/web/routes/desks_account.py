"""Signing in, and one's own account."""

from __future__ import annotations

from tests.web.routes import ROLES, Route, at, form, read

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

ROUTES = [
    *at(read(MINE), "desk/", "desk/account/"),
    *at(read(HAS), "desk/account/recovery/"),
    *at(form(DOOR), "desk/sign-in/"),
    *at(form(AWAY), "desk/sign-in/code/", "desk/sign-in/passkey/", "desk/account/confirm/passkey/"),
    *at(form(ALL), "desk/sign-in/help/"),
    Route("desk/sign-up/", "/desk/sign-up/", {**read(ALL), "POST": dict.fromkeys(ROLES, 400)}),
    *at(form(MINE), "desk/account/password/", "desk/account/confirm/", "desk/account/passkeys/"),
    *at(form(MINE), "desk/account/role/"),
    *at(form(OFFICIAL), "desk/account/tokens/"),
    *at(form(WITH), "desk/account/confirm/code/"),
    *at(form(WITHOUT), "desk/account/app/"),
    *at(form(HAS), "desk/account/app/remove/"),
    *at({**read(MINE), "POST": AWAY}, "desk/sign-out/", "desk/account/email/", "desk/account/sessions/"),
    *at({**read(MINE), "POST": {**MINE, "officer": 302, "admin": 302}}, "desk/account/recovery/new/"),
    Route("desk/sign-in/reset/<str:secret>/", "/desk/sign-in/reset/nothing/", form(WORN)),
    Route("desk/join/<str:secret>/", "/desk/join/nothing/", form(WORN)),
    Route(
        "desk/account/tokens/<str:start>/",
        "/desk/account/tokens/ct_none/",
        {**read(OFFICIAL), "POST": {**AWAY, "player": 403}},
    ),
    Route("desk/account/passkeys/<int:pk>/", "/desk/account/passkeys/1/", form(NONE)),
]
