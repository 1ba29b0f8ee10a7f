"""The player's own page, the inbox, and requests. POST without a form is a 400 that says what is missing."""

from __future__ import annotations

from tests.web.routes import ROLES, Route


def members(status: int) -> dict[str, int]:
    """Those who have signed in; the others are sent to sign in."""
    return {**dict.fromkeys(ROLES, status), "anonymous": 302, "token": 302}


def only(status: int, *roles: str) -> dict[str, int]:
    """Some roles; other people are told whose it is."""
    return {role: status if role in roles else answer for role, answer in members(403).items()}


PAGE = {"GET": members(200), "HEAD": members(200)}
NONE = members(404)  # there is no request 999
WHO = {**dict.fromkeys(ROLES, 200), "anonymous": 204, "token": 204}
ROUTES = [
    Route("desk/me/", "/desk/me/", {"GET": WHO, "HEAD": WHO}),
    Route("desk/mine/", "/desk/mine/", PAGE),
    Route("desk/mine/claim/", "/desk/mine/claim/", {"POST": members(400)}),
    Route("desk/mine/floor/", "/desk/mine/floor/", {"POST": members(400)}),
    Route("desk/mine/report/", "/desk/mine/report/?event={event}&section={section}", {**PAGE, "POST": members(400)}),
    Route("desk/inbox/", "/desk/inbox/", PAGE),
    Route("desk/inbox/read/", "/desk/inbox/read/", {"POST": members(302)}),
    Route("desk/follow/", "/desk/follow/?player={player}", {**PAGE, "POST": NONE}),
    Route("desk/messages/", "/desk/messages/", {"POST": members(400)}),
    Route(
        "desk/requests/",
        "/desk/requests/",
        dict.fromkeys(("GET", "HEAD"), only(200, "director", "officer", "admin")),
    ),
    Route("desk/requests/<int:number>/", "/desk/requests/999/", {"GET": NONE, "HEAD": NONE}),
    Route("desk/requests/<int:number>/decide/", "/desk/requests/999/decide/", {"POST": only(404, "officer")}),
    Route("desk/requests/<int:number>/correct/", "/desk/requests/999/correct/", {"POST": only(404, "officer")}),
    Route("desk/requests/<int:number>/take-back/", "/desk/requests/999/take-back/", {"POST": NONE}),
]
