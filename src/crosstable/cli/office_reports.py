"""`office reports`: what the lab found, published on the web office."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from crosstable.cli.office_common import acting, print_answer, verb
from crosstable.cli.output import print_json, whole
from crosstable.cli.tables import print_table


def register(subparsers: Any) -> None:
    parser = verb(subparsers, "reports", "reports of the lab on the web office: publish, withdraw, list", reports)
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--publish", metavar="FILE", help="the .json that `lab … --report` writes beside its page")
    act.add_argument("--withdraw", type=whole, metavar="NUMBER", help="it is no longer shown")
    parser.add_argument("--reason", default="", help="why it is withdrawn")


def reports(args: argparse.Namespace) -> int:
    from crosstable.office.lab_reports import publishing as office

    if args.publish:
        row = office.publish(acting(args, "report.publish"), Path(args.publish).read_bytes())
        return print_answer(args, {"report": row.id, "title": row.title}, f"published as report {row.id}: {row.title}")
    if args.withdraw is not None:
        office.withdraw(acting(args, "report.publish"), args.withdraw, args.reason)
        return print_answer(args, {"report": args.withdraw}, f"report {args.withdraw} is withdrawn")
    rows = [{"report": row.id, "title": row.title, "published": str(row.at.date())} for row in office.published()]
    if args.json:
        print_json(rows)
    elif rows:
        print_table(("report", "title", "published"), [tuple(row.values()) for row in rows])
    else:
        print("no report has been published")
    return 0
