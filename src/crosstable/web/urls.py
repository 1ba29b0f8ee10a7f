"""Every address. A room that is built has its own `urls.py`."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from crosstable.web import errors
from crosstable.web.health import healthz

#: Room → where it begins
ROOMS = {"desks": "desk/", "club": "club/", "api": "api/v1/"}

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    *(
        path(begins, include(f"crosstable.web.{room}.urls"))
        for room, begins in ROOMS.items()
        if find_spec(f"crosstable.web.{room}")
    ),
    path("", include("crosstable.web.public.urls")),
]

handler404 = errors.not_found
handler500 = errors.failed
handler400 = errors.bad_request
handler403 = errors.forbidden
