"""Pages use the words of the office's federation: how pools are called, and what is shown of a rating."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse

from crosstable.federations import Federation
from crosstable.federations.current import using
from crosstable.office.queries import status


class FederationWords:
    """Answer a request in the words of the office's federation, asked for once and only where a page needs them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        @cache
        def federation() -> Federation:
            return status.frame(getattr(request, "ledger_head", None)).federation

        with using(federation):
            return self.get_response(request)
