"""The feeds of one player and one event: for everybody, to read only."""

from __future__ import annotations

from tests.web.routes import Route

ROUTES = [
    Route("feeds/players/<str:player>/", "/feeds/players/{player}/"),
    Route("feeds/events/<str:event>/", "/feeds/events/{event}/"),
]
