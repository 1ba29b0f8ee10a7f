"""Untrusted zip archives: checked before anything is unpacked, and unpacked into memory only."""

from __future__ import annotations

import io
import lzma
import re
import stat
import struct
import zipfile
import zlib
from pathlib import PurePosixPath

from crosstable.errors import EventRejected
from crosstable.formats import codes, limits

#: What zipfile and the unpackers behind it raise for bytes that are no archive, or not whole.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
)
_DRIVE = re.compile(r"[A-Za-z]:")


def is_zip(data: bytes) -> bool:
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def unpack(data: bytes, limit: int = limits.UNPACKED_BYTES) -> dict[str, bytes]:
    """Name → content of every file. Raises EventRejected for whatever no honest archive needs."""
    limits.check_size(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = checked(archive, len(data), limit, limits.COMPRESSION_RATIO)
            return _contents(archive, members, limit)
    except DAMAGE as error:
        raise EventRejected([codes.ARCHIVE_REFUSED.at("archive", f"cannot be unpacked: {error}")]) from error


def files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the members that hold something of the sender's."""
    return [info for info in archive.infolist() if not info.filename.endswith("/") and not _hidden(info.filename)]


def checked(archive: zipfile.ZipFile, size: int, limit: int, ratio: int) -> list[zipfile.ZipInfo]:
    """Return the members of an archive of `size` bytes, by its directory alone. Raises EventRejected."""
    members = [info for info in archive.infolist() if not info.filename.endswith("/")]
    problems = [problem for info in members if (problem := _problem(info, size, ratio))]
    if len(archive.infolist()) > limits.ARCHIVE_MEMBERS:
        problems.append(f"{len(archive.infolist())} members; the limit is {limits.ARCHIVE_MEMBERS}")
    unpacked = sum(info.file_size for info in members)
    if unpacked > limit:
        problems.append(f"unpacks to {unpacked:,} bytes; the limit is {limit:,}")
    if problems:
        raise EventRejected([codes.ARCHIVE_REFUSED.at("archive", problem) for problem in problems[:20]])
    return files(archive)


def _problem(info: zipfile.ZipInfo, size: int, ratio: int) -> str:
    path = PurePosixPath(info.filename.replace("\\", "/"))
    if not info.filename or path.is_absolute() or ".." in path.parts or _DRIVE.match(info.filename):
        return f"a member points outside the archive: {info.filename[:80]!r}"
    if stat.S_ISLNK(info.external_attr >> 16):
        return f"a member is a link: {info.filename[:80]!r}"
    if info.flag_bits & 0x1:
        return f"a member is encrypted: {info.filename[:80]!r}"
    packed = max(min(info.compress_size, size), 1)  # the directory may lie, but not beyond the archive's own size
    if info.file_size > limits.MEGABYTE and info.file_size > ratio * packed:
        return f"a member unpacks to more than {ratio} times its size: {info.filename[:80]!r}"
    return ""


def _hidden(name: str) -> bool:
    """Tell whether macOS or Windows added the file by itself."""
    return name.startswith("__MACOSX/") or PurePosixPath(name).name in (".DS_Store", "Thumbs.db", "desktop.ini")


def _contents(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], limit: int) -> dict[str, bytes]:
    """Return the contents, counting the real sizes: the header's may be wrong."""
    contents: dict[str, bytes] = {}
    left = limit
    for info in members:
        with archive.open(info) as file:
            contents[info.filename] = file.read(left + 1)
        left -= len(contents[info.filename])
        if left < 0:
            raise EventRejected([codes.ARCHIVE_REFUSED.at("archive", f"unpacks to more than {limit:,} bytes")])
    return contents


def pack(files: dict[str, bytes]) -> bytes:
    """Pack files into a zip archive that is the same for the same files: no clock in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()
