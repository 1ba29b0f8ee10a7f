"""The public pages: for everybody, to read only."""

from __future__ import annotations

from tests.web.routes import Route

ROUTES = [
    Route("healthz", "/healthz"),
    Route("", "/"),
]
