"""What officers decide besides events. Administrators look at much of it, and decide what is about players only."""

from __future__ import annotations

from collections.abc import Mapping

from tests.web.routes import ROLES, Route, at, form, read


def answers(officer: int, admin: int) -> dict[str, int]:
    """Others have no right to it; who has not signed in, or comes with a token, is sent to sign in."""
    return {**dict.fromkeys(ROLES, 403), "officer": officer, "admin": admin, "anonymous": 302, "token": 302}


OFFICE, OFFICER, NONE = answers(200, 200), answers(200, 403), answers(404, 404)

PLAYER = "desk/players/<str:player>/"


def of_player(rest: str, status: Mapping[str, Mapping[str, int]]) -> Route:
    return Route(PLAYER + rest, f"/desk/players/{{player}}/{rest}", status)


ROUTES = [
    *at(read(OFFICE), *(f"desk/{one}/" for one in ("decisions", "floors", "cfc", "merges", "proposals", "log"))),
    *at(form(OFFICE), "desk/fide/", "desk/players/add/", "desk/players/import/"),
    *at(form(OFFICER), "desk/prizes/", "desk/adjustments/", "desk/merges/new/", "desk/lists/"),
    *at({**read(OFFICE), "POST": answers(302, 302)}, "desk/log/chain/"),
    Route("desk/floors/<int:number>/", "/desk/floors/9999/", form(NONE)),
    Route("desk/proposals/<int:number>/", "/desk/proposals/1/", form(OFFICE)),
    Route("desk/players/", "/desk/players/?q=an", read(OFFICE)),
    of_player("", read(OFFICE)),
    *(of_player(f"{one}/", {"POST": OFFICE}) for one in ("facts", "memberships", "forget-name")),
    of_player("opt-out/", {"POST": OFFICER}),
    of_player("unmerge/", form(answers(404, 403))),
    Route(
        f"{PLAYER}adjustments/<int:number>/revoke/",
        "/desk/players/{player}/adjustments/9999/revoke/",
        form(answers(404, 403)),
    ),
]
