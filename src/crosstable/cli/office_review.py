"""The office's verbs for what waits: look at it, accept it wholly or in part, refuse it."""

from __future__ import annotations

import argparse
from typing import Any

from crosstable.cli import office_reading
from crosstable.cli.office_common import ACCEPTED, acting, count, print_answer, print_ratings_changed, verb
from crosstable.cli.output import print_findings, print_json, whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.errors import CrosstableError
from crosstable.words.findings import findings_to_json

#: How each kind of thing that waits is looked at
LOOK = {
    "event": "office review {}",
    "correction": "office corrections {}",
    "request": "office requests {}",
    "floor": "office floors",
    "proposal": "office proposals",
}


def register(subparsers: Any) -> None:
    parser = verb(subparsers, "review", "show the review queue, with findings", review)
    parser.add_argument("event", nargs="?", default="")
    parser = verb(subparsers, "accept", "accept and rate an event, and re-rate what it affects", accept)
    parser.add_argument("event", nargs="+")
    words = "this section only (again for more); the others wait"
    parser.add_argument("--section", type=whole, action="append", metavar="N", help=words)
    parser.add_argument("--reason", default="")
    parser.add_argument("--preview", action="store_true", help="show what would change; write nothing")
    words = "refuse an event that waits, or send a section of it back; its director gets the reason"
    parser = verb(subparsers, "refuse-event", words, refuse_event)
    parser.add_argument("event")
    words = "this section only goes back to its director (again for more); the others go on"
    parser.add_argument("--section", type=whole, action="append", metavar="N", help=words)
    parser.add_argument("--reason", required=True)


def review(args: argparse.Namespace) -> int:
    from crosstable import office
    from crosstable.office.reports.events import document

    with progress_bar("looking at what waits", quiet=args.json):
        waiting = office.review(acting(args, "event.review"), args.event)
    if args.json:
        print_json([_review_json(one) for one in waiting])
        return 0
    columns = ("event", "name", "end", "players", "games", "by", "acceptable")
    rows = [
        (one.event, one.name, one.end, one.players, one.games, one.by, "yes" if one.acceptable else "no")
        for one in waiting
    ]
    print_table(columns, rows)
    for one in waiting:
        print_findings(one.findings, one.event, document(one.event))
        if not one.acceptable and one.ready:
            options = " ".join(f"--section {number}" for number in one.ready)
            print(f"{one.event}: can be rated now: `office accept {one.event} {options}`")
        for section in one.sections:
            if section.sent_back and not section.rated:
                print(f"{one.event}: {section.name} was sent back: {section.sent_back}")
        if rated := [section.name for section in one.sections if section.rated]:
            waits = [section.name for section in one.sections if not section.rated]
            print(f"{one.event}: rated: {', '.join(rated)}; waiting: {', '.join(waits)}")
    return 0


def _review_json(one: Any) -> dict[str, Any]:
    from crosstable.office.reports.events import document

    names = ("event", "name", "start", "end", "players", "games", "by", "at", "acceptable")
    sections = [
        {"number": part.number, "name": part.name, "state": part.state, "errors": part.errors} for part in one.sections
    ]
    findings = findings_to_json(one.findings, document(one.event))
    return {**{name: getattr(one, name) for name in names}, "sections": sections, "findings": findings}


def accept(args: argparse.Namespace) -> int:
    from crosstable import office

    actor = acting(args, "event.accept")
    if len(args.event) > 1:
        if args.preview or args.section:
            raise CrosstableError(f"{'--preview' if args.preview else '--section'} is for one event: name one")
        with progress_bar("rating", quiet=args.json):
            done = office.accept_many(actor, args.event, args.reason)
        return print_ratings_changed(args, done, ACCEPTED)
    (number,) = args.event
    with progress_bar("rating", quiet=args.json):
        done = office.accept(actor, number, args.reason, preview=args.preview, sections=args.section)
    status = print_ratings_changed(args, done, ACCEPTED)
    if not args.json and not args.preview:
        print()
        office_reading.event(argparse.Namespace(event=number, json=False))
        _print_next(args, number)
    return status


def refuse_event(args: argparse.Namespace) -> int:
    from crosstable.office.reports import accepting, events

    accepting.refuse(acting(args, "event.refuse"), args.event, args.reason, args.section)
    row = events.find(args.event)
    back = sorted(map(int, row.sent_back)) if args.section else []
    answer: dict[str, Any] = {"event": args.event, "status": row.status, **({"sent_back": back} if back else {})}
    what = f"section {', '.join(map(str, args.section))} sent back" if back else "refused"
    print_answer(args, answer, f"{args.event}: {what}; its director gets the reason")
    if not args.json:
        _print_next(args, args.event)
    return 0


def _print_next(args: argparse.Namespace, decided: str) -> None:
    """Print what the officer can review next; nothing where nothing waits."""
    from crosstable.office.queries import officer_queue

    actor = acting(args, "event.review")
    found = officer_queue.queue(actor)
    if one := found.after(f"event:{decided}", actor):
        age = f"waiting {count(one.days, 'day')}" if one.days else "came in today"
        print(f"next: {one.title}, {age}: `{LOOK[one.kind].format(one.number)}`")
        print(f"{len(found.needs)} to look at, {len(found.clean)} clean, {len(found.waits)} with their directors")
