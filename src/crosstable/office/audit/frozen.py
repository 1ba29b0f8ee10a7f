"""Database triggers that refuse to change what must never change, for both databases."""

from __future__ import annotations

from collections.abc import Callable

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

Operation = Callable[[StateApps, BaseDatabaseSchemaEditor], None]


def refuse(table: str, change: str, message: str, when: str = "") -> Operation:
    """A migration step: `change` (UPDATE or DELETE) on `table` fails with `message` (`when` a condition holds)."""
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
