"""Addresses of signing in and of one's own account. The names are allauth's: it looks for them."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.account import links_used, own, second_factor, signing_in

urlpatterns = [
    path("sign-in/", signing_in.sign_in, name="account_login"),
    path("sign-in/code/", signing_in.code, name="mfa_authenticate"),
    path("sign-in/passkey/", signing_in.passkey, name="mfa_login_webauthn"),
    path("sign-in/help/", links_used.cannot, name="desk_cannot"),
    path("sign-in/reset/<str:secret>/", links_used.reset, name="desk_reset"),
    path("join/<str:secret>/", links_used.join, name="desk_join"),
    path("sign-out/", signing_in.sign_out, name="account_logout"),
    path("account/", own.account, name="mfa_index"),
    path("account/password/", own.password, name="account_change_password"),
    path("account/email/", own.email, name="desk_email"),
    path("account/sessions/", own.sessions, name="usersessions_list"),
    path("account/tokens/", own.tokens, name="desk_tokens"),
    path("account/tokens/<str:start>/", own.revoke_token, name="desk_revoke_token"),
    path("account/confirm/", second_factor.confirm_password, name="account_reauthenticate"),
    path("account/confirm/code/", second_factor.confirm_code, name="mfa_reauthenticate"),
    path("account/confirm/passkey/", second_factor.confirm_passkey, name="mfa_reauthenticate_webauthn"),
    path("account/app/", second_factor.add_app, name="mfa_activate_totp"),
    path("account/app/remove/", second_factor.remove_app, name="mfa_deactivate_totp"),
    path("account/passkeys/", second_factor.add_passkey, name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/", second_factor.remove_passkey, name="mfa_remove_webauthn"),
    path("account/recovery/", second_factor.recovery_codes, name="mfa_view_recovery_codes"),
    path("account/recovery/new/", second_factor.new_recovery_codes, name="mfa_generate_recovery_codes"),
]
