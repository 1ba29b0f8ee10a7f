"""The administrator's pages."""

from __future__ import annotations

from tests.web.routes import ROLES, Route, form, read

AWAY = {**dict.fromkeys(ROLES, 403), "anonymous": 302, "token": 302}
PAGE, NONE, DONE = {**AWAY, "admin": 200}, {**AWAY, "admin": 404}, {**AWAY, "admin": 302}

ROUTES = [
    Route("desk/admin/", "/desk/admin/", read(PAGE)),
    Route("desk/admin/name/", "/desk/admin/name/", {"POST": DONE}),
    Route("desk/admin/previews/", "/desk/admin/previews/", {"POST": DONE}),
    Route("desk/admin/contact/", "/desk/admin/contact/", {"POST": DONE}),
    Route("desk/admin/sign-up/", "/desk/admin/sign-up/", {"POST": DONE}),
    Route("desk/admin/four-eyes/", "/desk/admin/four-eyes/", {"POST": DONE}),
    Route("desk/admin/first-ratings/", "/desk/admin/first-ratings/", {"POST": DONE}),
    Route("desk/admin/backup/", "/desk/admin/backup/", {**read(DONE), "POST": PAGE}),
    Route("desk/admin/import/", "/desk/admin/import/", {"POST": DONE}),
    Route("desk/admin/users/", "/desk/admin/users/", read(PAGE)),
    Route("desk/admin/users/<int:number>/", "/desk/admin/users/1/", read(PAGE)),
    Route("desk/admin/users/<int:number>/<slug:act>/", "/desk/admin/users/1/nothing/", {"POST": NONE}),
    Route("desk/admin/invitations/", "/desk/admin/invitations/", form(PAGE)),
    Route("desk/admin/invitations/<str:start>/", "/desk/admin/invitations/nothing/", {"POST": DONE}),
]
