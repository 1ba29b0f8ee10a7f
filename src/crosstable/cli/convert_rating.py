"""`crosstable convert-rating`: FIDE or CFC to US Chess on a date, the tables of 1996, and `fit` for a new
conversion.
"""

from __future__ import annotations

import argparse
import math
from datetime import date

from crosstable.cli.output import day, print_json
from crosstable.systems.conversions import RULES, SOURCES, convert_rating


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", choices=["fit", "table"], help="fit a new conversion, or the printed table of 1996"
    )
    parser.add_argument("file", nargs="?", help="with fit: a file with two ratings per line, foreign and own")
    parser.add_argument("--from", dest="source", choices=SOURCES, help="where the rating comes from")
    parser.add_argument("--rating", type=float, help="the rating to convert")
    parser.add_argument("--on", type=day, metavar="DATE", help="the day whose rules apply (default: today)")
    parser.add_argument("--rules", choices=RULES, default="us_chess", help="the rulebook (default: us_chess)")
    parser.add_argument("--youth", action="store_true", help="the conversion for FIDE youth events")
    fit = parser.add_argument_group("fit")
    fit.add_argument("--span", type=float, default=0.75, help="share of the players in each local fit (0.75)")
    fit.add_argument("--degree", type=int, default=2, choices=(1, 2), help="local lines or parabolas (2)")
    fit.add_argument("--step", type=float, default=10, help="points between two rows of the table (10)")
    fit.add_argument("--samples", type=int, default=200, help="bootstrap samples for the band (200)")
    fit.add_argument("--seed", type=int, default=1996, help="the random seed of the bootstrap (1996)")
    fit.add_argument("--plot", metavar="FILE", help="draw pairs, curve and band (.png, .svg, .pdf)")
    fit.add_argument("--difference", action="store_true", help="draw the points to add instead")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(parser=parser)


def run(args: argparse.Namespace) -> int:
    if args.action == "fit":
        if not args.file:
            args.parser.error("fit needs a file of pairs")
        return _fit(args)
    if args.action == "table":
        if args.source is None:
            args.parser.error("table needs --from fide or --from cfc")
        return _table(args)
    if args.source is None or args.rating is None:
        args.parser.error("give --from and --rating, or fit FILE")
    if not math.isfinite(args.rating):
        args.parser.error("--rating must be a number")
    value = convert_rating(args.source, args.rating, args.on or date.today(), args.rules, youth=args.youth)
    shown = int(value) if value == int(value) else round(value, 6)
    if args.json:
        print_json({"rating": shown})
    else:
        print(shown)
    return 0


def _fit(args: argparse.Namespace) -> int:
    from crosstable.cli.tables import print_table
    from crosstable.lab.conversions import ConversionRow, draw, fit_conversion, read_pairs

    pairs = read_pairs(args.file)
    conversion = fit_conversion(
        pairs, span=args.span, degree=args.degree, step=args.step, samples=args.samples, seed=args.seed
    )
    if args.plot:
        draw(conversion, args.plot, source=args.source or "foreign", difference=args.difference)
    rows = [{name: _known(value) for name, value in row._asdict().items()} for row in conversion.rows]
    if args.json:
        print_json({"pairs": len(pairs), "span": args.span, "degree": args.degree, "rows": rows})
        return 0
    lines = [[None if value is None else round(value) for value in row.values()] for row in rows]
    print_table(ConversionRow._fields, lines, title=f"Robust loess through {len(pairs)} pairs, with a 95 % band")
    return 0


def _table(args: argparse.Namespace) -> int:
    """Print or draw the table of 1996: figure B.1 or B.2 (FIDE), B.3 or B.4 (CFC) without the players."""
    from crosstable.cli.tables import print_table
    from crosstable.lab.conversions import draw_printed, printed

    rows = printed(args.source)
    if args.plot:
        draw_printed(args.source, args.plot, difference=args.difference)
    if args.json:
        print_json({"rows": [{"foreign": foreign, "rating": rating} for foreign, rating in rows]})
    else:
        print_table(("foreign", "rating"), rows, title=f"{args.source.upper()} to USCF, 1996")
    return 0


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
