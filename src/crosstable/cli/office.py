"""`crosstable office …`: the ledger from the shell. Each verb calls one function of the office.

A user who runs the command on an embedded (SQLite) office holds its file, and so acts as its local officer unless
`--as` names a user; a PostgreSQL office with users wants `--as`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from crosstable import office
from crosstable.cli import (
    office_corrections,
    office_decisions,
    office_desks,
    office_ledger,
    office_people,
    office_players,
    office_reading,
    office_reports,
    office_requests,
    office_review,
    office_users,
)
from crosstable.cli.office_common import refuse_missing_file
from crosstable.cli.output import print_findings
from crosstable.errors import CrosstableError, EventRejected
from crosstable.federations.current import using
from crosstable.office.storage import database

Verb = Callable[[argparse.Namespace], int]
#: What makes an office, or may come before there is one; every other verb is refused in a database without an office
WITHOUT_OFFICE = frozenset({"init", "restore", "example", "user", "audit", "upgrade"})


#: What may begin with a file that is not there; everything else would leave an empty one behind
MAKES_A_DATABASE = frozenset({"init", "restore", "example"})


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--db", metavar="URL", help=f"the office's database (or {database.VARIABLE}; default {database.DEFAULT})"
    )
    parser.add_argument("--as", dest="user", metavar="USER", help="act as this user of the office")
    subparsers = parser.add_subparsers(dest="act", metavar="ACT", required=True)
    office_ledger.register(subparsers)
    office_decisions.register(subparsers)
    office_review.register(subparsers)
    office_corrections.register(subparsers)
    office_desks.register(subparsers)
    office_reading.register(subparsers)
    office_players.register(subparsers)
    office_requests.register(subparsers)
    office_people.register(subparsers)
    office_users.register(subparsers)
    office_reports.register(subparsers)


def run(args: argparse.Namespace) -> int:
    """Open the office and do one thing. Findings of a refused event go to stderr, all of them."""
    if getattr(args, "web", False):
        _know_the_web(args.db)
    office.setup(args.db)
    if args.act not in MAKES_A_DATABASE:
        refuse_missing_file(args.db, "office", "crosstable office init")
    from django.db import Error

    from crosstable.office.ledger.office_settings import federation_of
    from crosstable.office.ledger.office_settings import office as the_office

    act: Verb = args.call
    try:
        if args.act in WITHOUT_OFFICE:
            return act(args)
        works_for = federation_of(the_office())
        with using(lambda: works_for):
            return act(args)
    except EventRejected as rejected:
        print_findings(rejected.findings)
        return 1
    except BrokenPipeError:  # `crosstable … | head`, which main knows
        raise
    except OSError as problem:  # every FILE and OUT of every verb: it is not there, or not for us
        place = f"{problem.filename}: " if problem.filename else ""
        raise CrosstableError(f"{place}{problem.strerror or problem}") from problem
    except Error as problem:
        raise CrosstableError(f"{_words(problem)}") from problem


def _know_the_web(url: str | None) -> None:
    """For what only the web office keeps: its tables are known to Django too, where it is installed."""
    from django.conf import settings

    if settings.configured:
        return
    try:
        from crosstable.web.settings import configure
    except ModuleNotFoundError:
        return
    configure(url)


def _words(problem: Exception) -> str:
    first = str(problem).strip().splitlines()[0] if str(problem).strip() else type(problem).__name__
    if "database" in first and "does not exist" in first:
        return (
            f"PostgreSQL says: {first.rpartition('FATAL:')[2].strip()}; make it with createdb, then `crosstable office"
            " init`"
        )
    from crosstable.office.queries import status

    if status.is_behind():
        return (
            "this office was made by an earlier version of Crosstable: copy its database, then run `crosstable office"
            " upgrade`"
        )
    missing = "no such table" in first or "does not exist" in first
    return "there is no office in this database yet: run `crosstable office init`" if missing else f"database: {first}"
