"""`office corrections`: what directors ask to have corrected; `office ask-correction`, which asks; `office jobs`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.office_common import CORRECTED, acting, print_answer, print_ratings_changed, print_rows, verb
from crosstable.cli.office_ledger import read_bytes
from crosstable.cli.output import print_json, whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.words.differences import differences

if TYPE_CHECKING:
    from crosstable.office.jobs.running import Shown


def register(subparsers: Any) -> None:
    parser = verb(subparsers, "ask-correction", "ask the office to correct an event", ask)
    parser.add_argument("event")
    parser.add_argument("file")
    parser.add_argument("--reason", required=True)
    parser = verb(subparsers, "corrections", "show, preview or decide correction requests", corrections)
    parser.add_argument("number", nargs="?", type=whole, help="show one request and what it would change")
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--grant", action="store_true", help="correct the event as requested")
    act.add_argument("--refuse", action="store_true", help="refuse: leave the event unchanged")
    parser.add_argument("--message", default="", help="what the director reads")
    parser = verb(subparsers, "jobs", "show jobs, their progress and their results", jobs)
    parser.add_argument("number", nargs="?", type=whole)


def ask(args: argparse.Namespace) -> int:
    from crosstable.office.requests import corrections

    path = Path(args.file)
    row = corrections.ask(acting(args, "correction.ask"), args.event, read_bytes(path), path.name, args.reason)
    return print_answer(
        args, {"request": row.id, "event": args.event}, f"correction request {row.id} waits for an officer"
    )


def corrections(args: argparse.Namespace) -> int:
    from crosstable.office.requests import corrections, registry
    from crosstable.office.storage.watching import watched

    if args.number is None:
        return _waiting(args)
    actor = acting(args, "event.correct")
    if args.grant:
        with progress_bar("rating again", quiet=args.json) as progress, watched(progress):
            done = registry.decide(actor, f"correction:{args.number}", granted=True, words=args.message).outcome
        return print_ratings_changed(args, done, CORRECTED)
    if args.refuse:
        registry.decide(actor, f"correction:{args.number}", granted=False, words=args.message)
        return print_answer(args, {"refused": args.number}, f"correction request {args.number} is refused")
    with progress_bar("rating again", quiet=args.json):
        found = corrections.preview(actor, args.number)
    if not args.json:
        print(
            f"{found.request.event_name} ({found.request.event}), asked by {found.request.by}: {found.request.reason}"
        )
        print_table(
            ("where", "entry", "was", "would be"),
            [(d.where, d.entry, d.was, d.now) for d in differences(found.differences)],
        )
    return print_ratings_changed(args, found.ratings)


def jobs(args: argparse.Namespace) -> int:
    from crosstable.office.jobs import running

    actor = acting(args, "job.read")
    if args.number is not None:
        return _job(args, running.job(actor, args.number))
    names = ("number", "title", "by", "state", "done", "total", "unit")
    found = [{name: getattr(one, name) for name in names} for one in running.jobs(actor)]
    return print_rows(args, found, "no jobs yet")


def _job(args: argparse.Namespace, one: Shown) -> int:
    if args.json:
        print_json(one.as_json())
        return 0
    far = f", {one.unit} {one.done:,} of {one.total:,}" if one.open and one.total else ""
    print(f"job {one.number}, {one.title}, asked for by {one.by}: {one.state}{far}")
    for line in one.error.splitlines():
        print(f"  {line}")
    for name, value in one.result.items():
        print(f"  {name}: {len(value) if isinstance(value, list | dict) else value}")
    return 0


def _waiting(args: argparse.Namespace) -> int:
    from crosstable.office.requests import corrections

    names = ("number", "event", "event_name", "by", "results", "players", "reason")
    found = [
        {name: getattr(one, name) for name in names}
        for one in corrections.correction_requests(acting(args, "event.review"), waiting=True)
    ]
    return print_rows(args, found, "no correction requests to decide")
