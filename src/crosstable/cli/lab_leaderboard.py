"""`crosstable lab leaderboard`: every system on one page; `crosstable lab games`: the games that predictors see."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from crosstable.cli.lab_backtest import (
    backtested,
    make_room_for_report,
    own_arguments,
    own_entries,
    sampling_arguments,
    say_written,
    source_arguments,
    window_arguments,
    write_report,
)
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table

if TYPE_CHECKING:
    from crosstable.lab.source import Source


def configure(parser: argparse.ArgumentParser) -> None:
    source_arguments(parser)
    window_arguments(parser)
    own_arguments(parser)
    sampling_arguments(parser, 1000, "systems")
    parser.add_argument("--report", required=True, metavar="FILE", help="the page; CSV, Parquet and JSON beside it")
    parser.set_defaults(json=False)


def run(args: argparse.Namespace) -> int:
    from crosstable.lab.backtest import Entry
    from crosstable.lab.predictors import fast_names, predictor
    from crosstable.lab.report.leaderboard import standings, write_leaderboard

    make_room_for_report(args)
    own = own_entries(args)

    def entries(source: Source) -> list[Entry]:
        return [*(Entry(predictor(name)) for name in fast_names(source.games.has_ratings)), *own]

    found = backtested(args, entries)
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
