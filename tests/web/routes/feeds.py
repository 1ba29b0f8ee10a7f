"""The feeds: for everybody, to read only."""

from __future__ import annotations

from tests.web.routes import Route

ROUTES = [Route("feeds/events/", "/feeds/events/"), Route("feeds/lists/", "/feeds/lists/")]
