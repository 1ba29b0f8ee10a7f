"""How often one token, or one address without a token, may ask in a minute; visitors' reports also in a day.

The counts stand in a small file of their own, so that all threads and processes of a machine share them, and so that
reading never waits for a writer of the office's ledger. A client is stored as a keyed hash, for as long as it counts.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from functools import cache
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from crosstable.office.storage.database import owners_only

SECONDS, DAY = 60, 24 * 60 * 60
#: The limits of a day; the others are of a minute
DAILY = frozenset({"report_day"})
#: The part of an IPv6 address that a home or a machine chooses itself
HOST_BITS = 64
_TABLE = (
    "CREATE TABLE IF NOT EXISTS asked (who TEXT, span INTEGER, times INTEGER, PRIMARY KEY (who, span)) WITHOUT ROWID"
)
_ONE_MORE = "INSERT INTO asked VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times"


class Counts:
    """How often each has asked in the present minute, or in another span."""

    def __init__(self, file: Path, seconds: int = SECONDS) -> None:
        self.file, self.seconds = file, seconds
        self._mine = threading.local()
        self._opening = threading.Lock()  # two threads that set up the file at once would find it locked, and not count

    def wait(self, who: str, limit: int, now: float | None = None) -> int:
        """Count one more: 0 where that is within the limit, otherwise the seconds until the next span begins."""
        moment = time.time() if now is None else now
        span = int(moment // self.seconds)
        try:
            times = self._one_more(who, span)
        except sqlite3.Error:  # the office goes on answering where it cannot count
            return 0
        return 0 if times <= limit else max(1, int((span + 1) * self.seconds - moment + 0.999))

    def _one_more(self, who: str, span: int) -> int:
        connection = self._connection()
        times: int = connection.execute(_ONE_MORE, (who, span)).fetchone()[0]
        if times == 1:
            connection.execute("DELETE FROM asked WHERE span < ?", (span,))
        return times

    def _connection(self) -> sqlite3.Connection:
        found: sqlite3.Connection | None = getattr(self._mine, "connection", None)
        if found is None:
            with self._opening:
                found = self._mine.connection = self._opened()
        return found

    def _opened(self) -> sqlite3.Connection:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        owners_only(self.file)
        connection = sqlite3.connect(self.file, timeout=2, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute(_TABLE)
        return connection


@cache
def _counts(file: str, seconds: int) -> Counts:
    return Counts(Path(file), seconds)


def wait(kind: str, who: str) -> int:
    """Return the seconds that a client has to wait; 0: none."""
    limit: int | None = settings.API_LIMITS.get(kind)
    if limit is None:
        return 0
    key = salted_hmac("crosstable.web.api.limits", f"{kind}:{who}", algorithm="sha256").hexdigest()[:32]
    file: str = settings.API_LIMITS_FILE
    if kind in DAILY:  # a file of its own: old spans are deleted by their number
        return _counts(f"{file}-day", DAY).wait(key, limit)
    return _counts(file, SECONDS).wait(key, limit)


def address(request: HttpRequest) -> str:
    """Return the address that a request comes from: what a configured proxy says, else the other end's own."""
    direct: str = request.META.get("REMOTE_ADDR", "")
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    believed = settings.SECURE_PROXY_SSL_HEADER and direct in settings.TRUSTED_PROXIES
    return forwarded if forwarded and believed else direct


def network(request: HttpRequest) -> str:
    """Return what limits count as one client: an IPv4 address, or the first address of an IPv6 network.

    A home has one IPv4 address but 2**64 of IPv6: a limit for each of them would be none.
    """
    text = address(request)
    try:
        found = ip_address(text)
    except ValueError:  # a proxy can send anything
        return text
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return str(found.ipv4_mapped)
    if isinstance(found, IPv6Address) and not found.is_loopback:
        return str(IPv6Address(int(found) >> HOST_BITS << HOST_BITS))
    return str(found)
