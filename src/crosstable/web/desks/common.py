"""What the views of all desks share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from crosstable.errors import CrosstableError
from crosstable.office.people.rights import NotAllowedError
from crosstable.web.downloads import attachment

#: A page with a form
BOTH = require_http_methods(["GET", "HEAD", "POST"])
#: So many lines stand on one page of a long list
LINES = 50


def sheet(request: HttpRequest, lines: Sequence[Any]) -> Page[Any]:
    """Return the lines of the page that was asked for; of one that is not there, the nearest."""
    return Paginator(lines, LINES).get_page(request.GET.get("page"))


@contextmanager
def or_told(tell: Callable[[CrosstableError], None]) -> Iterator[None]:
    """Turn what the office refuses into what the page wants; leave a missing right to the caller."""
    try:
        yield
    except NotAllowedError:
        raise
    except CrosstableError as refused:
        tell(refused)


def or_not_found() -> AbstractContextManager[None]:
    """Turn what the office does not know into a page that does not exist."""
    return or_told(_not_found)


def _not_found(unknown: CrosstableError) -> None:
    raise Http404(str(unknown)) from unknown


def download(name: str, data: bytes, kind: str = "application/octet-stream") -> HttpResponse:
    """Send a file as it came, or one that we made. Never shown as a page, whatever is in it."""
    answer = HttpResponse(data, content_type=kind)
    answer.headers["Content-Disposition"] = attachment(name)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return answer
