"""One's own account on one page: second factor, password, sessions."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from crosstable.office.people.rights import OFFICE
from crosstable.web.desks.doors import actor_of, allow_without_second_factor, second_factor_at


@require_safe
@allow_without_second_factor
def account(request: HttpRequest) -> HttpResponse:
    """What one can do with one's own account; where the second factor is missing, that first."""
    found = list(Authenticator.objects.filter(user=request.user).order_by("created_at"))
    role = actor_of(request).role
    context = {
        "app": next((one for one in found if one.type == Authenticator.Type.TOTP), None),
        "passkeys": [one.wrap() for one in found if one.type == Authenticator.Type.WEBAUTHN],
        "codes": next((len(one.wrap().get_unused_codes()) for one in found if one.type == "recovery_codes"), None),
        "first": role in OFFICE and not second_factor_at(request),
    }
    return render(request, "desks/account/index.html", context)
