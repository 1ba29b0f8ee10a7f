"""A backup taken from either database restores into either, proves itself by replay, and refuses what does not agree."""

from __future__ import annotations

import io
import json
import stat
import threading
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from conftest import connect, disconnect
from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.log import head
from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.triggers import disarmed
from crosstable.office.audit.verify import verify
from crosstable.office.backup import BackupError, backup, restore
from crosstable.office.backup.archive import tables
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Player, RatingRow, Submission
from crosstable.office.lists import read
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.rating import run
from crosstable.office.storage.database import writing
from crosstable.office.storage.settings import migrated_or_as_found

pytestmark = pytest.mark.both_databases

CHIEF = Actor.installation()


def contents() -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table but the log's, as Django reads them."""
    return {
        model._meta.db_table: [
            tuple(bytes(value) if isinstance(value, memoryview) else value for value in row)
            for row in model._default_manager.order_by("pk").values_list()
        ]
        for model in tables()
        if model._meta.app_label != "audit"
    }


@pytest.mark.parametrize("target", ["the same kind", "the other kind"])
def test_what_was_saved_comes_back_row_for_row_and_proves_itself(
    small_office: str, spare: Callable[[], str], other: Callable[[], str], tmp_path: Path, target: str
) -> None:
    before, printed, ended = contents(), run.fingerprint(), head()
    saved = backup(CHIEF, tmp_path / "office.zip")
    assert saved.audit_head == str(ended)
    connect(spare() if target == "the same kind" else other())
    restored = restore(CHIEF, tmp_path / "office.zip")
    assert contents() == before
    assert restored.fingerprint == run.fingerprint() == printed
    assert verify(read.anchors()).ok
    assert AuditEntry.objects.get(seq=ended.count).hash == ended.hash
    assert run.compute(run.BEGINNING).nothing
    Player.objects.create(number="new")  # the counters go on where they were
    disconnect()


def test_only_the_owner_may_read_an_archive(office: str, tmp_path: Path) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    assert stat.S_IMODE((tmp_path / "office.zip").stat().st_mode) == 0o600
    assert not (tmp_path / "office.zip.part").exists()


def test_only_an_administrator_saves_and_restores(office: str, tmp_path: Path) -> None:
    officer = Actor("ada", Role.OFFICER)
    with pytest.raises(NotAllowedError):
        backup(officer, tmp_path / "office.zip")
    with pytest.raises(NotAllowedError):
        restore(officer, tmp_path / "office.zip")


def test_an_office_that_is_not_empty_is_never_overwritten(small_office: str, tmp_path: Path) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    with pytest.raises(BackupError, match="not empty"):
        restore(CHIEF, tmp_path / "office.zip")


def tampered(source: Path, table: str, change: Callable[[bytes], bytes], *, rehash: bool = False) -> Path:
    """The archive with another content of one table; with `rehash` by somebody who knows the format."""
    import hashlib

    out = source.with_name("tampered.zip")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(out, "w") as new:
        manifest = json.loads(old.read("manifest.json"))
        for name in old.namelist():
            data = old.read(name)
            if name == f"tables/{table}.jsonl":
                data = change(data)
                if rehash:
                    manifest["tables"][table]["sha256"] = hashlib.sha256(data).hexdigest()
            if name != "manifest.json":
                new.writestr(name, data)
        new.writestr("manifest.json", json.dumps(manifest))
    return out


def test_a_damaged_archive_leaves_nothing_behind(small_office: str, spare: Callable[[], str], tmp_path: Path) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    bad = tampered(tmp_path / "office.zip", "ledger_player", lambda data: data.replace(b"OH", b"NY", 1))
    connect(spare())
    with pytest.raises(BackupError, match="damaged or changed"):
        restore(CHIEF, bad)
    assert not Player.objects.exists()
    restore(CHIEF, tmp_path / "office.zip")  # the next run just works


def test_ratings_that_do_not_follow_from_the_results_are_refused(
    small_office: str, spare: Callable[[], str], tmp_path: Path
) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    post = repr(RatingRow.objects.order_by("-position").values_list("post", flat=True)[0]).encode()
    forged = tampered(
        tmp_path / "office.zip", "ledger_ratingrow", lambda data: data.replace(post, b"2801.5"), rehash=True
    )
    connect(spare())
    with pytest.raises(BackupError, match="do not follow from the results"):
        restore(CHIEF, forged)
    assert not RatingRow.objects.exists()


