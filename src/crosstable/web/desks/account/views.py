"""Signing in and out, the second factor. allauth does the work; these say which page it is."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.account.views import LoginView, LogoutView, ReauthenticateView
from allauth.mfa.base import views as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from crosstable.web.desks.doors import allow_without_second_factor, signed_in

BOTH = require_http_methods(["GET", "HEAD", "POST"])

sign_in = BOTH(LoginView.as_view(template_name="desks/account/sign_in.html"))
sign_out = BOTH(LogoutView.as_view(template_name="desks/account/sign_out.html"))
code = BOTH(mfa.AuthenticateView.as_view(template_name="desks/account/code.html"))


class AddApp(ActivateTOTPView):
    """Whoever has just typed a code of the new app has given the second factor."""

    template_name = "desks/account/add_app.html"

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        record_authentication(self.request, self.request.user, "mfa", type=Authenticator.Type.TOTP)
        return answer


add_app = BOTH(allow_without_second_factor(AddApp.as_view()))
remove_app = BOTH(signed_in(DeactivateTOTPView.as_view(template_name="desks/account/remove_app.html")))
confirm_password = BOTH(
    allow_without_second_factor(ReauthenticateView.as_view(template_name="desks/account/confirm_password.html"))
)
confirm_code = BOTH(
    allow_without_second_factor(mfa.ReauthenticateView.as_view(template_name="desks/account/confirm_code.html"))
)
recovery_codes = require_safe(
    signed_in(ViewRecoveryCodesView.as_view(template_name="desks/account/recovery_codes.html"))
)


@require_safe
@allow_without_second_factor
def account(request: HttpRequest) -> HttpResponse:
    """What one can do with one's own account; where the second factor is missing, that first."""
    found = Authenticator.objects.filter(user=request.user)
    kinds = {one.type for one in found}
    return render(request, "desks/account/index.html", {"kinds": kinds})
