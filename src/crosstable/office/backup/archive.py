"""Backup while the office is in use, and a restore that proves itself.

An archive holds every table as of one moment, in a form that both databases read, with a hash for each table and one
over all ratings. A restore fills an empty, migrated database of either kind in one transaction, then computes every
rating anew from the results, verifies the audit log and the published lists, and keeps nothing unless all of it agrees.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, connections, models
from django.db.migrations.recorder import MigrationRecorder

from crosstable.errors import CrosstableError
from crosstable.office.audit import signatures
from crosstable.office.audit.log import head, record
from crosstable.office.audit.models import AuditHead
from crosstable.office.backup import encryption
from crosstable.office.backup.proof import verify_all
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import run
from crosstable.office.storage import bulk, clock
from crosstable.office.storage.database import writing

# Rows of the office's tables in one form for both databases: what a backup holds.
#
# A row is a JSON array in the order of the model's columns: dates and times as ISO text in UTC, bytes as base64, JSON
# as itself, numbers to their last bit.

#: Apps whose tables a backup holds, each after those it refers to. Django's own bookkeeping comes with `migrate`.
APPS = (
    "auth",
    "people",
    "notices",
    "ledger",
    "requests",
    "jobs",
    "lists",
    "reports",
    "club",
    "drafts",
    "audit",
)
_LEFT_OUT = ("auth_permission", "auth_group")

Convert = Callable[[Any], Any]


def tables() -> list[type[models.Model]]:
    """Return the models whose rows make up an office."""
    found = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    return [model for model in found if model._meta.db_table not in _LEFT_OUT]


def table_columns(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


def to_line(model: type[models.Model]) -> Callable[[Sequence[Any]], bytes]:
    """Turn a row, as either driver gives it, into a line."""
    converts = [_OUT.get(kind) for kind in _kinds(model)]

    def line(row: Sequence[Any]) -> bytes:
        values = [
            value if convert is None or value is None else convert(value)
            for value, convert in zip(row, converts, strict=True)
        ]
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode() + b"\n"

    return line


def from_lines(model: type[models.Model], lines: Iterator[bytes], vendor: str) -> Iterator[list[Any]]:
    """Yield the rows of these lines, as the database of that vendor takes them."""
    incoming = _IN | (_IN_SQLITE if vendor == "sqlite" else {})
    converts = [incoming.get(kind) for kind in _kinds(model)]
    for line in lines:
        yield [
            value if convert is None or value is None else convert(value)
            for value, convert in zip(json.loads(line), converts, strict=True)
        ]


def _kinds(model: type[models.Model]) -> list[str]:
    return [field.get_internal_type() for field in model._meta.concrete_fields]


def _stored_moment(value: Any) -> str:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="microseconds")


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _naive(text: str) -> str:
    """Return a moment as Django keeps it in SQLite: UTC without saying so, and no zeros after the second."""
    return str(datetime.fromisoformat(text).replace(tzinfo=None))


_OUT: dict[str, Convert] = {
    "BooleanField": bool,
    "DateField": lambda value: str(value)[:10],
    "DateTimeField": _stored_moment,
    "JSONField": lambda value: json.loads(value) if isinstance(value, str | bytes) else value,
    "BinaryField": lambda value: base64.b64encode(bytes(value)).decode(),
}
_IN: dict[str, Convert] = {"JSONField": _json_text, "BinaryField": base64.b64decode}
_IN_SQLITE: dict[str, Convert] = {"DateTimeField": _naive}


FORMAT = "crosstable-backup/1"
MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
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


def backup(actor: Actor, path: Path, passphrase: str = "") -> Saved:
    """Save everything as of one moment, signed; writers go on meanwhile. With a passphrase it is encrypted.

    Only the owner may read the file: it holds birth dates.
    """
    require(actor, "backup.make")
    part, plain = (path.with_name(f"{path.name}.{suffix}") for suffix in ("part", "plain"))
    try:
        with _moment() as source, _owners_only(plain if passphrase else part) as file:
            manifest = _write_archive(source, file)
        if passphrase:
            with plain.open("rb") as readable, _owners_only(part) as sealed:
                encryption.encrypt(readable, sealed, passphrase)
        os.replace(part, path)
    finally:
        plain.unlink(missing_ok=True)
        part.unlink(missing_ok=True)
    problems = verify_all(ratings=False).problems
    rows = sum(table["rows"] for table in manifest["tables"].values())
    with writing():
        record(actor.name, "backup.make", f"backup:{path.name}", "", {"rows": rows, "head": manifest["audit_head"]})
    return Saved(path, rows, manifest["audit_head"], problems)


def restore(actor: Actor, path: Path, passphrase: str = "", trusted: Collection[str] = ()) -> Restored:
    """Load an archive into this empty database: all of it and proved, or nothing.

    `trusted`: keys that may have signed.
    """
    require(actor, "backup.restore")
    try:
        with opened(path, passphrase) as archive:
            manifest = signed_manifest(archive, trusted)
            with writing():
                _refuse_unless_empty()
                _refuse_other_tables(manifest)
                rows = sum(_load(archive, model, manifest) for model in tables())
                printed = _prove(manifest)
                details = {"rows": rows, "saved_at": manifest["saved_at"], "head": manifest["audit_head"]}
                record(actor.name, "backup.restore", f"backup:{path.name}", "", details)
                return Restored(rows, printed, str(head()))
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, OSError) as error:
        raise BackupError(f"{path.name} cannot be read as a backup: {error}") from error


@contextmanager
def opened(path: Path, passphrase: str = "") -> Iterator[zipfile.ZipFile]:
    """Open an archive; an encrypted one in a file of its own that is gone afterwards."""
    with path.open("rb") as file:
        if not encryption.is_encrypted(file):
            with zipfile.ZipFile(file) as archive:
                yield archive
            return
        with tempfile.TemporaryFile() as plain:
            encryption.decrypt(file, plain, passphrase)
            with zipfile.ZipFile(plain) as archive:
                yield archive


@contextmanager
def _moment() -> Iterator[Any]:
    """Open a connection that sees the database at one moment: a snapshot on both, that keeps no writer waiting."""
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
        for model in tables():
            digest, count, line = hashlib.sha256(), 0, to_line(model)
            with archive.open(_member(model), "w", force_zip64=True) as out:
                for row in _rows(source, model):
                    data = line(row)
                    digest.update(data)
                    out.write(data)
                    count += 1
            columns = table_columns(model)
            held[model._meta.db_table] = {"columns": columns, "rows": count, "sha256": digest.hexdigest()}
        manifest = {
            "format": FORMAT,
            "saved_at": clock.stamp(),
            "migrations": _migrations(source),
            "audit_head": _head(source),
            "tables": held,
        }
        text = json.dumps(manifest, indent=1)
        archive.writestr(MANIFEST, text)
        archive.writestr(SIGNATURE, signatures.sign(signatures.BACKUP, text))
    return manifest


def _rows(source: Any, model: type[models.Model]) -> Iterator[tuple[Any, ...]]:
    quoted = ", ".join(f'"{column}"' for column in table_columns(model))
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
    return sorted(f"{app}.{name}" for app, name in names if app in APPS)


def _head(source: Any) -> str:
    count, digest = source.connection.execute("SELECT count, hash FROM audit_audithead WHERE id = 1").fetchone()
    return f"{count}:{digest}"


def _member(model: type[models.Model]) -> str:
    return f"tables/{model._meta.db_table}.jsonl"


def signed_manifest(archive: zipfile.ZipFile, trusted: Collection[str] = ()) -> dict[str, Any]:
    """Return what the archive says of itself, signed by this installation or by a trusted key."""
    text = archive.read(MANIFEST).decode()
    manifest: dict[str, Any] = json.loads(text)
    if manifest.get("format") != FORMAT:
        raise BackupError(f"this archive is a {manifest.get('format')!r}, not a {FORMAT!r}")
    signature = archive.read(SIGNATURE).decode() if SIGNATURE in archive.namelist() else ""
    try:
        signatures.check(signatures.BACKUP, text, signature, trusted)
    except signatures.SignatureProblem as problem:
        raise BackupError(f"the backup cannot be trusted: {problem}") from problem
    return manifest


def _refuse_unless_empty() -> None:
    for model in tables():
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

    rows = from_lines(model, lines(), connection.vendor)
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
    """Recompute every rating and compare; read the log from end to end; look at every published list."""
    if str(head()) != manifest["audit_head"]:
        raise BackupError(f"the log ends at {head()}, the archive says {manifest['audit_head']}")
    if problems := verify_all(ratings=False).problems:
        raise BackupError("; ".join(problems))
    saved = run.fingerprint()
    if manifest["tables"]["ledger_office"]["rows"]:
        outcome = run.compute(run.BEGINNING)
        if not outcome.nothing:
            changed = len(outcome.added) + len(outcome.removed)
            raise BackupError(f"the ratings do not follow from the results: {changed} rows differ after a replay")
    return saved
