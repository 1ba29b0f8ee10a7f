"""`crosstable serve`: the office's pages, on any machine."""

from __future__ import annotations

import argparse
import os
from contextlib import nullcontext

from crosstable.errors import CrosstableError

LOOPBACK = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104  `--lan` asks for it, and says what it means


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--db", metavar="URL", help="the office's database (or CROSSTABLE_DB; default crosstable.db)")
    parser.add_argument("--lan", action="store_true", help="let phones in the same network in (a club night)")
    where(parser)


def where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default=LOOPBACK, help=f"where to listen (default {LOOPBACK}: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="default 8000")
    # more of them only wait for each other: no more answers in a second, and the last ones later
    parser.add_argument("--threads", type=int, default=6, help="requests answered at a time (default 6)")


def run(args: argparse.Namespace) -> int:
    if args.lan:
        return _run_lan(args)
    prepare(args.db, args.host)
    print(f"http://{args.host}:{args.port}/", flush=True)
    listen(args.host, args.port, args.threads, args.db)
    return 0


def _run_lan(args: argparse.Namespace) -> int:
    """For phones in the room. Says plainly who can reach it, and what they can do."""
    from crosstable.cli.lan import address, print_code

    here = address()
    prepare(args.db, here)
    where = f"http://{here}:{args.port}/club/"
    print(f"Anyone on the same network as this machine can open {where}", flush=True)
    print(
        "The connection is not encrypted. Changes to the club need its PIN; the office's desks",
        flush=True,
    )
    print("need a password. What is seen without the PIN is chosen under Settings.", flush=True)
    print_code(where)
    listen(EVERYWHERE, args.port, args.threads, args.db)
    return 0


def prepare(url: str | None, host: str) -> None:
    """Point this process to an office, with its tables up to date, and be ready to serve it."""
    from crosstable.web import settings

    https = os.environ.get("CROSSTABLE_HTTPS", "0") == "1"  # what listens here speaks plain HTTP; a proxy may encrypt
    settings.configure(url, [] if host in (LOOPBACK, "0.0.0.0") else [host], https=https)  # noqa: S104  not a binding
    from django.core.management import call_command

    from crosstable import office
    from crosstable.office.ledger.office_settings import office as the_office

    office.migrate()
    the_office()
    call_command("clearsessions")  # those that have ended


def listen(host: str, port: int, threads: int, url: str | None, *, jobs: bool = True) -> None:
    """Until someone stops it. `jobs`: with a worker beside it for what takes longer than a request."""
    from crosstable.cli import worker
    from crosstable.web.server import make
    from crosstable.web.wsgi import application

    try:
        server = make(application, host, port, threads)
    except OSError as problem:
        raise CrosstableError(f"cannot listen on {host}:{port}: {problem.strerror}; try --port") from problem
    with worker.beside(url) if jobs else nullcontext():
        server.run()
