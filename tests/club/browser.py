"""A real server on a real club, and phones that open it: Debian's Chromium at 390 pixels."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

PHONE: ViewportSize = {"width": 390, "height": 844}


def command(*words: str, db: str) -> str:
    """`crosstable …` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "crosstable", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "CROSSTABLE_DB": db},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def serving(db: str) -> Iterator[str]:
    """`crosstable serve` until the test is over."""
    port = _free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "crosstable", "serve", "--db", db, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(f"{address}/healthz", server)
        yield address
    finally:
        server.terminate()
        server.wait(60)


def _wait(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, "the server stopped"
        try:
            with urllib.request.urlopen(address, timeout=5):  # noqa: S310  our own server
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the server did not start")


def phone(browser: Browser, **options: object) -> BrowserContext:
    return browser.new_context(viewport=PHONE, has_touch=True, **options)


class Volunteer:
    """Somebody with a phone; counts the taps."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.taps = page, address, 0
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if "Content Security" in said.text else None)

    def tap(self, name: str | re.Pattern[str], role: str = "button") -> None:
        self.taps += 1
        self.page.get_by_role(role, name=name, exact=isinstance(name, str)).first.click()

    def enter(self, pin: str, name: str = "") -> None:
        self.page.goto(f"{self.address}/club/enter/")
        self.page.get_by_label("PIN", exact=True).fill(pin)
        self.page.get_by_label(re.compile("Your first name")).fill(name)
        self.tap("Continue")

    def result(self, board: int, result: str) -> None:
        """Tap a button of the board with this number among those on the page; wait until it is shown as pressed."""
        self.taps += 1
        row = self.page.locator("#boards >> xpath=../.. >> li.board").nth(board - 1)
        row.locator(f'button[value="{result}"]').click()

    def said(self, board: int) -> str:
        row = self.page.locator("#boards >> xpath=../.. >> li.board").nth(board - 1)
        return row.locator(".said").inner_text()
