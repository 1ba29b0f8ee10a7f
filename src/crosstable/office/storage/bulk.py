"""Many rows at once, past the ORM: COPY on PostgreSQL, executemany on SQLite, always in the caller's transaction."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import polars as pl
from django.db import connection

CHUNK = 100_000

Schema = Mapping[str, Any]  # column → polars type


def _raw() -> Any:
    """Return the driver's own connection, inside Django's transaction."""
    connection.ensure_connection()
    return connection.connection


def _postgres() -> bool:
    return connection.vendor == "postgresql"


def rows(sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return a query's rows as the driver gives them. Placeholders are written %s."""
    with _raw().cursor() if _postgres() else _closing() as cursor:
        cursor.execute(sql if _postgres() else sql.replace("%s", "?"), tuple(parameters))
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def frame(sql: str, schema: Schema) -> pl.DataFrame:
    """Return a query without parameters as a table of these columns."""
    if _postgres():
        return _copy_out(sql, schema)
    with _closing() as cursor:
        cursor.execute(sql)
        parts = [_table(part, schema) for part in iter(lambda: cursor.fetchmany(CHUNK), [])]
    return pl.concat(parts) if parts else pl.DataFrame(schema=dict(schema))


def insert(table: str, data: pl.DataFrame) -> None:
    """All rows of `data` into a table; columns go by name."""
    if not len(data):
        return
    columns = ", ".join(f'"{name}"' for name in data.columns)
    if _postgres():
        with _raw().cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN (FORMAT csv)") as copy:
            for part in data.iter_slices(CHUNK):
                copy.write(part.write_csv(include_header=False).encode())
        return
    marks = ", ".join("?" * len(data.columns))
    with _closing() as cursor:
        for part in data.iter_slices(CHUNK):
            cursor.executemany(
                f"INSERT INTO {table} ({columns}) VALUES "  # noqa: S608  our own names and numbers
                f"({marks})",
                part.iter_rows(),
            )


def insert_rows(table: str, columns: Sequence[str], data: Iterable[Sequence[Any]]) -> None:
    """Insert rows with bytes in them, which CSV cannot hold."""
    names = ", ".join(f'"{name}"' for name in columns)
    if _postgres():
        with _raw().cursor() as cursor, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            for row in data:
                copy.write_row(row)
        return
    marks = ", ".join("?" * len(columns))
    with _closing() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} ({names}) VALUES "  # noqa: S608  our own names and numbers
            f"({marks})",
            data,
        )


def update(table: str, column: str, values: Mapping[int, Any]) -> None:
    """One column of many rows, by id."""
    if not values:
        return
    mark = "%s" if _postgres() else "?"
    pairs = [(value, key) for key, value in values.items()]
    with _raw().cursor() if _postgres() else _closing() as cursor:
        cursor.executemany(
            f'UPDATE {table} SET "{column}" = {mark} WHERE id = '  # noqa: S608  our own names and numbers
            f"{mark}",
            pairs,
        )


def delete(table: str, ids: Sequence[int]) -> None:
    """Rows by id."""
    if not ids:
        return
    if _postgres():
        with _raw().cursor() as cursor:
            cursor.execute(
                f"DELETE FROM {table} WHERE id = "  # noqa: S608  our own names and numbers
                "ANY(%s)",
                [list(ids)],
            )
        return
    with _closing() as cursor:
        cursor.executemany(
            f"DELETE FROM {table} WHERE id = "  # noqa: S608  our own names and numbers
            "?",
            ((one,) for one in ids),
        )


def among(column: str, values: Sequence[str]) -> tuple[str, Any]:
    """Return a condition that a column holds one of these texts, and its one parameter, however many texts there
    are.
    """
    if _postgres():
        return f"{column} = ANY(%s)", list(values)
    return f"{column} IN (SELECT value FROM json_each(%s))", json.dumps(list(values))  # noqa: S608  our own column


def numbers(values: Iterable[int]) -> str:
    """Whole numbers for an IN (…): ours, never text from outside."""
    return ",".join(map(str, map(int, values))) or "NULL"


def written_out(name: str, *columns: Sequence[int] | Sequence[str]) -> str:
    """Return a table for a FROM, with these as its columns `column1`, `column2`, …: ours, never text from outside.

    PostgreSQL takes arrays in half the time of a list of rows, and knows as well how many rows there are.
    """
    if _postgres():
        kinds = ["text" if isinstance(column[0], str) else "bigint" for column in columns]
        arrays = (f"'{{{','.join(map(str, column))}}}'::{kind}[]" for column, kind in zip(columns, kinds, strict=True))
        names = ", ".join(f"column{place}" for place in range(1, len(columns) + 1))
        return f"unnest({', '.join(arrays)}) AS {name}({names})"
    return f"(VALUES {', '.join(map(str, zip(*columns, strict=True)))}) AS {name}"


def joined_one(table: str, name: str, inner: str, which: str) -> str:
    """Return a JOIN with the one row of a table that is asked for in `which`, where the table is called `inner`.

    PostgreSQL takes the row as it finds it; SQLite, which knows no LATERAL, looks it up once more by its id.
    """
    if _postgres():
        return (
            f"JOIN LATERAL (SELECT * FROM {table} AS {inner} WHERE {which}) "  # noqa: S608  our own names and numbers
            f"AS {name} ON TRUE"
        )
    return (
        f"JOIN {table} AS {name} ON {name}.id = (SELECT {inner}.id FROM "  # noqa: S608  our own names and numbers
        f"{table} AS {inner} WHERE {which})"
    )


def next_ids(table: str, count: int) -> range:
    """So many new ids of a table. Afterwards call `ids_taken`."""
    first = int(rows(f"SELECT COALESCE(MAX(id), 0) + 1 FROM {table}")[0][0])  # noqa: S608  our own names and numbers
    return range(first, first + count)


def ids_taken(table: str) -> None:
    """Tell PostgreSQL's counter about ids that were given by hand; SQLite looks for itself."""
    if _postgres():
        rows(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT "  # noqa: S608  our own names and numbers
            f"COALESCE(MAX(id), 1) FROM {table}))"
        )


def analyze(*tables: str) -> None:
    """Tell the database's planner what these tables hold now; all of them where none is named.

    One table is for PostgreSQL alone: SQLite would read the whole table for it, and its plans do without.
    """
    if tables and not _postgres():
        return
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {', '.join(tables)}")


class _closing:  # noqa: N801  used as a word in a `with`, as contextlib's own
    """A SQLite cursor that closes itself."""

    def __enter__(self) -> Any:
        self.cursor = _raw().cursor()
        return self.cursor

    def __exit__(self, *problem: object) -> None:
        self.cursor.close()


def _copy_out(sql: str, schema: Schema) -> pl.DataFrame:
    with _raw().cursor() as cursor, cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT csv)") as copy:
        data = b"".join(bytes(part) for part in copy)
    if not data:
        return pl.DataFrame(schema=dict(schema))
    return pl.read_csv(io.BytesIO(data), has_header=False, new_columns=list(schema), schema=dict(schema))


def _table(part: Sequence[tuple[Any, ...]], schema: Schema) -> pl.DataFrame:
    columns: Iterator[tuple[Any, ...]] = zip(*part, strict=True)
    return pl.DataFrame(
        [
            pl.Series(name, column, dtype=kind, strict=False)
            for (name, kind), column in zip(schema.items(), columns, strict=True)
        ]
    )


def as_date(value: Any) -> date:
    """Return a date column of a row that was read past the ORM: SQLite gives text."""
    return date.fromisoformat(value) if isinstance(value, str) else value
