"""Signing in rests after too many wrong passwords or codes, for the account and for the address that they came from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axes.backends import AxesStandaloneBackend
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from crosstable.web.account_settings import REST


class Door(AxesStandaloneBackend):
    """Refuses while signing in rests. The office's own shell has no address: there it lets everybody through."""

    def authenticate(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> None:
        if request is not None:
            super().authenticate(request, *args, **kwargs)


def user_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """The name as it was typed; names that differ only in case are one name."""
    given = (credentials or {}).get("username") or (request.POST.get("login", "") if request else "")
    return str(given).casefold()[:150]


def resting(request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None) -> HttpResponse:
    """The same words whether the account exists or not."""
    minutes = int(REST.total_seconds() // 60)
    answer = render(request, "desks/account/resting.html", {"minutes": minutes}, status=429)
    answer.headers["Retry-After"] = str(minutes * 60)
    return answer
