"""Measure the page in Chromium: a first rating on a cold and on a warm cache, and the bytes of the download.

Run `make site` first. The page may take 8 seconds on a cold cache, 2 on a warm one, and 15 MB.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright

BUILT = Path(__file__).resolve().parents[1] / "build" / "site" / "rate"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
COLD, WARM, BYTES = 8.0, 2.0, 15_000_000
ROUNDS = 3


class Handler(http.server.SimpleHTTPRequestHandler):
    """A static host that keeps quiet."""

    extensions_map = {  # noqa: RUF012  as the handler asks
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *args: Any) -> None:
        """Write nothing."""


def main() -> int:
    """Print the three figures. Return 1 if one of them is above its bound."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    cold, warm = zip(*(cold_and_warm(address) for _ in range(ROUNDS)), strict=True)
    size = sum(len(gzip.compress(path.read_bytes(), 6)) for path in BUILT.rglob("*") if path.is_file())
    print(f"first rating, cold cache: {median(cold):.1f} s (at most {COLD:.0f})")
    print(f"first rating, warm cache: {median(warm):.1f} s (at most {WARM:.0f})")
    print(f"download, compressed:     {size / 1e6:.1f} MB (at most {BYTES / 1e6:.0f})")
    return int(median(cold) > COLD or median(warm) > WARM or size > BYTES)


def cold_and_warm(address: str) -> tuple[float, float]:
    """Return the seconds from opening the page to the first rating, in a new browser and in the same one restarted."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        seconds = []
        for _ in range(2):
            browser = playwright.chromium.launch_persistent_context(
                profile, executable_path="/usr/bin/chromium", args=FLAGS
            )
            seconds.append(first_rating(browser, address))
            browser.close()
    return seconds[0], seconds[1]


def first_rating(browser: BrowserContext, address: str) -> float:
    """Return the seconds until an example is rated; then wait until the browser has kept the page."""
    page = browser.pages[0]
    start = time.perf_counter()
    page.goto(address)
    page.click('[data-example="saturday-swiss.csv"]')
    page.get_by_text("8 players rated").wait_for(timeout=60_000)
    seconds = time.perf_counter() - start
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_timeout(2000)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
