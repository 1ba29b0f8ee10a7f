"""Signing in is locked for a while after too many wrong passwords or codes, for the account and for the address."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from allauth.mfa.signals import authentication_failed
from axes.backends import AxesStandaloneBackend
from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.db.models import Sum
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from crosstable.web.account_settings import ADDRESS_TRIES, REST, TRIES
from crosstable.web.api import limits


class Door(AxesStandaloneBackend):
    """Refuses while signing in rests. The office's own shell has no address: there it lets everybody through."""

    def authenticate(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> None:
        if request is not None:
            super().authenticate(request, *args, **kwargs)


class Counts(AxesDatabaseHandler):
    """Five wrong tries for an account, twenty for an address: several people may sit behind one."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        account, address = (
            attempts.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
            for attempts in self.get_user_attempts(request, credentials)
        )
        return int(max(account, address - (ADDRESS_TRIES - TRIES)))

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Signing in takes back one's own wrong tries only, not those that came from the same address for others."""
        count, _ = AccessAttempt.objects.filter(username=user_name(request, credentials)).delete()
        return int(count)


@receiver(authentication_failed)
def count_wrong_code(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    AxesProxyHandler.user_login_failed(sender, {"username": user.username}, request)


def is_resting(request: HttpRequest, user: Any) -> bool:
    return not AxesProxyHandler.is_allowed(request, {"username": user.username})


def tries_left(request: HttpRequest, user: Any) -> int:
    return max(0, TRIES - int(AxesProxyHandler.get_failures(request, {"username": user.username})))


def address(request: HttpRequest) -> str | None:
    """Where the request comes from, if that is an address: a proxy can send anything."""
    try:
        return str(ip_address(limits.address(request)))
    except ValueError:
        return None


def user_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """The name as it was typed; names that differ only in case are one name."""
    given = (credentials or {}).get("username") or (request.POST.get("login", "") if request else "")
    return str(given).casefold()[:150]


def resting(request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None) -> HttpResponse:
    """The same words whether the account exists or not."""
    minutes = int(REST.total_seconds() // 60)
    answer = render(request, "desks/account/resting.html", {"minutes": minutes}, status=429)
    answer.headers["Retry-After"] = str(minutes * 60)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
