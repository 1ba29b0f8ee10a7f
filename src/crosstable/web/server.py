"""The server of `crosstable serve`: waitress with limits against clients that keep connections or send without end.

gunicorn has a proxy before it that does the same (docs/operations.md).
"""

from __future__ import annotations

import time
from typing import Any

from waitress import create_server
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import RequestEntityTooLarge

from crosstable.formats.limits import FILE_BYTES, MEGABYTE

#: Connections in all, and from one address; a proxy on this machine comes from one address for everyone
CONNECTIONS, FROM_ONE_ADDRESS, UNCOUNTED = 1000, 100, ("127.0.0.1", "::1")
#: Seconds for the head of a request, for all of it, without anything on a connection, and between two looks
HEAD_SECONDS, REQUEST_SECONDS, IDLE_SECONDS, LOOK_SECONDS = 10, 120, 30, 5
#: Bytes of a body: of any, and of one without a session and without a token (the API checks a file for everyone)
LARGEST_BODY, LARGEST_ANONYMOUS = 60 * MEGABYTE, FILE_BYTES + MEGABYTE


class LimitedRequest(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Refuse a large body as soon as its head is read, before any of it reaches the disk."""

    error: Any

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        known = "AUTHORIZATION" in self.headers or "sessionid=" in self.headers.get("COOKIE", "")
        size = max(self.content_length, self.body_bytes_received)
        if self.headers_finished and not known and size > LARGEST_ANONYMOUS and self.error is None:
            self.error = RequestEntityTooLarge(f"a body without a session has at most {LARGEST_ANONYMOUS} bytes")
            self.completed = True
        return consumed


class LimitedChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that closes when its address has too many, or when a request takes too long to arrive."""

    parser_class = LimitedRequest

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map)
        self.begun: float = self.creation_time
        host = _host(self)
        if (
            host not in UNCOUNTED
            and sum(_host(one) == host for one in server.active_channels.values()) > FROM_ONE_ADDRESS
        ):
            self.handle_close()

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self.begun = time.time()
        return super().received(data)

    def is_late(self, now: float) -> bool:
        """Whether a request has begun and not arrived in its time, or none has ever begun."""
        if self.requests:
            return False
        if self.request is None:  # waitress itself closes a connection that is idle between two requests
            return self.begun == self.creation_time and now - self.begun > HEAD_SECONDS
        return now - self.begun > (REQUEST_SECONDS if self.request.headers_finished else HEAD_SECONDS)


def _host(channel: Any) -> str:
    return str(channel.addr[0]) if isinstance(channel.addr, tuple) else str(channel.addr)


def make(application: Any, host: str, port: int, threads: int) -> Any:
    """Return a server that listens; `run` serves until it is stopped."""
    listening: dict[int, Any] = {}
    server = create_server(
        application,
        map=listening,
        host=host,
        port=port,
        threads=threads,
        ident="",
        clear_untrusted_proxy_headers=False,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=LOOK_SECONDS,
        max_request_header_size=32 * 1024,
        max_request_body_size=LARGEST_BODY,
        asyncore_use_poll=True,
    )
    for one in listening.values():
        if hasattr(one, "active_channels"):
            _limit(one)
    return server


def _limit(server: Any) -> None:
    usual = server.maintenance

    def maintenance(now: float) -> None:
        usual(now)
        for channel in list(server.active_channels.values()):
            if channel.is_late(now):
                channel.will_close = True

    server.channel_class = LimitedChannel
    server.maintenance = maintenance