def test_a_changed_log_or_list_is_refused(small_office: str, spare: Callable[[], str], tmp_path: Path) -> None:
    with disarmed("audit_auditentry"):
        AuditEntry.objects.filter(seq=5).update(actor="somebody else")
    backup(CHIEF, tmp_path / "office.zip")
    connect(spare())
    with pytest.raises(BackupError, match="entry 5 was changed"):
        restore(CHIEF, tmp_path / "office.zip")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b"hello"])
def test_a_file_that_is_no_archive_is_named(office: str, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "some.zip").write_bytes(data)
    with pytest.raises(BackupError, match=r"some\.zip cannot be read"):
        restore(CHIEF, tmp_path / "some.zip")


def test_a_backup_sees_one_moment_while_others_write(office: str, spare: Callable[[], str], tmp_path: Path) -> None:
    """Each writer adds two rows at once; no archive ever holds an odd number of them."""
    stop = threading.Event()

    def work() -> None:
        number = 0
        while not stop.is_set():
            with writing():
                for half in ("a", "b"):
                    Submission.objects.create(
                        file_name=f"{number}{half}", data=b"x" * 500, sha256="", outcome="same", author="t"
                    )
            number += 1
        disconnect()

    writer = threading.Thread(target=work)
    writer.start()
    try:
        counts = []
        for n in range(8):
            backup(CHIEF, tmp_path / f"{n}.zip")
            with zipfile.ZipFile(tmp_path / f"{n}.zip") as archive:
                counts.append(json.loads(archive.read("manifest.json"))["tables"]["ledger_submission"]["rows"])
    finally:
        stop.set()
        writer.join()
    assert all(count % 2 == 0 for count in counts)
    assert counts == sorted(counts)
    assert Submission.objects.count() >= counts[-1]


def everything() -> list[tuple[object, ...]]:
    """Tables, functions and triggers of this database."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, type FROM sqlite_master WHERE name NOT LIKE 'sqlite_%%'"
            if connection.vendor == "sqlite"
            else "SELECT c.relname::text, c.relkind::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace "
            "UNION ALL SELECT proname::text, 'f' FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        )
        found: list[tuple[object, ...]] = cursor.fetchall()
        return found


def test_a_failed_restore_leaves_the_database_as_it_was_found(
    small_office: str, untouched: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    bad = tampered(tmp_path / "office.zip", "ledger_player", lambda data: data.replace(b"OH", b"NY", 1))
    db = ("office", "--db", untouched)
    for archive in (bad, tmp_path / "there is no such file.zip"):
        assert main([*db, "restore", str(archive)]) == 1
        if untouched.startswith("sqlite"):
            assert list(tmp_path.glob("untouched*")) == []
        else:
            assert everything() == []
    capsys.readouterr()
    for words in (["review"], ["lists"], ["players", "add", "7"], ["players", "show", "7"], ["submit", str(bad)]):
        assert main([*db, *words]) == 1
        assert "there is no office" in capsys.readouterr().err
    assert everything() == []
    assert main([*db, "restore", str(tmp_path / "office.zip")]) == 0  # the next run just works
    assert main([*db, "restore", str(tmp_path / "office.zip")]) == 1  # and one too many takes nothing away
    assert Player.objects.exists()


def test_tables_without_an_office_take_no_players(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As a restore that was killed leaves them."""
    officer = Actor("ada", Role.OFFICER)
    with pytest.raises(OfficeError, match="no office"):
        players.add(officer, "7")
    with pytest.raises(OfficeError, match="no office"):
        players.import_list(officer, io.BytesIO(b"id,name\n7,K\n"), date(2025, 8, 1))
    for words in (["review"], ["lists"], ["players", "add", "7"], ["trace", "1", "1", "7", "OTBR"]):
        assert main(["office", "--db", office, *words]) == 1
        assert "there is no office" in capsys.readouterr().err
    assert not Player.objects.exists()


def test_a_restore_that_fails_late_keeps_an_office_that_somebody_else_made_meanwhile(untouched: str) -> None:
    def late() -> None:
        with migrated_or_as_found():
            office_settings.create()
            raise BackupError("too late")

    connect(untouched)
    with pytest.raises(BackupError, match="too late"):
        late()
    assert office_settings.office().id == 1
