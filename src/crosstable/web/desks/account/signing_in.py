"""Signing in: the password, then the second step; or a passkey alone. allauth does the work."""

from __future__ import annotations

from typing import Any

from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import LoginView, LogoutView
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.webauthn.internal.flows import perform_passwordless_login
from allauth.mfa.webauthn.views import LoginWebAuthnView
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from crosstable.web.desks.account import lockout
from crosstable.web.desks.common import BOTH
from crosstable.web.desks.doors import private


class Code(AuthenticateView):
    """The second step. Wrong codes count like wrong passwords."""

    template_name = "desks/account/code.html"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if lockout.is_resting(request, self.stage.login.user):
            return lockout.resting(request)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        user = self.stage.login.user
        tries = lockout.tries_left(self.request, user)
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
        messages.error(self.request, "That passkey did not fit. Use another one, or your password.")
        return redirect("account_login")


sign_in = BOTH(private(LoginView.as_view(template_name="desks/account/sign_in.html")))
code = BOTH(private(Code.as_view()))
passkey = BOTH(private(Passkey.as_view()))
sign_out = BOTH(private(LogoutView.as_view(template_name="desks/account/sign_out.html")))
