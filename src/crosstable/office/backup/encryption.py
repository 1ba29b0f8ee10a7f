"""A backup under a passphrase: scrypt makes the key, AES-256-GCM seals the file piece by piece.

Each piece has a nonce of its own, made of the file's random beginning, the piece's number and a mark on the last one.
A piece that was changed, moved, left out or cut off at the end does not open.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from crosstable.errors import OfficeError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC = b"crosstable-encrypted/1\n"
PIECE = 2**20
SALT, PREFIX, TAG = 16, 7, 16
#: scrypt's cost: 64 MiB and about a quarter of a second for each try
COST, BLOCK, PARALLEL = 2**16, 8, 1
SHORTEST = 12


class EncryptionProblem(OfficeError):
    """A passphrase that is too short, missing or wrong, or an encrypted file that was changed."""


def is_encrypted(file: BinaryIO) -> bool:
    """Whether the file begins as an encrypted backup does. It is left at its beginning."""
    found = file.read(len(MAGIC)) == MAGIC
    file.seek(0)
    return found


def encrypt(source: BinaryIO, target: BinaryIO, passphrase: str) -> None:
    """Write the source, encrypted, to the target."""
    if len(passphrase) < SHORTEST:
        raise EncryptionProblem(f"the passphrase has fewer than {SHORTEST} characters: choose a longer one")
    salt, prefix = os.urandom(SALT), os.urandom(PREFIX)
    target.write(MAGIC + salt + prefix)
    cipher = _cipher(passphrase, salt)
    for number, data, last in _pieces(source, PIECE):
        target.write(cipher.encrypt(_nonce(prefix, number, last), data, MAGIC))


def decrypt(source: BinaryIO, target: BinaryIO, passphrase: str) -> None:
    """Write the source, decrypted, to the target; raise EncryptionProblem if any of it was changed."""
    from cryptography.exceptions import InvalidTag

    if not passphrase:
        raise EncryptionProblem("the backup is encrypted: give its passphrase with --passphrase-file FILE")
    head = source.read(len(MAGIC) + SALT + PREFIX)
    salt, prefix = head[len(MAGIC) : -PREFIX], head[-PREFIX:]
    cipher = _cipher(passphrase, salt)
    for number, data, last in _pieces(source, PIECE + TAG):
        try:
            target.write(cipher.decrypt(_nonce(prefix, number, last), data, MAGIC))
        except InvalidTag:
            raise EncryptionProblem("the passphrase is wrong, or the encrypted backup was changed") from None


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return AESGCM(Scrypt(salt=salt, length=32, n=COST, r=BLOCK, p=PARALLEL).derive(passphrase.encode()))


def _nonce(prefix: bytes, number: int, last: bool) -> bytes:
    return prefix + struct.pack(">I?", number, last)


def _pieces(source: BinaryIO, size: int) -> Iterator[tuple[int, bytes, bool]]:
    """Yield (number, bytes, whether it is the last)."""
    number, data = 0, source.read(size)
    while True:
        after = source.read(size)
        yield number, data, not after
        if not after:
            return
        number, data = number + 1, after
