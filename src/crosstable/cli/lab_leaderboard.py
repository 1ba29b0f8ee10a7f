"""`crosstable lab leaderboard`: every system on one page; `crosstable lab games`: the games that predictors see."""

from __future__ import annotations

import argparse
from pathlib import Path

from crosstable.cli.lab_backtest import (
    own_arguments,
    own_entries,
    print_cautions,
    sampling_arguments,
    say_written,
    source_arguments,
    window_arguments,
    write_report,
)
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table


def configure(parser: argparse.ArgumentParser) -> None:
    source_arguments(parser)
    window_arguments(parser)
    own_arguments(parser)
    sampling_arguments(parser, 1000, "systems")
    parser.add_argument("--report", required=True, metavar="FILE", help="the page; CSV, Parquet and JSON beside it")
    parser.set_defaults(json=False)


def run(args: argparse.Namespace) -> int:
    from crosstable.lab.backtest import Entry, backtest
    from crosstable.lab.predictors import fast_names, predictor
    from crosstable.lab.report.leaderboard import standings, write_leaderboard
    from crosstable.lab.report.page import make_room_for_page
    from crosstable.lab.source import read_source

    make_room_for_page(Path(args.report))
    own = own_entries(args)
    with progress_bar("systems backtested") as report:
        source = read_source(args.source, args.pool, colours=not args.no_colours)
        entries = [*(Entry(predictor(name)) for name in fast_names(source.games.has_ratings)), *own]
        found = backtest(
            source,
            entries,
            args.since,
            args.until,
            samples=args.samples,
            seed=args.seed,
            threads=args.threads,
            progress=report,
        )
    print_cautions(found.cautions)
    write_report(args, found, write_leaderboard)
    columns = ("place", "system", "deviance", "behind", "low", "high")
    rows = standings(found).select(columns).rows()
    print_table(columns, [[f"{cell:.5f}" if isinstance(cell, float) else cell for cell in row] for row in rows])
    return 0


def configure_games(parser: argparse.ArgumentParser) -> None:
    source_arguments(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="a table, CSV or Parquet")


def run_games(args: argparse.Namespace) -> int:
    from crosstable.lab.own import write_games
    from crosstable.lab.places import make_room
    from crosstable.lab.source import read_source

    path = Path(args.out)
    make_room(path)
    with progress_bar("writing the games"):
        write_games(read_source(args.source, args.pool, colours=not args.no_colours), path)
    say_written([path])
    return 0
