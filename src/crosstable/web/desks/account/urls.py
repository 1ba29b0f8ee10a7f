"""Addresses of signing in and of one's own account. The names are allauth's: it looks for them."""

from __future__ import annotations

from django.urls import path

from crosstable.web.desks.account import views

urlpatterns = [
    path("sign-in/", views.sign_in, name="account_login"),
    path("sign-in/code/", views.code, name="mfa_authenticate"),
    path("sign-out/", views.sign_out, name="account_logout"),
    path("account/", views.account, name="mfa_index"),
    path("account/confirm/", views.confirm_password, name="account_reauthenticate"),
    path("account/confirm/code/", views.confirm_code, name="mfa_reauthenticate"),
    path("account/app/", views.add_app, name="mfa_activate_totp"),
    path("account/app/remove/", views.remove_app, name="mfa_deactivate_totp"),
    path("account/recovery/", views.recovery_codes, name="mfa_view_recovery_codes"),
]
