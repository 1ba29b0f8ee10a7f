"""Database triggers that refuse to change what must never change, for both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

Operation = Callable[[StateApps, BaseDatabaseSchemaEditor], None]


def refuse(table: str, change: str, message: str, when: str = "") -> Operation:
    """Make a migration step: `change` (UPDATE or DELETE) on `table` fails with `message` (`when` a condition holds)."""
    name = f"{table}_no_{change.lower()}"
    condition = f"WHEN ({when})" if when else ""

    def install(_: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
        if schema_editor.connection.vendor == "postgresql":
            function = (
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                f"$body$ BEGIN RAISE EXCEPTION '{message}'; END $body$"
            )
            schema_editor.execute(function)
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE {change} ON {table} FOR EACH ROW {condition} EXECUTE FUNCTION {name}()"
            )
            if change == "DELETE":
                schema_editor.execute(f"CREATE TRIGGER {name}_all BEFORE TRUNCATE ON {table} EXECUTE FUNCTION {name}()")
        else:
            schema_editor.execute(
                f"CREATE TRIGGER {name} BEFORE {change} ON {table} {condition} "
                f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )

    return install


@contextmanager
def disarmed(table: str) -> Iterator[None]:
    """Without the table's triggers: for tests that play the intruder. Anyone who can do this owns the database."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            yield
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table])
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _, sql in triggers:
            cursor.execute(sql)
