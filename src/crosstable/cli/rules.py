"""`crosstable rules`: the rulebook in force, what changed between two dates, and the print behind a value."""

from __future__ import annotations

import argparse
from datetime import date

from crosstable import rulebook
from crosstable.cli.output import day, print_json
from crosstable.errors import RulebookError
from crosstable.rulebook import AS_WRITTEN, PROFILES, Rule, Rulebook, Value


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--on", type=day, metavar="DATE", help="the day (default: today)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", default=AS_WRITTEN, choices=PROFILES)
    parser.add_argument(
        "--system", default="us_chess", choices=rulebook.systems(), help="whose rulebook (default: us_chess)"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    diff = actions.add_parser("diff", help="what changed between two dates")
    diff.add_argument("dates", nargs=2, type=day, metavar="DATE")
    source = actions.add_parser("source", help="the print behind a rule")
    source.add_argument("rule", metavar="NAME")
    for action in (diff, source):  # also after the action, where people type them
        action.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        action.add_argument("--profile", choices=PROFILES, default=argparse.SUPPRESS)
        action.add_argument("--system", choices=rulebook.systems(), default=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    book = rulebook.rulebook(args.system)
    if args.action == "diff":
        return _diff(book, min(args.dates), max(args.dates), args)
    if args.action == "source":
        return _source(book, args)
    return _in_force(book, args.on or date.today(), args)


def _row(book: Rulebook, rule: Rule, value: Value) -> dict[str, object]:
    return {
        "rule": rule.name,
        "title": rule.title,
        "from": value.since,
        "until": value.until,
        "says": rule.words(value),
        "document": book.documents[value.document],
        "section": value.section,
        "note": value.note,
    }


def _in_force(book: Rulebook, on: date, args: argparse.Namespace) -> int:
    rules = book.on(on, args.profile)
    rows = [_row(book, book.rules[name], value) for name, value in rules.values.items()]
    if args.json:
        print_json({"system": args.system, "date": on, "profile": args.profile, "hash": rules.hash, "rules": rows})
        return 0
    print(f"{book.title} rules in force on {on} ({args.profile}); hash {rules.hash[:16]}\n")
    for row in rows:
        print(f"{row['title']} ({row['rule']}), since {row['from']}\n  {row['says']}")
    return 0


def _diff(book: Rulebook, earlier: date, later: date, args: argparse.Namespace) -> int:
    """Rules whose value differs between the two days; a new edition that says the same is no change."""
    rows = []
    for rule in book.rules.values():
        before, after = (
            book.on(earlier, args.profile).values.get(rule.name),
            book.on(later, args.profile).values.get(rule.name),
        )
        if (before and before.fields) == (after and after.fields):
            continue
        steps = [value.since for value in rule.timeline(args.profile) if earlier < value.since <= later]
        rows.append(
            {
                "rule": rule.name,
                "title": rule.title,
                "before": rule.words(before) if before else "not in force",
                "after": rule.words(after) if after else "no longer in force",
                "changed": steps,
                "document": book.documents[after.document] if after else None,
                "section": after.section if after else None,
            }
        )
    if args.json:
        print_json({"system": args.system, "from": earlier, "to": later, "profile": args.profile, "changes": rows})
        return 0
    print(f"{book.title}: what changed from {earlier} to {later} ({args.profile})\n")
    for row in rows:
        changed = ", ".join(str(step) for step in row["changed"] or [])
        print(f"{row['title']} ({row['rule']}): {changed}\n  was: {row['before']}\n  is:  {row['after']}")
    if not rows:
        print("Nothing.")
    return 0


def _source(book: Rulebook, args: argparse.Namespace) -> int:
    if args.rule not in book.rules:
        raise RulebookError(f"no rule '{args.rule}' in {args.system}: there are {', '.join(book.rules)}")
    rule = book.rules[args.rule]
    rows = [_row(book, rule, value) for value in rule.timeline(args.profile)]
    clauses = [
        {"id": c.id, "document": book.documents[c.document], "section": c.section, "says": c.says} for c in rule.clauses
    ]
    if args.json:
        print_json({"rule": rule.name, "title": rule.title, "values": rows, "clauses": clauses})
        return 0
    print(f"{rule.title} ({rule.name}, {args.profile})")
    for row in rows:
        until = f" until {row['until']}" if row["until"] else ""
        note = f"\n    {row['note']}" if row["note"] else ""
        print(f"  from {row['from']}{until}: {row['says']}\n    {row['document']}, section {row['section']}{note}")
    for clause in clauses:
        print(f"  [{clause['id']}] {clause['says']} ({clause['document']}, section {clause['section']})")
    return 0
