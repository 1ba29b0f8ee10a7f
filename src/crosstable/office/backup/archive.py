"""Backup while the office is in use, and a restore that proves itself.

An archive holds every table as of one moment, in a form that both databases read, with a hash for each table and one over
all ratings. A restore fills an empty, migrated database of either kind in one transaction, then computes every rating
anew from the results, verifies the audit log and the published lists, and keeps nothing unless all of it agrees.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from django.db import connection, connections, models
from django.db.migrations.recorder import MigrationRecorder

from crosstable.errors import CrosstableError
from crosstable.office.audit.log import head, record
from crosstable.office.audit.models import AuditHead
from crosstable.office.backup.verification import verify_all
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import run
from crosstable.office.storage import bulk, clock, table_rows
from crosstable.office.storage.database import writing

FORMAT = "crosstable-backup/1"
MANIFEST = "manifest.json"
FETCH = 2000


class BackupError(CrosstableError):
    """An archive that cannot be written, read or believed."""


@dataclass(frozen=True, slots=True)
class Saved:
    path: Path
    rows: int
    audit_head: str
    problems: tuple[str, ...] = ()  # why a restore will refuse it; even so it is better to have than nothing


@dataclass(frozen=True, slots=True)
class Restored:
    rows: int
    fingerprint: str  # over all ratings: as they were saved, and as they were computed anew
    audit_head: str


def backup(actor: Actor, path: Path) -> Saved:
    """Everything, as of one moment; writers go on meanwhile. Only the owner may read the file: it holds birth dates."""
    require(actor, "backup.make")
    part = path.with_name(path.name + ".part")
    with _moment() as source, _owners_only(part) as file:
        manifest = _write_archive(source, file)
    os.replace(part, path)
    problems = verify_all().problems
    rows = sum(table["rows"] for table in manifest["tables"].values())
    with writing():
        record(actor.name, "backup.make", f"backup:{path.name}", "", {"rows": rows, "head": manifest["audit_head"]})
    return Saved(path, rows, manifest["audit_head"], problems)


def restore(actor: Actor, path: Path) -> Restored:
    """An archive into this empty database: all of it and proved, or nothing."""
    require(actor, "backup.restore")
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive)
            with writing():
                _refuse_unless_empty()
                _refuse_other_tables(manifest)
                rows = sum(_load(archive, model, manifest) for model in table_rows.tables())
                printed = _prove(manifest)
                details = {"rows": rows, "saved_at": manifest["saved_at"], "head": manifest["audit_head"]}
                record(actor.name, "backup.restore", f"backup:{path.name}", "", details)
                return Restored(rows, printed, str(head()))
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, OSError) as error:
        raise BackupError(f"{path.name} cannot be read as a backup: {error}") from error


@contextmanager
def _moment() -> Iterator[Any]:
    """A connection of its own on which the database stands still: a snapshot on both, that keeps no writer waiting."""
    own = connections.create_connection("default")
    try:
        own.connect()
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if own.vendor == "postgresql" else "BEGIN DEFERRED"
        own.connection.execute(begin)
        yield own
        own.connection.execute("ROLLBACK")
    finally:
        own.close()


@contextmanager
def _owners_only(path: Path) -> Iterator[Any]:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _write_archive(source: Any, file: Any) -> dict[str, Any]:
    held: dict[str, Any] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for model in table_rows.tables():
            digest, count, line = hashlib.sha256(), 0, table_rows.to_line(model)
            with archive.open(_member(model), "w", force_zip64=True) as out:
                for row in _rows(source, model):
                    data = line(row)
                    digest.update(data)
                    out.write(data)
                    count += 1
            columns = table_rows.columns(model)
            held[model._meta.db_table] = {"columns": columns, "rows": count, "sha256": digest.hexdigest()}
        manifest = {
            "format": FORMAT,
            "saved_at": clock.stamp(),
            "migrations": _migrations(source),
            "audit_head": _head(source),
            "tables": held,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return manifest


def _rows(source: Any, model: type[models.Model]) -> Iterator[tuple[Any, ...]]:
    quoted = ", ".join(f'"{column}"' for column in table_rows.columns(model))
    key = model._meta.pk.column if model._meta.pk else "id"
    sql = f'SELECT {quoted} FROM "{model._meta.db_table}" ORDER BY "{key}"'  # noqa: S608  our own names and numbers
    raw = source.connection
    cursor = raw.cursor(name="office_backup") if source.vendor == "postgresql" else raw.cursor()
    try:
        cursor.execute(sql)
        yield from chain.from_iterable(iter(lambda: cursor.fetchmany(FETCH), []))
    finally:
        cursor.close()


def _migrations(source: Any) -> list[str]:
    names = MigrationRecorder(source).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in names if app in table_rows.APPS)


def _head(source: Any) -> str:
    count, digest = source.connection.execute("SELECT count, hash FROM audit_audithead WHERE id = 1").fetchone()
    return f"{count}:{digest}"


def _member(model: type[models.Model]) -> str:
    return f"tables/{model._meta.db_table}.jsonl"


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
    if manifest.get("format") != FORMAT:
        raise BackupError(f"this archive is a {manifest.get('format')!r}, not a {FORMAT!r}")
    return manifest


def _refuse_unless_empty() -> None:
    for model in table_rows.tables():
        if model is not AuditHead and model._default_manager.exists():
            raise BackupError(f"this database is not empty ({model._meta.db_table}): restore into a new one")


def _refuse_other_tables(manifest: dict[str, Any]) -> None:
    here = _migrations(connection)
    if manifest["migrations"] != here:
        differ = ", ".join(sorted(set(manifest["migrations"]) ^ set(here)))
        raise BackupError(f"the archive was made by another version of Crosstable; the tables differ in: {differ}")


def _load(archive: zipfile.ZipFile, model: type[models.Model], manifest: dict[str, Any]) -> int:
    """One table; its lines must be those that were written."""
    table = model._meta.db_table
    entry = manifest["tables"][table]
    digest, count = hashlib.sha256(), 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        with archive.open(_member(model)) as file:
            for line in file:
                digest.update(line)
                count += 1
                yield line

    rows = table_rows.from_lines(model, lines(), connection.vendor)
    if model is AuditHead:
        for number, entries, last in rows:
            AuditHead.objects.filter(id=number, count__lt=entries).update(count=entries, hash=last)
    else:
        bulk.insert_rows(table, entry["columns"], rows)
    if (digest.hexdigest(), count) != (entry["sha256"], entry["rows"]):
        raise BackupError(f"{table}: the archive was damaged or changed")
    if any(isinstance(field, models.AutoField) for field in model._meta.concrete_fields):
        bulk.ids_taken(table)
    return count


def _prove(manifest: dict[str, Any]) -> str:
    """Compute every rating anew and compare; read the log from end to end; look at every published list."""
    if str(head()) != manifest["audit_head"]:
        raise BackupError(f"the log ends at {head()}, the archive says {manifest['audit_head']}")
    if problems := verify_all().problems:
        raise BackupError("; ".join(problems))
    saved = run.fingerprint()
    if manifest["tables"]["ledger_office"]["rows"]:
        outcome = run.compute(run.BEGINNING)
        if not outcome.nothing:
            changed = len(outcome.added) + len(outcome.removed)
            raise BackupError(f"the ratings do not follow from the results: {changed} rows differ after a replay")
    return saved
