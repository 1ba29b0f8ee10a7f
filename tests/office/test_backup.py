"""A backup taken from either database restores into either, proves itself by replay, and refuses what does not
agree.
"""

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
from crosstable.office.audit import signatures
from crosstable.office.audit.log import Head, head
from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.triggers import disarmed
from crosstable.office.audit.verify import verify
from crosstable.office.backup import BackupError, backup, encryption, restore
from crosstable.office.backup.anchors import anchor_in
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


def tampered(
    source: Path, table: str, change: Callable[[bytes], bytes], *, rehash: bool = False, sign: bool = True
) -> Path:
    """The archive with another content of one table; with `rehash` by an attacker who knows the format, and who has
    the key, unless `sign` is false.
    """
    import hashlib

    out = source.with_name("tampered.zip")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(out, "w") as new:
        text = old.read("manifest.json").decode()
        manifest = json.loads(text)
        for name in old.namelist():
            data = old.read(name)
            if name == f"tables/{table}.jsonl":
                data = change(data)
                if rehash:
                    manifest["tables"][table]["sha256"] = hashlib.sha256(data).hexdigest()
            if name not in ("manifest.json", "manifest.sig"):
                new.writestr(name, data)
        signed = json.dumps(manifest) if rehash else text
        new.writestr("manifest.json", signed)
        new.writestr("manifest.sig", signatures.sign(signatures.BACKUP, signed if sign else text))
    return out


def test_a_damaged_archive_leaves_nothing_behind(small_office: str, spare: Callable[[], str], tmp_path: Path) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    bad = tampered(tmp_path / "office.zip", "ledger_player", lambda data: data.replace(b"OH", b"NY", 1))
    connect(spare())
    with pytest.raises(BackupError, match="damaged or changed"):
        restore(CHIEF, bad)
    assert not Player.objects.exists()
    restore(CHIEF, tmp_path / "office.zip")  # the next run just works


def test_a_backup_that_was_changed_without_the_key_is_refused(
    small_office: str, spare: Callable[[], str], tmp_path: Path
) -> None:
    """Every hash in it fits; only the signature does not."""
    backup(CHIEF, tmp_path / "office.zip")
    forged = tampered(
        tmp_path / "office.zip",
        "ledger_player",
        lambda data: data.replace(b"OH", b"NY", 1),
        rehash=True,
        sign=False,
    )
    connect(spare())
    with pytest.raises(BackupError, match="the signature does not match"):
        restore(CHIEF, forged)
    assert not Player.objects.exists()


def test_a_backup_of_another_installation_needs_its_key(
    small_office: str, spare: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    key = signatures.public_key()
    connect(spare())
    monkeypatch.setenv(signatures.VARIABLE, str(tmp_path / "another key"))
    with pytest.raises(BackupError, match=f"signed with the key {key}, which this installation does not know"):
        restore(CHIEF, tmp_path / "office.zip")
    restore(CHIEF, tmp_path / "office.zip", trusted=[key])


def test_a_backup_without_a_signature_is_refused(small_office: str, spare: Callable[[], str], tmp_path: Path) -> None:
    backup(CHIEF, tmp_path / "office.zip")
    with zipfile.ZipFile(tmp_path / "office.zip") as old, zipfile.ZipFile(tmp_path / "bare.zip", "w") as new:
        for name in old.namelist():
            if name != "manifest.sig":
                new.writestr(name, old.read(name))
    connect(spare())
    with pytest.raises(BackupError, match="the signature is missing"):
        restore(CHIEF, tmp_path / "bare.zip")


def test_an_encrypted_backup_opens_with_its_passphrase_only(
    small_office: str, spare: Callable[[], str], tmp_path: Path
) -> None:
    path, words = tmp_path / "office.zip", "seven bishops at noon"
    before, printed = contents(), run.fingerprint()
    backup(CHIEF, path, words)
    data = path.read_bytes()
    assert data.startswith(encryption.MAGIC)
    assert list(tmp_path.glob("office.zip?*")) == []  # nothing readable is left beside it
    assert anchor_in(path, words) == Head.parse(AuditEntry.objects.get(action="backup.make").details.split('"')[3])
    connect(spare())
    for passphrase, problem in (("", "give its passphrase"), ("seven bishops at one", "the passphrase is wrong")):
        with pytest.raises(encryption.EncryptionProblem, match=problem):
            restore(CHIEF, path, passphrase)
    for changed in (data[:-1], data[:200] + bytes([data[200] ^ 1]) + data[201:]):
        (tmp_path / "changed.zip").write_bytes(changed)
        with pytest.raises(encryption.EncryptionProblem, match="was changed"):
            restore(CHIEF, tmp_path / "changed.zip", words)
    assert restore(CHIEF, path, words).fingerprint == printed
    assert contents() == before


def test_the_pieces_of_an_encrypted_file_cannot_be_moved_or_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encryption, "PIECE", 10)
    words, plain = "seven bishops at noon", b"0123456789abcdefghijABCDEFGHIJ"
    sealed = io.BytesIO()
    encryption.encrypt(io.BytesIO(plain), sealed, words)
    head, size = len(encryption.MAGIC) + encryption.SALT + encryption.PREFIX, 10 + encryption.TAG
    data = sealed.getvalue()
    pieces = [data[head + size * at : head + size * (at + 1)] for at in range(3)]
    again = io.BytesIO()
    encryption.decrypt(io.BytesIO(data), again, words)
    assert again.getvalue() == plain
    for order in ((1, 0, 2), (0, 1), (0, 2), (0, 1, 2, 2)):
        changed = data[:head] + b"".join(pieces[at] for at in order)
        with pytest.raises(encryption.EncryptionProblem, match="was changed"):
            encryption.decrypt(io.BytesIO(changed), io.BytesIO(), words)


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
            else (
                "SELECT c.relname::text, c.relkind::text FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace "
                "UNION ALL SELECT proname::text, 'f' FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            )
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
