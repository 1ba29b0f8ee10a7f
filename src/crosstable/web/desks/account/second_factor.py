"""The second factor: an app with codes, passkeys, recovery codes; and giving it again before something weighty."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account.internal.flows.login import record_authentication
from allauth.account.views import ReauthenticateView
from allauth.mfa.base.views import ReauthenticateView as MFAReauthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.mfa.webauthn.internal import auth as webauthn
from allauth.mfa.webauthn.views import AddWebAuthnView, ReauthenticateWebAuthnView, RemoveWebAuthnView
from django.contrib import messages
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from crosstable.office.people import second_factors
from crosstable.web.desks.access import actor_of, allow_without_second_factor, fresh_confirmation, setting_up, signed_in
from crosstable.web.desks.account import sign_in
from crosstable.web.desks.common import BOTH


@receiver([authenticator_added, authenticator_removed, authenticator_reset])
def into_the_log(sender: Any, signal: Any, request: HttpRequest, authenticator: Any, **kwargs: Any) -> None:
    acts = {id(authenticator_added): "added", id(authenticator_removed): "removed"}
    second_factors.note(actor_of(request), acts.get(id(signal), "renewed"), authenticator.type)


class GivesSecondFactor:
    """Anyone who has just used what is added has given the second factor."""

    request: Any
    kind: ClassVar[Any]

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)  # type: ignore[misc]  # the form's view stands behind this one
        record_authentication(self.request, self.request.user, "mfa", type=self.kind)
        return answer


class AddApp(GivesSecondFactor, ActivateTOTPView):
    template_name = "desks/account/add_app.html"
    kind = Authenticator.Type.TOTP


class AddPasskey(GivesSecondFactor, AddWebAuthnView):
    """One that can sign in by itself, with finger or PIN."""

    template_name = "desks/account/add_passkey.html"
    kind = Authenticator.Type.WEBAUTHN

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return {**context, "passkey": webauthn.begin_registration(self.request.user, passwordless=True)}


class RemovePasskey(RemoveWebAuthnView):
    template_name = "desks/account/remove_passkey.html"
    success_url = "/desk/account/"

    def form_valid(self, form: Any) -> HttpResponse:
        from allauth.mfa.adapter import get_adapter

        if not get_adapter().can_delete_authenticator(self.get_object()):
            messages.error(
                self.request, "Officers and administrators need a second factor: add another, then remove it."
            )
            return redirect("mfa_index")
        answer: HttpResponse = super().form_valid(form)
        return answer


class _Resting:
    """Wrong codes and passwords count here too."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and sign_in.is_confirmation_locked(request, request.user):
            return sign_in.resting(request, credentials={"username": request.user.get_username()})
        answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]  # a view's
        return answer


class ConfirmCode(_Resting, MFAReauthenticateView):
    template_name = "desks/account/confirm_code.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        found = Authenticator.objects.filter(user=self.request.user, type=Authenticator.Type.WEBAUTHN).exists()
        options = webauthn.begin_authentication(self.request.user) if found else None
        return {**context, "passkey": options, "recovery": "recovery" in self.request.GET}


class ConfirmPasskey(ReauthenticateWebAuthnView):
    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect(f"{reverse('mfa_reauthenticate')}?{request.GET.urlencode()}")

    def form_invalid(self, form: Any) -> HttpResponse:
        messages.error(self.request, "That passkey did not work. Use another one, or a code.")
        return redirect(self.passthrough_next_url(reverse("mfa_reauthenticate")))


class ConfirmPassword(_Resting, ReauthenticateView):
    template_name = "desks/account/confirm_password.html"


add_app = BOTH(setting_up(AddApp.as_view()))
remove_app = BOTH(
    signed_in(fresh_confirmation(DeactivateTOTPView.as_view(template_name="desks/account/remove_app.html")))
)
add_passkey = BOTH(setting_up(AddPasskey.as_view()))
remove_passkey = BOTH(signed_in(fresh_confirmation(RemovePasskey.as_view())))
confirm_password = BOTH(allow_without_second_factor(ConfirmPassword.as_view()))
confirm_code = BOTH(allow_without_second_factor(ConfirmCode.as_view()))
confirm_passkey = BOTH(allow_without_second_factor(ConfirmPasskey.as_view()))
recovery_codes = require_safe(
    signed_in(fresh_confirmation(ViewRecoveryCodesView.as_view(template_name="desks/account/recovery_codes.html")))
)
new_recovery_codes = BOTH(
    signed_in(
        fresh_confirmation(GenerateRecoveryCodesView.as_view(template_name="desks/account/new_recovery_codes.html"))
    )
)
