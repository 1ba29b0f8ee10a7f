"""Pages that follow from the ledger carry the ledger's head as their ETag: an unchanged page is a 304, unrendered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, wraps
from importlib.metadata import version
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from crosstable.office.queries import status
from crosstable.office.storage import clock
from crosstable.office.storage.database import reading
from crosstable.office.storage.read_once import read_once
from crosstable.words.language import language

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
#: A day: what has been published stays, but a name may have to be withheld
DAY = 24 * 3600


def from_ledger(view: View, *, kept: bool = True) -> View:
    """Mark a view whose answer depends on its address and the ledger alone. It sees one moment of the ledger.

    `kept`: its pages may stay in memory (`kept_pages`), so that not every request comes to the view.
    """

    @wraps(view)
    def at_one_moment(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with reading(), read_once():
            return view(request, *args, **kwargs)

    at_one_moment.from_ledger = True  # type: ignore[attr-defined]  # how Django's own decorators mark views
    at_one_moment.kept = kept  # type: ignore[attr-defined]  # the same
    return cast(View, at_one_moment)


class FromTheLedger:
    """ETag and Last-Modified for the views so marked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        head: status.Head | None = getattr(request, "ledger_head", None)
        if head is None or response.status_code not in (200, 304):
            return response
        response.headers.setdefault("ETag", etag(request, head))
        response.headers.setdefault("Last-Modified", _http(head))
        if "Cache-Control" not in response.headers:
            patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
        patch_vary_headers(response, ["HX-Request"])
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        if request.method not in ("GET", "HEAD") or not getattr(view, "from_ledger", False):
            return None
        head = status.ledger_head()
        request.ledger_head = head  # type: ignore[attr-defined]  # for the way back
        request.may_be_kept = view.kept  # type: ignore[attr-defined]  # for `KeptPages`
        return conditional(request, head)


def keep(response: HttpResponse) -> HttpResponse:
    """Mark an answer as unchanging: what has been published does not change any more."""
    patch_cache_control(response, public=True, max_age=DAY, immutable=True)
    return response


def conditional(request: HttpRequest, head: status.Head, response: HttpResponse | None = None) -> HttpResponse | None:
    """Return 304 if the client already has the current page; otherwise the response."""
    moment = int(head.at.timestamp()) if head.at else None
    return get_conditional_response(request, etag(request, head), moment, response)


def _http(head: status.Head) -> str:
    from django.utils.http import http_date

    return http_date(head.at.timestamp() if head.at else 0)


def etag(request: HttpRequest, head: status.Head) -> str:
    """Return the ledger's head, the program, the day (an estimate goes by today's rules),
    the language and what was asked.
    """
    asked = f"{request.get_full_path()}|{request.headers.get('HX-Request', '')}|{clock.today()}|{language()}"
    digest = hashlib.sha256(f"{head.count}:{head.hash}|{_program()}|{asked}".encode()).hexdigest()
    return f'"{digest[:32]}"'


@cache
def _program() -> str:
    """Another version, other templates or another stylesheet: another page."""
    from django.conf import settings

    return f"{version('crosstable')}|{settings.STATIC_ROOT}"
