"""Signing in, and one's own account."""

from __future__ import annotations

from tests.web.routes import ROLES, Route

AWAY = dict.fromkeys(ROLES, 302)
#: Those who have signed in see the page, the others are sent to sign in
MINE = {**dict.fromkeys(ROLES, 200), "anonymous": 302, "token": 302}
#: Who has signed in is sent to the desk
DOOR = {**dict.fromkeys(ROLES, 302), "anonymous": 200, "token": 200}
FORM = {"GET": MINE, "HEAD": MINE, "POST": MINE}
#: Those without a second factor are sent to the password instead
OFFICE_ONLY = {**AWAY, "officer": 200, "admin": 200}
CODE = {"GET": OFFICE_ONLY, "HEAD": OFFICE_ONLY, "POST": OFFICE_ONLY}
#: Who has an app already is sent on
NO_APP = {**AWAY, "player": 200, "director": 200}
APP = {"GET": NO_APP, "HEAD": NO_APP, "POST": NO_APP}
CODES = {**OFFICE_ONLY, "player": 404, "director": 404}

ROUTES = [
    Route("desk/", "/desk/", {"GET": MINE, "HEAD": MINE}),
    Route("desk/sign-in/", "/desk/sign-in/", {"GET": DOOR, "HEAD": DOOR, "POST": DOOR}),
    Route("desk/sign-in/code/", "/desk/sign-in/code/", {"GET": AWAY, "HEAD": AWAY, "POST": AWAY}),
    Route("desk/sign-out/", "/desk/sign-out/", {"GET": MINE, "HEAD": MINE, "POST": AWAY}),
    Route("desk/account/", "/desk/account/", {"GET": MINE, "HEAD": MINE}),
    Route("desk/account/confirm/", "/desk/account/confirm/", FORM),
    Route("desk/account/confirm/code/", "/desk/account/confirm/code/", CODE),
    Route("desk/account/app/", "/desk/account/app/", APP),
    Route("desk/account/app/remove/", "/desk/account/app/remove/", {"GET": CODES, "HEAD": CODES, "POST": CODES}),
    Route("desk/account/recovery/", "/desk/account/recovery/", {"GET": CODES, "HEAD": CODES}),
]
