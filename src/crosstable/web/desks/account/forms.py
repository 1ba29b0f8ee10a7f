"""The form for a code of the second factor: each code works once, whichever process it is typed at."""

from __future__ import annotations

import time

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from django.db import transaction

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
