"""`crosstable rules`: the rulebook in force, what changed between two dates, and the print behind a value."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import date

from crosstable import rulebook
from crosstable.cli.output import day, print_json
from crosstable.errors import UnknownSystem
from crosstable.rulebook import AS_WRITTEN, PROFILES, Rulebook, browsing
from crosstable.rulebook.browsing import Dated
from crosstable.systems import system


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--on", type=day, metavar="DATE", help="the day (default: today)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", default=AS_WRITTEN, choices=PROFILES)
    parser.add_argument(
        "--system",
        default="us_chess",
        type=_book_name,
        metavar="NAME",
        help="whose rulebook: a system as `rate` takes it, or titles_2010 (default: us_chess)",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    diff = actions.add_parser("diff", help="what changed between two dates")
    diff.add_argument("dates", nargs=2, type=day, metavar="DATE")
    source = actions.add_parser("source", help="the print behind a rule")
    source.add_argument("rule", metavar="NAME")
    for action in (diff, source):  # also after the action, where people type them
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        action.add_argument("--profile", choices=PROFILES, default=argparse.SUPPRESS)
        action.add_argument("--system", type=_book_name, metavar="NAME", default=argparse.SUPPRESS)


def _book(name: str) -> Rulebook:
    """Return a rulebook, also of a system with options or from another package."""
    return rulebook.rulebook(name) if name in rulebook.systems() else system(name).book


def _book_name(text: str) -> str:
    try:
        _book(text)
    except UnknownSystem as error:
        raise argparse.ArgumentTypeError(f"{error}; and the rulebook titles_2010") from None
    return text


def run(args: argparse.Namespace) -> int:
    book = _book(args.system)
    if args.action == "diff":
        return _diff(book, min(args.dates), max(args.dates), args)
    if args.action == "source":
        return _source(book, args)
    return _in_force(book, args.on or date.today(), args)


def _row(one: Dated) -> dict[str, object]:
    return {
        "rule": one.rule,
        "title": one.title,
        "from": one.since,
        "until": one.until,
        "says": one.says,
        "document": one.document,
        "section": one.section,
        "note": one.note,
    }


def _in_force(book: Rulebook, on: date, args: argparse.Namespace) -> int:
    rules = book.on(on, args.profile)
    rows = [_row(one) for one in browsing.in_force(book, on, args.profile)]
    if args.json:
        print_json({"system": args.system, "date": on, "profile": args.profile, "hash": rules.hash, "rules": rows})
        return 0
    print(f"{book.title} rules in force on {on} ({args.profile}); hash {rules.hash[:16]}\n")
    for row in rows:
        print(f"{row['title']} ({row['rule']}), since {row['from']}\n  {row['says']}")
    return 0


def _diff(book: Rulebook, earlier: date, later: date, args: argparse.Namespace) -> int:
    rows = browsing.differences(book, earlier, later, args.profile)
    if args.json:
        changes = [{**asdict(one), "changed": list(one.changed)} for one in rows]
        print_json({"system": args.system, "from": earlier, "to": later, "profile": args.profile, "changes": changes})
        return 0
    print(f"{book.title}: what changed from {earlier} to {later} ({args.profile})\n")
    for one in rows:
        changed = ", ".join(str(step) for step in one.changed)
        print(f"{one.title} ({one.rule}): {changed}\n  was: {one.before}\n  is:  {one.after}")
    if not rows:
        print("Nothing.")
    return 0


def _source(book: Rulebook, args: argparse.Namespace) -> int:
    rule = browsing.find(book, args.rule)
    rows = [_row(one) for one in browsing.timeline(book, rule, args.profile)]
    clauses = [
        {"id": c.id, "document": book.documents[c.document], "section": c.section, "says": c.says} for c in rule.clauses
    ]
    if args.json:
        print_json({"rule": rule.name, "title": rule.title, "values": rows, "clauses": clauses})
        return 0
    print(f"{rule.title} ({rule.name}, {args.profile})")
    if rule.plain:
        print(f"  {rule.plain_words(rule.timeline(args.profile)[-1])}")
    for row in rows:
        until = f" until {row['until']}" if row["until"] else ""
        note = f"\n    {row['note']}" if row["note"] else ""
        print(f"  from {row['from']}{until}: {row['says']}\n    {row['document']}, section {row['section']}{note}")
    for clause in clauses:
        print(f"  [{clause['id']}] {clause['says']} ({clause['document']}, section {clause['section']})")
    return 0
