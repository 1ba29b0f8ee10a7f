"""Signatures over heads of the log and over backups, with a key that the database does not hold.

A person who can write the database can also rewrite the log and its head. The signing key is a file of its own
(CROSSTABLE_SIGNING_KEY, by default in the state folder of the person who runs the office), so a signed head that lies
elsewhere, in a backup or on a published list, still tells what the log once said.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crosstable.errors import OfficeError
from crosstable.office.storage import secret_files

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VARIABLE = "CROSSTABLE_SIGNING_KEY"
#: As it is written: the public key and the signature, each in base64 without padding
SIGNATURE = re.compile(r"ed25519:([\w-]{43}):([\w-]{86})(?![\w-])")
#: What is signed begins with what it is, so that no signature can serve for something else
HEAD, BACKUP = "crosstable head 1", "crosstable backup 1"


class SignatureProblem(OfficeError):
    """A signature that does not fit, or one by a key that is not known here."""


class Signature(NamedTuple):
    key: str
    value: str

    def __str__(self) -> str:
        return f"ed25519:{self.key}:{self.value}"


def sign(kind: str, text: str) -> str:
    """Sign a text with this installation's key, which is made when it is first needed."""
    key = _private_key()
    public = _text(key.public_key().public_bytes_raw())
    return str(Signature(public, _text(key.sign(_message(kind, text)))))


def public_key() -> str:
    """Return the key by which others can check: to be written down outside the server."""
    return _text(_private_key().public_key().public_bytes_raw())


def check(kind: str, text: str, signature: str, trusted: Collection[str] = ()) -> None:
    """Raise SignatureProblem unless the text was signed by this installation or by a trusted key."""
    found = SIGNATURE.fullmatch(signature.strip())
    if found is None:
        raise SignatureProblem("the signature is missing or cannot be read")
    if not fits(kind, text, signature):
        raise SignatureProblem("the signature does not match: what was signed has been changed")
    key = found[1]
    if key not in trusted and key != _known_key():
        raise SignatureProblem(
            f"it was signed with the key {key}, which this installation does not know: compare it with the key that "
            f"`office audit head` printed where the office ran, and add --key {key} if it is the same"
        )


def fits(kind: str, text: str, signature: str) -> bool:
    """Whether the text was signed by the key that the signature names, known or not."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    found = SIGNATURE.fullmatch(signature.strip())
    if found is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(_bytes(found[1])).verify(_bytes(found[2]), _message(kind, text))
    except (InvalidSignature, ValueError):
        return False
    return True


def _message(kind: str, text: str) -> bytes:
    return f"{kind}\n{text}".encode()


def _file() -> Path:
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else secret_files.state_folder() / "signing-key"


def _known_key() -> str:
    """Return the known key. Checking makes no key: where there is none, only trusted ones count."""
    return public_key() if _file().exists() else ""


def _private_key() -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    text = secret_files.kept(_file(), lambda: _text(Ed25519PrivateKey.generate().private_bytes_raw()))
    try:
        return Ed25519PrivateKey.from_private_bytes(_bytes(text.strip()))
    except ValueError as error:
        raise OfficeError(f"{_file()} is not a signing key: restore the file, or remove it for a new key") from error


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
