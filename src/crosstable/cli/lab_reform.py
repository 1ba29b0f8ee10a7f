"""`crosstable lab reform`: what a rule change would have done."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from crosstable.cli.lab_backtest import (
    make_room_for_report,
    print_cautions,
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

ACTUAL = "actual"
TERMS = ("slope", "provisional", "white")
TITLES = {
    "years": "What each reform gains, by year",
    "inflation": "Inflation: points above the actual rating, at the end of each year",
    "moved": "How far players move, at the end of each year",
    "distribution": "Players by class at the end",
    "groups": "What each reform gains, by group of players",
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
    parser.add_argument(
        "--recalibrate",
        type=terms,
        default=",".join(TERMS),
        metavar="TERMS",
        help="what is fitted before the window (slope,provisional,white)",
    )
    sampling_arguments(parser, 500, "replays")
    report_arguments(parser)


def terms(text: str) -> tuple[str, ...]:
    """Return some of the terms of a recalibration, the slope among them."""
    found = tuple(name.strip() for name in text.split(",") if name.strip())
    if "slope" not in found or not set(found) <= set(TERMS):
        raise argparse.ArgumentTypeError(f"'{text}': write slope, or slope and some of provisional, white")
    return found


def run(args: argparse.Namespace) -> int:
    from crosstable.lab.reform import compare, find_reform
    from crosstable.lab.source import read_source

    make_room_for_report(args)
    reforms = [find_reform(name) for name in args.reforms]  # what is wrong with them is said before anything is read
    with progress_bar("replaying under every rule", quiet=args.json):
        source = read_source(args.source, args.pool, colours=not args.no_colours)
        found = compare(
            source,
            reforms,
            args.since,
            args.until,
            samples=args.samples,
            seed=args.seed,
            threads=args.threads,
            terms=args.recalibrate,
        )
    print_cautions(found.cautions)
    if args.report:
        from crosstable.lab.report.reform import write_reform_report

        write_report(args, found, write_reform_report)
    if not printed_as_json(args, found):
        _print(found)
    return 0


def _print(found: Comparison) -> None:
    from crosstable.lab.reform_tables import FLOORS_IN_WORDS, too_little
    from crosstable.lab.report.verdict import in_words, verdict

    for title in found.unchanged:
        print(found.nothing_changes(title))
    if len(found.unchanged) == len(found.reforms):
        return
    for reform in found.reforms:
        if reform.title not in found.unchanged:
            print(in_words(verdict(found, reform.title)))
    print()
    _print_prediction(found)
    little = too_little(found.tables)
    for name, table in found.tables.items():
        print()
        if name in little:
            print(f"{TITLES[name]}: {little[name]}")
            continue
        print_table(table.columns, table.rows(), title=TITLES[name])
        if name == "floors":
            print(FLOORS_IN_WORDS)


def _print_prediction(found: Comparison) -> None:
    """Print the deviance of each set of rules, raw and recalibrated, and every difference both ways."""
    raw, after = found.raw, found.recalibrated
    lines = []
    for row in raw.rows:
        fits = found.fits.get(row["rules"])
        terms = (fits[-1].slope, fits[-1].provisional, fits[-1].white) if fits else ("", "", "")
        fitted = after.deviance[row["rules"]] if after else ""
        lines.append([row["rules"], row["n"], row["deviance"], fitted, *terms])
    columns = ("rules", "n", "deviance, raw", "recalibrated", "slope", "provisional", "White")
    print_table(columns, lines, title="Prediction")
    if after is None:
        print("Too few games before the window to recalibrate the predictions. Choose a later --from.")
    else:
        begins = f"from {found.question.begins} and " if found.question.begins else ""
        print(
            f"Recalibrated with the games {begins}before {found.fits[ACTUAL][0].before}, and before each year after it."
        )
    print()
    headings = ("a", "b", "recalibrated: a minus b", "95 % of resampled events", "raw: a minus b", "95 %")
    fitted_pairs = after.pairs if after else (None,) * len(raw.pairs)
    print_table(
        headings,
        [
            [pair.a, pair.b, *(("", "") if fitted is None else fitted.figures()), *pair.figures()]
            for pair, fitted in zip(raw.pairs, fitted_pairs, strict=True)
        ],
    )
