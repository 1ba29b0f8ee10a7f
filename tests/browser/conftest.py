"""The page that rates in a browser, built and served as a static host would."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import needs

#: `site` is a module of Python's own, so ours is loaded from its file
_SPEC = importlib.util.spec_from_file_location("site_build", Path(__file__).parents[2] / "site" / "build.py")
assert _SPEC
assert _SPEC.loader
site_build = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(site_build)


class Handler(http.server.SimpleHTTPRequestHandler):
    """A static host: types by suffix, and nothing in the log."""

    extensions_map = {  # noqa: RUF012  as the handler asks
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *args: Any) -> None:
        """Keep quiet."""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page in a folder."""
    if not site_build.RUNTIME.is_dir():
        needs.missing(needs.RUNTIME)
    out = tmp_path_factory.mktemp("site") / "rate"
    site_build.build(out)
    return out


@pytest.fixture(scope="session")
def host(built: Path) -> Iterator[str]:
    """The page's address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def rating_page(chromium_of_worker: Any, host: str) -> Iterator[Any]:
    """The page, loaded once for all tests of a module; what its console calls an error fails the test."""
    context = chromium_of_worker.new_context(base_url=host, accept_downloads=True)
    opened = context.new_page()
    opened.set_default_timeout(120_000)  # milliseconds; a busy machine may be slow
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto("/")
    yield opened
    context.close()
    assert errors == []


def ask(page: Any, name: str, given: dict[str, Any], data: bytes = b"") -> Any:
    """Ask the rating program inside the page."""
    code = "async ([name, given, data]) => (await import('./rate.js')).ask(name, given, new Uint8Array(data))"
    return page.evaluate(code, [name, given, list(data)])
