"""Clients that keep connections open or send without end leave the server to others."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from crosstable.web import server as limited

Start = Callable[[], tuple[str, int]]


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    size = len(environ["wsgi.input"].read())
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(size).encode()]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start a server with the limits as the test has set them."""
    made: list[Any] = []
    monkeypatch.setattr(limited, "LOOK_SECONDS", 0)

    def begin() -> tuple[str, int]:
        server = limited.make(application, "127.0.0.1", 0, 2)
        made.append(server)

        def run() -> None:
            with suppress(OSError):  # closing it below takes the socket away from under it
                server.run()

        threading.Thread(target=run, daemon=True).start()
        return "127.0.0.1", int(server.effective_port)

    yield begin
    for one in made:
        one.close()


def answer(where: tuple[str, int], request: bytes, wait: float = 20) -> bytes:
    with socket.create_connection(where, timeout=wait) as connection:
        connection.sendall(request)
        return connection.recv(4096)


def test_half_open_connections_leave_room_for_others(start: Start) -> None:
    where = start()
    held = [socket.create_connection(where, timeout=20) for _ in range(130)]
    for one in held:
        one.sendall(b"GET / HT")
    assert answer(where, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.0 200")
    for one in held:
        one.close()


@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nA: b\r\n"])
def test_a_head_that_does_not_end_is_cut_off_even_if_bytes_keep_coming(
    start: Start, monkeypatch: pytest.MonkeyPatch, first: bytes
) -> None:
    monkeypatch.setattr(limited, "HEAD_SECONDS", 1)
    with socket.create_connection(start(), timeout=0.2) as connection:
        connection.sendall(first)
        until = time.monotonic() + 30
        closed = False
        while not closed and time.monotonic() < until:
            with suppress(TimeoutError):
                closed = connection.recv(100) == b""
            with suppress(OSError):
                connection.sendall(b"x" if first else b"")
    assert closed


def test_one_address_has_so_many_connections_and_no_more(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "UNCOUNTED", ())
    monkeypatch.setattr(limited, "FROM_ONE_ADDRESS", 3)
    where = start()
    held = [socket.create_connection(where, timeout=20) for _ in range(3)]
    with suppress(ConnectionError):
        assert answer(where, b"GET / HTTP/1.0\r\n\r\n") == b""
    held[0].sendall(b"GET / HTTP/1.0\r\n\r\n")
    assert held[0].recv(4096).startswith(b"HTTP/1.0 200")
    for one in held:
        one.close()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Content-Length: 200000000\r\n", b"413"),
        (b"Cookie: sessionid=x\r\nContent-Length: 200000000\r\n", b"413"),
        (b"Content-Length: 7000000\r\n", b"413"),
        (b"Cookie: sessionid=x\r\nContent-Length: 3\r\n", b"200"),
    ],
)
def test_a_large_body_is_refused_before_it_is_read(start: Start, head: bytes, status: bytes) -> None:
    """Nothing but the head, and three bytes, are ever sent."""
    got = answer(start(), b"POST / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\nabc")
    assert got.split()[1] == status


def test_a_body_in_chunks_is_refused_when_it_has_grown_too_large(start: Start) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with socket.create_connection(start(), timeout=20) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(ConnectionError):
            for _ in range(120):
                connection.sendall(chunk)
        with suppress(ConnectionError):
            assert connection.recv(4096).split()[1] == b"413"
