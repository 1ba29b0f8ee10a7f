"""Heads of the log that were kept outside the database: in a backup, on a published list, or in any text file."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Collection
from pathlib import Path

from crosstable.office.audit import signatures
from crosstable.office.audit.log import AuditError, Head
from crosstable.office.backup import archive, encryption

_HEAD = re.compile(r"(?<![\w:])\d{1,12}:[0-9a-f]{64}(?!\w)")
#: So much of a text file is looked through
_LONGEST = 2**20


def anchor_in(path: Path, passphrase: str = "", trusted: Collection[str] = ()) -> Head:
    """Return the head that a file holds. A signature beside it must fit, and a backup must have one."""
    with path.open("rb") as file:
        is_archive = encryption.is_encrypted(file) or zipfile.is_zipfile(file)
        file.seek(0)
        text = "" if is_archive else file.read(_LONGEST).decode(errors="replace")
    if is_archive:
        with archive.opened(path, passphrase) as opened:
            return Head.parse(archive.signed_manifest(opened, trusted)["audit_head"])
    found = _HEAD.search(text)
    if found is None:
        raise AuditError(f"{path.name} holds no head of the log, such as 1234:9f86d0…, as lists and backups print it")
    if signature := signatures.SIGNATURE.search(text):
        signatures.check(signatures.HEAD, found[0], signature[0], trusted)
    return Head.parse(found[0])


def signed_head(head: Head) -> str:
    """Return a head with its signature, on one line, to be kept elsewhere."""
    return f"{head} {signatures.sign(signatures.HEAD, str(head))}"
