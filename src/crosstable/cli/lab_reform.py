"""`crosstable lab reform`: what a rule change would have done."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from crosstable.cli.lab_backtest import (
    make_room_for_report,
    printed_as_json,
    report_arguments,
    sampling_arguments,
    source_arguments,
    window_arguments,
    write_report,
)
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table

if TYPE_CHECKING:
    from crosstable.lab.reform import Comparison

TITLES = {
    "classes": "By class and year",
    "floors": "On a floor (figure 2.1 of the 1996 report)",
    "newcomers": "Newcomers after so many events",
    "movers": "Who gains and loses most",
}


def configure(parser: argparse.ArgumentParser) -> None:
    source_arguments(parser)
    parser.add_argument(
        "reforms", metavar="FILE", nargs="+", help="a TOML file with other values of rules, or no-bonus or no-floors"
    )
    window_arguments(parser)
    sampling_arguments(parser, 500, "replays")
    report_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from crosstable.lab.reform import compare, find_reform
    from crosstable.lab.source import read_source

    make_room_for_report(args)
    reforms = [find_reform(name) for name in args.reforms]  # what is wrong with them is said before anything is read
    with progress_bar("replaying under every rule", quiet=args.json):
        source = read_source(args.source, args.pool, colours=not args.no_colours)
        found = compare(
            source, reforms, args.since, args.until, samples=args.samples, seed=args.seed, threads=args.threads
        )
    if args.report:
        from crosstable.lab.report.reform import write_reform_report

        write_report(args, found, write_reform_report)
    if not printed_as_json(args, found):
        _print(found)
    return 0


def _print(found: Comparison) -> None:
    from crosstable.lab.reform_tables import FLOORS_IN_WORDS, too_little

    for title in found.unchanged:
        print(found.nothing_changes(title))
    if len(found.unchanged) == len(found.reforms):
        return
    columns = ("rules", "n", "deviance", "log_loss", "brier", "accuracy")
    print_table(columns, [[row[name] for name in columns] for row in found.rows], title="Prediction")
    for pair in found.pairs:
        difference, interval = pair.figures()
        print(f"{pair.a} minus {pair.b}: {difference} ({interval})")
    little = too_little(found.tables)
    for name, table in found.tables.items():
        print()
        if name in little:
            print(f"{TITLES[name]}: {little[name]}")
            continue
        print_table(table.columns, table.rows(), title=TITLES[name])
        if name == "floors":
            print(FLOORS_IN_WORDS)
