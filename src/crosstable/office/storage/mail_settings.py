"""Django's mail settings from environment variables. Without CROSSTABLE_MAIL no mail is ever sent.

CROSSTABLE_MAIL           smtp, console, file, or the dotted name of any Django mail backend
CROSSTABLE_MAIL_HOST      the mail server (localhost), CROSSTABLE_MAIL_PORT its port (25; 465 with tls)
CROSSTABLE_MAIL_USER      and CROSSTABLE_MAIL_PASSWORD, where it wants them
CROSSTABLE_MAIL_SECURITY  starttls or tls
CROSSTABLE_MAIL_FROM      the sender's address
CROSSTABLE_MAIL_FOLDER    where `file` puts mails
CROSSTABLE_ADDRESS        the office's own address, as in https://ratings.example: mails link to it
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

BACKENDS = "django.core.mail.backends"
NONE = f"{BACKENDS}.dummy.EmailBackend"
_SHORT = {"smtp": "smtp", "console": "console", "file": "filebased", "memory": "locmem", "": "dummy", "none": "dummy"}
#: A mail server that says nothing for so many seconds is given up
PATIENCE = 10


def values(environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what `office.storage.settings` adds for mail."""
    given = os.environ if environment is None else environment

    def said(name: str, default: str = "") -> str:
        return given.get(f"CROSSTABLE_MAIL{name}", "").strip() or default

    backend, security = said(""), said("_SECURITY").lower()
    short = _SHORT.get(backend.lower())
    port = said("_PORT", "465" if security == "tls" else "25")
    return {
        "EMAIL_BACKEND": f"{BACKENDS}.{short}.EmailBackend" if short else backend,
        "EMAIL_HOST": said("_HOST", "localhost"),
        "EMAIL_PORT": int(port) if port.isdecimal() else 25,
        "EMAIL_HOST_USER": said("_USER"),
        "EMAIL_HOST_PASSWORD": said("_PASSWORD"),
        "EMAIL_USE_TLS": security == "starttls",
        "EMAIL_USE_SSL": security == "tls",
        "EMAIL_TIMEOUT": PATIENCE,
        "EMAIL_FILE_PATH": said("_FOLDER") or None,
        "DEFAULT_FROM_EMAIL": said("_FROM", "office@localhost"),
        "OFFICE_ADDRESS": given.get("CROSSTABLE_ADDRESS", "").strip(),
    }


def configured() -> bool:
    """Whether mail goes anywhere."""
    from django.conf import settings

    return bool(settings.EMAIL_BACKEND != NONE)
