"""A mistake reported without an account: pages with a form, so none of them is kept."""

from __future__ import annotations

from tests.web.routes import ROLES, Route

#: A person who has signed in reports from the desk
SIGNED_IN = dict.fromkeys(ROLES, 302)
SHOWN = {**SIGNED_IN, "anonymous": 200, "token": 200}
UNSENT = {**SIGNED_IN, "anonymous": 400, "token": 400}

ROUTES = [
    Route("report/", "/report/?event={event}", {"GET": SHOWN, "HEAD": SHOWN, "POST": UNSENT}),
    Route("report/sent/", "/report/sent/"),
    Route("report/<int:number>/<str:secret>/", "/report/1/nothing/", {"GET": 404, "HEAD": 404, "POST": 404}),
]
