"""The officer's desk: for officers and administrators; directors see their own correction requests."""

from __future__ import annotations

from tests.web.routes import ROLES, Route, form, read

SENT = dict.fromkeys(ROLES, 302)
OFFICE = {**SENT, "player": 403, "director": 403, "officer": 200, "admin": 200}
#: An administrator looks, and decides nothing
DECIDE = {**SENT, "player": 403, "director": 403, "admin": 403}
DIRECTORS = {**SENT, "player": 403, "director": 200, "officer": 200, "admin": 200}
NONE = {**SENT, "player": 403, "director": 404, "officer": 404, "admin": 404}
NO_JOB = {**NONE, "director": 403}

ROUTES = [
    Route("desk/queue/", "/desk/queue/", {**read(OFFICE), "POST": DECIDE}),
    Route("desk/review/<str:event>/", "/desk/review/{event}/", {**read(OFFICE), "POST": {**DECIDE, "officer": 400}}),
    Route(
        "desk/comments/<str:event>/",
        "/desk/comments/NONE/",
        {"POST": {**DECIDE, "director": 404, "officer": 404, "admin": 404}},
    ),
    Route("desk/events/", "/desk/events/", read(OFFICE)),
    *(
        Route(f"desk/review/<str:event>/{act}/", f"/desk/review/NONE/{act}/", form({**DECIDE, "officer": 404}))
        for act in ("withdraw", "restore")
    ),
    Route("desk/review/<str:event>/edit/", "/desk/review/NONE/edit/", {"POST": DECIDE}),
    Route("desk/corrections/", "/desk/corrections/", read(DIRECTORS)),
    Route("desk/corrections/<int:number>/", "/desk/corrections/99/", form(NONE)),
    Route("desk/corrections/<int:number>/moved.csv", "/desk/corrections/99/moved.csv", read(NO_JOB)),
    Route("desk/corrections/<int:number>/file/", "/desk/corrections/99/file/", read(NONE)),
    Route("desk/jobs/", "/desk/jobs/", {**read(OFFICE), "POST": {**DECIDE, "officer": 200}}),
    Route("desk/jobs/<int:number>/", "/desk/jobs/99/", form(NO_JOB)),
]
