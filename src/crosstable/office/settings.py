"""Django, set up from a database URL and nothing else. The web office adds its own settings on top."""

from __future__ import annotations

from typing import Any

from crosstable.office import database

APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "crosstable.office.ledger",
    "crosstable.office.audit",
    "crosstable.office.people",
    "crosstable.office.lists",
]


def values(url: str) -> dict[str, Any]:
    """The settings of an office without a web side."""
    return {
        "DATABASES": {"default": database.parse(url)},
        "INSTALLED_APPS": list(APPS),
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "SECRET_KEY": "the office without its web side signs nothing",
        "PASSWORD_HASHERS": [
            "django.contrib.auth.hashers.Argon2PasswordHasher",
            "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        ],
    }


def setup(url: str | None = None) -> None:
    """Point the office at a database. May be called again with another one (tests, backup, restore)."""
    import django
    from django.conf import settings
    from django.db import connections

    wanted = database.chosen(url)
    if not settings.configured:
        settings.configure(**values(wanted))
        django.setup()
        return
    parsed = connections.configure_settings({"default": database.parse(wanted)})
    if parsed["default"]["NAME"] == connections.settings["default"]["NAME"] and (
        parsed["default"]["HOST"] == connections.settings["default"]["HOST"]
    ):
        return
    connections.close_all()
    connections.settings = parsed
    if hasattr(connections._connections, "default"):  # type: ignore[attr-defined]
        del connections["default"]


def migrate() -> None:
    """Create the tables, or bring them up to date."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
