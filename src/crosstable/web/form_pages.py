"""Which page a form stood on, for leading someone back to it."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme


def page_of_form(request: HttpRequest) -> str:
    """Return the page that the browser names, if it is one of ours; else the nearest above the form's address."""
    named = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(named, {request.get_host()}, require_https=request.is_secure()):
        parts = urlsplit(named)
        with suppress(Resolver404):
            resolve(parts.path)
            return f"{parts.path}?{parts.query}" if parts.query else parts.path
    return above(request.path)


def above(path: str) -> str:
    """Return the nearest address above this one that there is."""
    while path.count("/") > 2:
        path = path.rstrip("/").rsplit("/", 1)[0] + "/"
        with suppress(Resolver404):
            resolve(path)
            return path
    return "/"
