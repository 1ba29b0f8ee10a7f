"""Django, set up from a database URL and nothing else. The web office adds its own settings on top."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from crosstable.office.storage import database, mail_settings

APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "crosstable.office.ledger",
    "crosstable.office.audit",
    "crosstable.office.people",
    "crosstable.office.notices",
    "crosstable.office.requests",
    "crosstable.office.reports",
    "crosstable.office.jobs",
    "crosstable.office.lists",
    "crosstable.office.lab_reports",
    "crosstable.club",
]


def values(url: str) -> dict[str, Any]:
    """Return the settings of an office without a web side."""
    return {
        "DATABASES": {"default": database.parse(url)},
        "INSTALLED_APPS": list(APPS),
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        **mail_settings.values(),
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
    if hasattr(connections._connections, "default"):  # type: ignore[attr-defined]  # untyped
        del connections["default"]


def is_set_up() -> bool:
    """Whether `setup` has been called, so that the tables can be imported; by the web side's own settings too."""
    from django.apps import apps
    from django.conf import settings

    return settings.configured and apps.models_ready


def migrate() -> None:
    """Create the tables, or bring them up to date."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def migrated_or_as_found() -> Iterator[None]:
    """Migrate for what follows; if that fails, leave the database as it was found: without tables,
    or without its file.
    """
    from django.db import connection

    file = Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None
    was_there = file is None or file.exists()
    fresh = not connection.introspection.table_names()
    try:
        migrate()
        yield
    except BaseException:
        gone = fresh and _dropped(connection)
        if gone and file is not None and not was_there:
            connection.close()
            for suffix in ("", "-wal", "-shm", "-queue"):
                Path(f"{file}{suffix}").unlink(missing_ok=True)
        raise


def _dropped(connection: Any) -> bool:
    """Every table away again, of a database that had none, unless someone else has made an office in it meanwhile."""
    with connection.constraint_checks_disabled(), database.writing(), connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if "ledger_office" in tables:
            cursor.execute("SELECT COUNT(*) FROM ledger_office")
            if cursor.fetchone()[0]:
                return False
        functions = _trigger_functions(cursor, tables) if connection.vendor == "postgresql" else []
        tail = " CASCADE" if connection.vendor == "postgresql" else ""
        for table in tables:
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{tail}")
        for function in functions:
            cursor.execute(f"DROP FUNCTION {function}")
    return True


def _trigger_functions(cursor: Any, tables: list[str]) -> list[str]:
    """PostgreSQL keeps a trigger's function when its table goes."""
    cursor.execute(
        "SELECT DISTINCT t.tgfoid::regprocedure::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE NOT t.tgisinternal AND pg_table_is_visible(c.oid) AND c.relname = ANY(%s)",
        [tables],
    )
    return [row[0] for row in cursor.fetchall()]
