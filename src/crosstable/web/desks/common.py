"""What the views of all desks share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404
from django.views.decorators.http import require_http_methods

from crosstable.errors import CrosstableError
from crosstable.office.people.rights import NotAllowedError

#: A page with a form
BOTH = require_http_methods(["GET", "HEAD", "POST"])


@contextmanager
def or_not_found() -> Iterator[None]:
    """What the office does not know is a page that is not there."""
    try:
        yield
    except NotAllowedError:
        raise
    except CrosstableError as unknown:
        raise Http404(str(unknown)) from unknown
