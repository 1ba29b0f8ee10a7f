"""Settings of signing in: sessions, passwords, the second factor and the lock-out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

APPS = [
    "django.contrib.sessions",
    "django.contrib.messages",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "axes",
]

#: Before the pages' own: who comes, and what a page says after a form
MIDDLEWARE = [
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "crosstable.web.desks.sessions.Limits",
]

#: A session ends after so long without a click, and after so long in any case
IDLE = timedelta(hours=2)
LONGEST = timedelta(hours=12)

#: For so many seconds a second factor counts for an act that takes two officers, and signing in for changing how one
#: does
FRESH = 5 * 60

#: Wrong passwords or codes until sign-in is locked, and for how long: for an account from one address, from one address
#: for any accounts, and for an account from any addresses. A stranger elsewhere cannot lock a person out with a few
#: tries.
TRIES, ADDRESS_TRIES, ACCOUNT_TRIES = 5, 20, 50
REST = timedelta(minutes=15)
#: After each further wrong try for that account from that address the wait is twice as long, up to this; wrong tries
#: are forgotten so long after the last one
LONGEST_REST, MEMORY = timedelta(hours=4), timedelta(hours=24)


def values(secure: bool) -> dict[str, Any]:
    """Where nothing encrypts (`crosstable serve` on one's own machine), passkeys work on localhost only."""
    return {
        "AUTHENTICATION_BACKENDS": [
            "crosstable.web.desks.account.sign_in.Door",
            "django.contrib.auth.backends.ModelBackend",
        ],
        "LOGIN_URL": "/desk/sign-in/",
        "LOGIN_REDIRECT_URL": "/desk/",
        "SESSION_ENGINE": "django.contrib.sessions.backends.db",
        "SESSION_COOKIE_AGE": int(LONGEST.total_seconds()),
        "SESSION_COOKIE_SAMESITE": "Lax",
        "CSRF_COOKIE_SAMESITE": "Lax",
        "CSRF_COOKIE_HTTPONLY": True,
        "MESSAGE_STORAGE": "django.contrib.messages.storage.session.SessionStorage",
        **_allauth(secure),
        **_lock_out(),
    }


def _allauth(secure: bool) -> dict[str, Any]:
    return {
        "ACCOUNT_ADAPTER": "crosstable.web.desks.account.adapter.Accounts",
        "ACCOUNT_LOGIN_METHODS": {"username"},
        "ACCOUNT_SIGNUP_FIELDS": ["username*", "password1*"],
        "ACCOUNT_EMAIL_VERIFICATION": "none",
        "ACCOUNT_SESSION_REMEMBER": True,
        "ACCOUNT_LOGOUT_REDIRECT_URL": "/",
        "ACCOUNT_RATE_LIMITS": False,  # the lock-out counts in the database, for all processes alike
        "MFA_ADAPTER": "crosstable.web.desks.account.adapter.SecondFactors",
        "MFA_RATE_LIMITS": False,
        "MFA_FORMS": {
            "authenticate": "crosstable.web.desks.account.adapter.CodeForm",
            "reauthenticate": "crosstable.web.desks.account.adapter.ConfirmForm",
        },
        "MFA_SUPPORTED_TYPES": ["totp", "webauthn", "recovery_codes"],
        "MFA_PASSKEY_LOGIN_ENABLED": True,
        "MFA_WEBAUTHN_USER_VERIFICATION": "required",  # finger, face or PIN: a key that was found signs no one in
        "MFA_TOTP_TOLERANCE": 1,  # a code that ran out while it was typed
        "MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN": not secure,
    }


def _lock_out() -> dict[str, Any]:
    return {
        "AXES_HANDLER": "crosstable.web.desks.account.sign_in.Counts",
        "AXES_FAILURE_LIMIT": TRIES,
        "AXES_COOLOFF_TIME": MEMORY,
        "AXES_LOCKOUT_PARAMETERS": [["username", "ip_address"], "username", "ip_address"],
        "AXES_RESET_ON_SUCCESS": True,
        "AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT": False,  # it says how long, and means it
        "AXES_SENSITIVE_PARAMETERS": ["login", "code", "credential", "csrfmiddlewaretoken"],
        "AXES_VERBOSE": False,
        "AXES_DISABLE_ACCESS_LOG": True,
        "AXES_ENABLE_ADMIN": False,
        "AXES_CLIENT_IP_CALLABLE": "crosstable.web.desks.account.sign_in.network",
        "AXES_USERNAME_CALLABLE": "crosstable.web.desks.account.sign_in.user_name",
        "AXES_LOCKOUT_CALLABLE": "crosstable.web.desks.account.sign_in.resting",
    }
