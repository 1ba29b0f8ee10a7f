"""Signing in is locked for a while after too many wrong passwords or codes, for the account and for the address."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Any

from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import LoginView, LogoutView
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.signals import authentication_failed
from allauth.mfa.webauthn.internal.flows import perform_passwordless_login
from allauth.mfa.webauthn.views import LoginWebAuthnView
from axes.backends import AxesStandaloneBackend
from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib import messages
from django.db.models import Max, QuerySet, Sum
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from crosstable.web.account_settings import ACCOUNT_TRIES, ADDRESS_TRIES, LONGEST_REST, REST, TRIES
from crosstable.web.api import limits
from crosstable.web.desks.access import private
from crosstable.web.desks.common import BOTH


class Door(AxesStandaloneBackend):
    """Refuses while signing in rests. The office's own shell has no address: there it lets everybody through."""

    def authenticate(self, request: HttpRequest | None, *args: Any, **kwargs: Any) -> None:
        if request is not None:
            super().authenticate(request, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong tries that are remembered: how many, and when the last one was."""

    count: int = 0
    last: datetime | None = None

    def waits(self, now: datetime) -> timedelta:
        """Return how long sign-in still is locked for an account from one address: longer after each further try."""
        if self.last is None or self.count < TRIES:
            return timedelta(0)
        doubled: timedelta = REST * 2 ** min(self.count - TRIES, 10)
        return max(timedelta(0), self.last + min(doubled, LONGEST_REST) - now)


class Counts(AxesDatabaseHandler):
    """Count wrong tries: five for an account from one address, twenty from one address, fifty for an account."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return the wrong tries as five or more where sign-in is locked, as fewer where it is not."""
        here = self.here(request, credentials)
        _, account, address = (self.recent(one) for one in self.get_user_attempts(request, credentials))
        own = max(TRIES, here.count) if here.waits(timezone.now()) else min(TRIES - 1, here.count)
        return max(own, account - (ACCOUNT_TRIES - TRIES), address - (ADDRESS_TRIES - TRIES))

    def here(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> Tries:
        """Return the wrong tries for this account from this address."""
        attempts = self.get_user_attempts(request, credentials)[0]
        found = attempts.aggregate(count=Sum("failures_since_start"), last=Max("attempt_time"))
        return Tries(int(found["count"] or 0), found["last"])

    def recent(self, attempts: QuerySet[AccessAttempt]) -> int:
        """Return how many of these belong to a row of the last quarter of an hour."""
        rows = attempts.filter(attempt_time__gte=timezone.now() - REST)
        return int(rows.aggregate(sum=Sum("failures_since_start"))["sum"] or 0)

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Signing in takes back one's own wrong tries only, not those that came from the same address for others."""
        return forget_tries(user_name(request, credentials))


def forget_tries(name: str) -> int:
    """Forget the wrong tries for an account whose owner has signed in or has a new password; return how many rows."""
    count, _ = AccessAttempt.objects.filter(username=name.casefold()[:150]).delete()
    return int(count)


@receiver(authentication_failed)
def count_wrong_code(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    AxesProxyHandler.user_login_failed(sender, {"username": user.username}, request)


def is_resting(request: HttpRequest, user: Any) -> bool:
    return not AxesProxyHandler.is_allowed(request, {"username": user.username})


def is_confirmation_locked(request: HttpRequest, user: Any) -> bool:
    """Return whether a signed-in person has confirmed wrongly too often. Tries from other addresses do not count."""
    AxesProxyHandler.update_request(request)
    return bool(Counts().here(request, {"username": user.username}).waits(timezone.now()))


@receiver(pre_save, sender=AccessAttempt)
def keep_no_input(instance: AccessAttempt, **kwargs: Any) -> None:
    """Store who tried and from where, never what was typed."""
    instance.get_data = instance.post_data = ""


def tries_left(request: HttpRequest, user: Any) -> int:
    return max(0, TRIES - int(AxesProxyHandler.get_failures(request, {"username": user.username})))


def address(request: HttpRequest) -> str | None:
    """Where the request comes from, if that is an address: a proxy can send anything."""
    try:
        return str(ip_address(limits.address(request)))
    except ValueError:
        return None


def network(request: HttpRequest) -> str | None:
    """Return whose wrong tries count together: an address, or a network of IPv6."""
    return None if address(request) is None else limits.network(request)


def user_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """Return the name as it was typed; names that differ only in case are one name."""
    given = (credentials or {}).get("username") or (request.POST.get("login", "") if request else "")
    return str(given).casefold()[:150]


def resting(request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None) -> HttpResponse:
    """Show the locked page, with the same words whether the account exists or not."""
    AxesProxyHandler.update_request(request)
    left = Counts().here(request, {"username": user_name(request, credentials)}).waits(timezone.now()) or REST
    minutes = math.ceil(left.total_seconds() / 60)
    answer = render(request, "desks/account/resting.html", {"minutes": minutes}, status=429)
    answer.headers["Retry-After"] = str(minutes * 60)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


# Signing in: the password, then the second step; or a passkey alone. allauth does the work.


class Code(AuthenticateView):
    """The second step. Wrong codes count like wrong passwords."""

    template_name = "desks/account/code.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = self.stage.login.user
        if is_resting(request, user):
            return resting(request, credentials={"username": user.username})
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        user = self.stage.login.user
        tries = tries_left(self.request, user)
        recovery = "recovery" in self.request.GET
        hint = settings.SECOND_STEP_HINT() if settings.SECOND_STEP_HINT else ""
        return {**context, "person": user.username, "tries": tries, "recovery": recovery, "hint": hint}


class Passkey(LoginWebAuthnView):
    """A passkey is something one has and, by finger or PIN, something that one is or knows: both factors at once."""

    def form_valid(self, form: Any) -> HttpResponse:
        key = form.cleaned_data["credential"]
        if not key.user.is_active:
            return self.form_invalid(form)
        login = Login(user=key.user, redirect_url=get_next_redirect_url(self.request))
        answer: HttpResponse = perform_passwordless_login(self.request, key, login)
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        messages.error(self.request, "That passkey did not work. Use another one, or your password.")
        return redirect("account_login")


sign_in = BOTH(private(LoginView.as_view(template_name="desks/account/sign_in.html")))
code = BOTH(private(Code.as_view()))
passkey = BOTH(private(Passkey.as_view()))
sign_out = BOTH(private(LogoutView.as_view(template_name="desks/account/sign_out.html")))
