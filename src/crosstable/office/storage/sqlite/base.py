"""The connection. Django looks for a backend's class in a module of this name."""

from __future__ import annotations

from typing import Any

from django.db.backends.sqlite3 import base

from crosstable.office.storage.database import owners_only


class DatabaseWrapper(base.DatabaseWrapper):
    """Anyone who connects first makes the file."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        owners_only(conn_params["database"])
        return super().get_new_connection(conn_params)
