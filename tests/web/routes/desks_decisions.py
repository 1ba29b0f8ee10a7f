"""What officers decide besides events. Administrators look at much of it, and decide what is about players only."""

from __future__ import annotations

from collections.abc import Mapping

from tests.web.routes import ROLES, Route


def answers(officer: int, admin: int) -> dict[str, int]:
    """Others have no right to it; who has not signed in, or comes with a token, is sent to sign in."""
    return {**dict.fromkeys(ROLES, 403), "officer": officer, "admin": admin, "anonymous": 302, "token": 302}


OFFICE, OFFICER, NONE = answers(200, 200), answers(200, 403), answers(404, 404)


def read(who: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    return {"GET": who, "HEAD": who}


def form(who: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    """An empty form is a page with what is missing."""
    return {**read(who), "POST": who}


ROUTES = [
    Route("desk/decisions/", "/desk/decisions/", read(OFFICE)),
    Route("desk/floors/", "/desk/floors/", read(OFFICE)),
    Route("desk/floors/<int:number>/", "/desk/floors/9999/", form(NONE)),
    Route("desk/prizes/", "/desk/prizes/", form(OFFICER)),
    Route("desk/adjustments/", "/desk/adjustments/", form(OFFICER)),
    Route(
        "desk/players/<str:player>/adjustments/<int:number>/revoke/",
        "/desk/players/{player}/adjustments/9999/revoke/",
        form(answers(404, 403)),
    ),
    Route("desk/fide/", "/desk/fide/", form(OFFICE)),
    Route("desk/cfc/", "/desk/cfc/", read(OFFICE)),
    Route("desk/players/", "/desk/players/?q=an", read(OFFICE)),
    Route("desk/players/add/", "/desk/players/add/", form(OFFICE)),
    Route("desk/players/import/", "/desk/players/import/", form(OFFICE)),
    Route("desk/players/<str:player>/", "/desk/players/{player}/", read(OFFICE)),
    Route("desk/players/<str:player>/facts/", "/desk/players/{player}/facts/", {"POST": OFFICE}),
    Route("desk/players/<str:player>/memberships/", "/desk/players/{player}/memberships/", {"POST": OFFICE}),
    Route("desk/players/<str:player>/forget-name/", "/desk/players/{player}/forget-name/", {"POST": OFFICE}),
    Route("desk/players/<str:player>/opt-out/", "/desk/players/{player}/opt-out/", {"POST": OFFICER}),
    Route("desk/players/<str:player>/unmerge/", "/desk/players/{player}/unmerge/", form(answers(404, 403))),
    Route("desk/merges/", "/desk/merges/", read(OFFICE)),
    Route("desk/merges/new/", "/desk/merges/new/", form(OFFICER)),
    Route("desk/lists/", "/desk/lists/", form(OFFICER)),
    Route("desk/proposals/", "/desk/proposals/", read(OFFICE)),
    Route("desk/proposals/<int:number>/", "/desk/proposals/1/", form(OFFICE)),
    Route("desk/log/", "/desk/log/", read(OFFICE)),
    Route("desk/log/chain/", "/desk/log/chain/", {**read(OFFICE), "POST": answers(302, 302)}),
]
