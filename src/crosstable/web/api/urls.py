"""The API's addresses; each with and without a slash at its end."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from crosstable.web.api.api import api, known_only
from crosstable.web.api.docs import begin, page
from crosstable.web.api.door import guarded, nothing
from crosstable.web.api.submitting import router as with_token
from crosstable.web.caching import from_ledger

#: Answers that depend on the client and may not be cached
PRIVATE = tuple(route.strip("/").split("/")[0] for route in with_token.path_operations)


def _addresses() -> Iterator[URLPattern]:
    for one in api.urls[0]:
        if not isinstance(one, URLPattern) or one.name == "api-root":
            continue
        described = one.name == "openapi-json"
        route, view = str(one.pattern), guarded(require_safe(one.callback) if described else known_only(one.callback))
        if not route.startswith(PRIVATE):
            view = from_ledger(view, kept=False)  # each request passes the door, which counts
        yield path(route, view, name=f"api-{one.name}")
        if not described:
            yield path(f"{route}/", view)


urlpatterns = [
    path("", begin),
    path("docs", page, name="api-docs"),
    path("docs/", page),
    *_addresses(),
    path("<path:rest>", guarded(nothing)),
]
