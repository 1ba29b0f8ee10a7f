"""A fresh copy of the example office for each test that writes, and a site that serves it to a browser."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from axes.utils import reset
from django.db import connections
from django.test import Client, override_settings

from crosstable import office as the_office
from tests.web import accounts


@pytest.fixture
def desk_office(example: str, tmp_path: Path) -> Iterator[str]:
    """This process speaks to a copy of the example: a test may write what it likes. The value is its URL."""
    copy = tmp_path / "desk.db"
    the_office.setup(example)
    connections.close_all()  # the last one to close an SQLite file writes its log back into it
    shutil.copyfile(example.removeprefix("sqlite:///"), copy)
    url = f"sqlite:///{copy}"
    the_office.setup(url)
    reset()  # wrong guesses of other tests
    with override_settings(API_LIMITS={}):
        yield url
    connections.close_all()


@pytest.fixture
def desk(desk_office: str) -> Callable[[str], Client]:
    """`desk("officer")` is a client that has signed in with that role, second factor and all."""
    return accounts.signed_in


@pytest.fixture
def desk_site(desk_office: str) -> Iterator[str]:
    """The copy, served by waitress in this process; sign a page in with `accounts.sign_in_page(page, desk_site,
    role)`.
    """
    import waitress

    from crosstable.web.wsgi import application

    server = waitress.create_server(application, host="127.0.0.1", port=0, threads=4)

    def run() -> None:
        with suppress(OSError):  # closing it below takes the socket away from under it
            server.run()

    threading.Thread(target=run, daemon=True).start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    server.task_dispatcher.shutdown()  # its threads would go on, and open the next test's office
