"""`crosstable worker`: does the jobs that the pages ask for. `serve` starts one itself."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from crosstable.cli import serve
from crosstable.office.storage import database

#: So many seconds a worker may take to end, and rests before it is started again
PATIENCE, REST = 5, 2


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--db", metavar="URL", help="the office's database (or CROSSTABLE_DB; default crosstable.db)")
    parser.add_argument("--with-parent", action="store_true", help=argparse.SUPPRESS)  # as `serve` starts it


def run(args: argparse.Namespace) -> int:
    serve.prepare(args.db, serve.LOOPBACK)
    from crosstable.web import jobs

    jobs.work(with_parent=args.with_parent)
    return 0


@contextmanager
def beside(url: str | None) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run a worker as long as the pages are served. One that dies is started again: its job is shown as stopped."""
    ended = threading.Event()
    child: list[subprocess.Popen[bytes]] = []

    def keep() -> None:
        while not ended.is_set():
            child[:] = [_started(url)]
            child[0].wait()
            ended.wait(REST)

    threading.Thread(target=keep, daemon=True).start()
    try:
        yield child
    finally:
        ended.set()
        for process in child:
            _end(process)


def _started(url: str | None) -> subprocess.Popen[bytes]:
    """Start a worker. The database's address goes by the environment: any user can read a command line."""
    environment = {**os.environ, database.VARIABLE: database.chosen(url)}
    command = [sys.executable, "-m", "crosstable", "worker", "--with-parent"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)  # noqa: S603 - our own command


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:  # it is in the middle of a job: what it has not finished, it has not done
        process.terminate()
