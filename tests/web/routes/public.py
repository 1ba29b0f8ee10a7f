"""The public pages: for everybody, to read only."""

from __future__ import annotations

from tests.web.routes import Route

ROUTES = [
    Route("healthz", "/healthz"),
    Route("", "/"),
    Route("search/", "/search/?q=da", {"GET": 302, "HEAD": 302}),
    Route("players/", "/players/"),
    Route("players/<str:player>/", "/players/{player}/"),
    Route("players/<str:player>/vs/<str:other>/", "/players/{player}/vs/{other}/"),
    Route("players/<str:player>/<str:pool>/", "/players/{player}/OTBR/"),
    Route("events/", "/events/"),
    Route("events/<str:event>/", "/events/{event}/"),
    Route("events/<str:event>/revisions/<int:revision>/", "/events/{corrected}/revisions/2/"),
    Route("events/<str:event>/<int:section>/", "/events/{event}/{section}/"),
    Route("events/<str:event>/<int:section>/standings/", "/events/{event}/{section}/standings/"),
    Route("events/<str:event>/<int:section>/<int:number>/<str:pool>/", "/events/{event}/{section}/{number}/OTBR/"),
    Route("lists/", "/lists/"),
    Route("lists/<str:day>/", "/lists/{list}/", {"GET": 302, "HEAD": 302}),
    Route("lists/<str:day>/<str:pool>/", "/lists/{list}/OTBR/"),
    Route("rules/", "/rules/"),
    Route("rules/diff/", "/rules/diff/"),
    Route("rules/<str:name>/", "/rules/bonus/"),
    Route("estimate/", "/estimate/"),
    Route("about/", "/about/"),
    Route("privacy/", "/privacy/"),
    Route("help/", "/help/"),
]
