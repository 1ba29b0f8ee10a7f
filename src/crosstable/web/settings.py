"""Django's settings for the web office: the office's own, and safe defaults on top, from environment variables.

CROSSTABLE_DB          the office's database
CROSSTABLE_HOSTS       names under which it may be asked, with commas between; otherwise this machine's only
CROSSTABLE_HTTPS       0 where nothing encrypts in front of it; `crosstable serve` takes 0 unless told otherwise
CROSSTABLE_SECRET_KEY  the signing key; otherwise one is made and kept on the first start
CROSSTABLE_PROXIES     addresses of proxies whose X-Forwarded-For is believed; one on this machine always is
CROSSTABLE_MAIL        and others: see office.storage.mail_settings
CROSSTABLE_CACHE       the folder for static files made ready and for the made-up office
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crosstable.office.storage import database
from crosstable.office.storage import settings as office
from crosstable.web import account_settings, folders, static_files
from crosstable.words.language import CATALOGUES, ENGLISH, LANGUAGES

HERE = ("localhost", "127.0.0.1", "[::1]")
#: A proxy on the same machine, or through a socket file, which has no address
LOCAL_PROXIES = ("127.0.0.1", "::1", "")

#: The apps of the web packages
APPS = [
    "crosstable.web",
    "crosstable.web.public",
    "crosstable.web.club",
    "crosstable.web.api",
    "crosstable.web.desks",
    *account_settings.APPS,
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "csp",
]

MIDDLEWARE = [
    "crosstable.web.logs.Requests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "crosstable.web.languages.Languages",
    "crosstable.web.kept_pages.KeptPages",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    *account_settings.MIDDLEWARE,
    "crosstable.web.federation_words.FederationWords",
    "crosstable.web.errors.OnlyForms",
    "crosstable.web.errors.Unreadable",
    "crosstable.web.club.club_pages_only.OnlyTheClub",
    "crosstable.web.caching.FromTheLedger",
    "axes.middleware.AxesMiddleware",
]

#: Nothing from elsewhere, nothing inline
POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "font-src": ["'self'"],
        "img-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

YEAR = 365 * 24 * 3600


def values(url: str, hosts: Sequence[str] = (), *, https: bool | None = None) -> dict[str, Any]:
    """All settings. `https` and `hosts` come from the environment where they are not given."""
    secure = os.environ.get("CROSSTABLE_HTTPS", "1") != "0" if https is None else https
    allowed = [*HERE, *hosts, *_words(os.environ.get("CROSSTABLE_HOSTS", ""))]
    base = office.values(url)
    base["DATABASES"]["default"] |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    return {
        **base,
        "DEBUG": False,
        "SECRET_KEY": folders.secret_key(url),
        "ALLOWED_HOSTS": allowed,
        "INSTALLED_APPS": [*base["INSTALLED_APPS"], *APPS],
        "MIDDLEWARE": list(MIDDLEWARE),
        "ROOT_URLCONF": "crosstable.web.urls",
        "WSGI_APPLICATION": "crosstable.web.wsgi.application",
        "TEMPLATES": _templates(),
        "LANGUAGE_CODE": ENGLISH,
        "LANGUAGES": list(LANGUAGES.items()),
        "LOCALE_PATHS": [str(CATALOGUES)],
        "FORMAT_MODULE_PATH": "crosstable.web.formats",
        "USE_I18N": True,
        "LOGGING_CONFIG": "crosstable.web.logs.configure",
        "LOGGING": {"version": 1},  # Django calls the function above only where there is something here
        "CONTENT_SECURITY_POLICY": POLICY,
        "TASKS": {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}},
        "API_LIMITS": {
            "address": 120,
            "token": 600,
            "report": 5,
            "report_day": 20,
        },  # a minute: without a token, with one, visitors' reports; and a day: those that no mail confirms
        "API_LIMITS_FILE": str(folders.cache() / "limits.db"),
        "KEPT_PAGES_BYTES": 64 * 2**20,  # in each process; 0: none are kept
        "SECOND_STEP_HINT": None,  # set by `crosstable demo` alone: says which code the made-up officers' app shows
        "DATA_UPLOAD_MAX_NUMBER_FIELDS": 15_000,  # a typed report of 400 players and 30 rounds
        **_static(),
        **account_settings.values(secure),
        **_transport(secure, allowed),
    }


def configure(url: str | None = None, hosts: Sequence[str] = (), *, https: bool | None = None) -> None:
    """Set Django up for the web office, once in a process."""
    import django
    from django.conf import settings

    settings.configure(**values(database.chosen(url), hosts, https=https))
    django.setup()


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _templates() -> list[dict[str, Any]]:
    processors = [
        "django.template.context_processors.request",
        "django.contrib.messages.context_processors.messages",
        "crosstable.web.context.office",
        "crosstable.web.desks.home.frame",
    ]
    return [
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": processors,
                "loaders": [("django.template.loaders.cached.Loader", ["crosstable.web.template_lines.Loader"])],
            },
        }
    ]


def _static() -> dict[str, Any]:
    """Names with a hash in them, compressed beforehand; a browser keeps such a file for ever."""
    return {
        "STATIC_URL": "/static/",
        "WHITENOISE_KEEP_ONLY_HASHED_FILES": True,
        "STATIC_ROOT": str(static_files.root(folders.cache(), Path(__file__).parent)),
        "STORAGES": {
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # no one uploads a file to keep
            "staticfiles": {"BACKEND": static_files.STORAGE},
        },
    }


def _transport(secure: bool, allowed: Sequence[str]) -> dict[str, Any]:
    scheme = "https" if secure else "http"
    return {
        "SECURE_SSL_REDIRECT": secure,
        "TRUSTED_PROXIES": (*LOCAL_PROXIES, *_words(os.environ.get("CROSSTABLE_PROXIES", ""))),
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if secure else None,
        "SECURE_HSTS_SECONDS": YEAR if secure else 0,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": secure,
        "SECURE_HSTS_PRELOAD": secure,
        "SECURE_REFERRER_POLICY": "same-origin",
        # a cookie with this prefix is bound to the host, and is never sent unencrypted
        "SESSION_COOKIE_NAME": "__Host-sessionid" if secure else "sessionid",
        "CSRF_COOKIE_NAME": "__Host-csrftoken" if secure else "csrftoken",
        "SESSION_COOKIE_SECURE": secure,
        "SESSION_COOKIE_HTTPONLY": True,
        "CSRF_COOKIE_SECURE": secure,
        "CSRF_TRUSTED_ORIGINS": [f"{scheme}://{host}" for host in allowed if host not in HERE],
        "CSRF_FAILURE_VIEW": "crosstable.web.errors.token_failed",
        "X_FRAME_OPTIONS": "DENY",
    }
