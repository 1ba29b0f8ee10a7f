"""The desks' addresses. A room that is built has its own `urls.py`, with addresses that begin after `/desk/`."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from crosstable.web.desks import home

#: Each names its addresses itself, so that the folders of a room need not be those of its addresses
ROOMS = ("account", "director", "mine", "officer", "decisions", "notices", "reports", "admin")


def _is_built(room: str) -> bool:
    name = f"crosstable.web.desks.{room}"
    return find_spec(name) is not None and find_spec(f"{name}.urls") is not None


urlpatterns: list[URLPattern | URLResolver] = [
    *(path("", include(f"crosstable.web.desks.{room}.urls")) for room in ROOMS if _is_built(room)),
    path("", home.desk, name="desk"),
]
