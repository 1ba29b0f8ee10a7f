"""What this office does otherwise than allauth by itself."""

from __future__ import annotations

import base64
import hashlib
import time
from typing import Any, ClassVar

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from crosstable.office.ledger.office_settings import office
from crosstable.office.people import users
from crosstable.office.people.rights import OFFICE
from crosstable.web.account_settings import FRESH
from crosstable.web.desks.account import sign_in

# The form for a code of the second factor: each code works once, whichever process it is typed at.

#: A code is taken up to a minute and a half after its time began
REMEMBERED = 2 * 60


class _Once(BaseAuthenticateForm):
    def clean_code(self) -> str:
        code: str = super().clean_code()
        if self.authenticator.type == Authenticator.Type.TOTP and _was_used(self.authenticator.pk, code):
            raise get_adapter().validation_error("incorrect_code")
        return code  # a recovery code is crossed out by itself


@transaction.atomic
def _was_used(app_number: int, code: str) -> bool:
    """Whether this code has been used lately; from now on it has."""
    app = Authenticator.objects.select_for_update().get(pk=app_number)
    used = {one: at for one, at in app.data.get("used", {}).items() if time.time() - at < REMEMBERED}
    typed = "".join(code.split())
    app.data["used"] = {**used, typed: time.time()}
    app.save(update_fields=["data"])
    return typed in used


class CodeForm(_Once, AuthenticateForm):
    """The second step of signing in."""


class ConfirmForm(_Once, ReauthenticateForm):
    """The second factor again."""


class Accounts(DefaultAccountAdapter):
    """No one signs up: an administrator invites. After signing in one stays on this site."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_safe_url(self, url: str | None) -> bool:
        """Not even another name under which this site may be asked."""
        request = context.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())

    def is_reauthentication_required(self, *, app: str = "") -> bool:
        """Anyone who has just signed in need not do so again to set up the second factor."""
        records = get_authentication_records(context.request, context.request.user)
        return not any(time.time() - record["at"] < FRESH for record in records)

    def get_client_ip(self, request: HttpRequest) -> str:
        return sign_in.address(request) or "0.0.0.0"  # noqa: S104  no address that one could bind to: none is known

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Our pages say what was done in their own words."""


class SecondFactors(DefaultMFAAdapter):
    """Officers and administrators keep at least one. Secrets are kept encrypted with the office's key."""

    error_messages: ClassVar = {**DefaultMFAAdapter.error_messages, "incorrect_code": "That code is wrong."}

    def get_totp_issuer(self) -> str:
        return str(office().name)

    def build_totp_svg(self, url: str) -> str:
        """In the page itself: with the key in it, it has no address of its own."""
        drawn: str = segno.make(url).svg_inline(scale=5, light="#fff", svgclass=None, lineclass=None)
        return drawn

    def encrypt(self, text: str) -> str:
        locked: bytes = _lock().encrypt(text.encode())
        return locked.decode()

    def decrypt(self, encrypted_text: str) -> str:
        """With another key than the office's own nothing fits any more: never an empty secret, which would be known."""
        try:
            plain: bytes = _lock().decrypt(encrypted_text.encode())
            return plain.decode()
        except InvalidToken:
            return str(generate_totp_secret())

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        kinds = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
        others = Authenticator.objects.filter(user=authenticator.user, type__in=kinds).exclude(pk=authenticator.pk)
        return users.actor_of(authenticator.user).role not in OFFICE or bool(others.exists())


def _lock() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [hashlib.sha256(f"second factor {key}".encode()).digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
