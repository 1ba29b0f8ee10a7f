"""Reports and claims without an account: pages with a form, so none of them is kept. An empty form is 404."""

from __future__ import annotations

from tests.web.routes import ROLES, Route

#: A person who has signed in gets the form of the desk
SIGNED_IN = dict.fromkeys(ROLES, 302)
SHOWN = {**SIGNED_IN, "anonymous": 200, "token": 200}

ROUTES = [
    Route("claim/", "/claim/?player={player}", {"GET": SHOWN, "HEAD": SHOWN, "POST": 404}),
    Route("report/", "/report/?event={event}", {"GET": SHOWN, "HEAD": SHOWN, "POST": 404}),
    Route("report/sent/", "/report/sent/"),
    Route("report/<int:number>/<str:secret>/", "/report/1/nothing/", {"GET": 404, "HEAD": 404, "POST": 404}),
]
