"""Public pages kept in memory as they went out: an unchanged page is not rendered again.

A kept page is served for the same address, host, scheme, language and compression only, and only while its ETag would
be the same today: the ledger's head is asked each time. A request with a token or with another cookie than that of the
language is never answered from here, and what is answered to it is never kept; so no one gets a page that was made for
another person.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from crosstable.office.queries import status
from crosstable.web import caching, languages
from crosstable.words.language import language

Key = tuple[str, ...]
#: What a page may depend on besides its address: both are part of the key
KNOWN = {"hx-request", "accept-encoding"}
#: A larger answer (the file of a whole list) would push too many pages out
LARGEST = 2**20


@dataclass(frozen=True, slots=True)
class Kept:
    etag: str  # as the ledger and the program stood; not the header, which compression makes a weak one
    body: bytes
    headers: tuple[tuple[str, str], ...]
    route: Any  # for the log


class Shelf:
    """The pages asked for last, up to so many bytes. All threads of a process share it."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Key, Kept] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Key) -> Kept | None:
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
            return self._pages.get(key)

    def put(self, key: Key, page: Kept, most: int) -> None:
        """In the place of an older page of the same address; the longest unasked go."""
        with self._lock:
            before = self._pages.pop(key, None)
            self._bytes -= len(before.body) if before else 0
            self._pages[key] = page
            self._bytes += len(page.body)
            while self._bytes > most:
                _, gone = self._pages.popitem(last=False)
                self._bytes -= len(gone.body)

    def __len__(self) -> int:
        return len(self._pages)


class KeptPages:
    """Stands outside everything that looks at who comes: a page found here costs one question to the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.shelf = Shelf()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        most: int = settings.KEPT_PAGES_BYTES
        known = request.COOKIES.keys() - {languages.COOKIE}
        if not most or request.method != "GET" or known or "Authorization" in request.headers:
            return self.get_response(request)
        key = _key(request)
        page = self.shelf.get(key)
        if page is not None:
            head = status.ledger_head()
            if page.etag == caching.etag(request, head):
                return _served(request, page, head)
        response = self.get_response(request)
        if _may_be_kept(request, response):
            headers = tuple(response.headers.items())
            etag = caching.etag(request, request.ledger_head)  # type: ignore[attr-defined]  # set by `FromTheLedger`
            self.shelf.put(key, Kept(etag, response.content, headers, request.resolver_match), most)
        return response


def _key(request: HttpRequest) -> Key:
    compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    typing = request.headers.get("HX-Request", "")
    return request.get_full_path(), typing, str(compressed), request.scheme or "", request.get_host(), language()


def _served(request: HttpRequest, page: Kept, head: status.Head) -> HttpResponse:
    request.resolver_match = page.route
    response = HttpResponse(page.body, headers=dict(page.headers))
    return caching.conditional(request, head, response) or response


def _may_be_kept(request: HttpRequest, response: HttpResponse) -> bool:
    """Tell whether it is a whole page that follows from the ledger and its address alone, and says so itself."""
    varies = {word.strip().lower() for word in response.get("Vary", "").split(",") if word.strip()}
    return (
        getattr(request, "may_be_kept", False)
        and response.status_code == 200
        and not response.streaming
        and not response.cookies
        and varies <= KNOWN
        and len(response.content) <= LARGEST
    )
