"""The director's desk. There is no draft or submission 99999: those who may look find nothing, others are told so."""

from __future__ import annotations

from tests.web.routes import ROLES, Route


def officials(status: int) -> dict[str, int]:
    """Directors, officers and administrators; players are told whose it is, and nobody else has signed in."""
    return {**dict.fromkeys(ROLES, status), "player": 403, "anonymous": 302, "token": 302}


PAGE = {"GET": officials(200), "HEAD": officials(200)}
NONE, AWAY = officials(404), officials(302)
READ, POST = {"GET": NONE, "HEAD": NONE}, {"POST": NONE}
DRAFT, SENT = "desk/drafts/<int:number>/", "desk/submissions/<int:number>/"


def draft(rest: str, status: dict[str, dict[str, int]]) -> Route:
    return Route(DRAFT + rest, f"/desk/drafts/99999/{rest}", status)


def sent(rest: str, status: dict[str, dict[str, int]]) -> Route:
    return Route(SENT + rest, f"/desk/submissions/99999/{rest}", status)


ROUTES = [
    Route("desk/announcements/", "/desk/announcements/", {**PAGE, "POST": officials(400)}),
    Route("desk/announcements/<int:number>/", "/desk/announcements/99999/", {**READ, **POST}),
    Route("desk/announcements/<int:number>/cancel/", "/desk/announcements/99999/cancel/", POST),
    Route("desk/drafts/", "/desk/drafts/", PAGE),
    Route("desk/drafts/new/", "/desk/drafts/new/", {"POST": AWAY}),
    Route("desk/drafts/type/", "/desk/drafts/type/", {"POST": AWAY}),
    draft("", READ),
    draft("find/", READ),
    draft("edit/", READ),
    draft("preview/", READ),
    draft("text/", {**READ, **POST}),
    draft("type/", {**READ, **POST}),
    draft("mend/", {"GET": AWAY, "HEAD": AWAY, **POST}),
    draft("file/", {**READ, "POST": AWAY}),
    *(draft(f"{name}/", POST) for name in ("suggested", "undo", "discard", "back", "send", "ask")),
    Route("desk/submissions/", "/desk/submissions/", PAGE),
    sent("", READ),
    sent("file/", READ),
    *(sent(f"{name}/", POST) for name in ("mend", "take-back", "correct")),
]
