"""What this office does otherwise than allauth by itself."""

from __future__ import annotations

import time
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from crosstable.office.people import users
from crosstable.office.people.rights import OFFICE
from crosstable.web.account_settings import FRESH


class Accounts(DefaultAccountAdapter):
    """Nobody signs up: an administrator invites. After signing in one stays on this site."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_safe_url(self, url: str | None) -> bool:
        """Not even another name under which this site may be asked."""
        request = context.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())

    def is_reauthentication_required(self, *, app: str = "") -> bool:
        """Whoever has just signed in need not do so again to set up the second factor."""
        records = get_authentication_records(context.request, context.request.user)
        return not any(time.time() - record["at"] < FRESH for record in records)

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Our pages say what was done in their own words."""


class SecondFactors(DefaultMFAAdapter):
    """Officers and administrators keep at least one."""

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        kinds = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
        others = Authenticator.objects.filter(user=authenticator.user, type__in=kinds).exclude(pk=authenticator.pk)
        return users.actor_of(authenticator.user).role not in OFFICE or bool(others.exists())
