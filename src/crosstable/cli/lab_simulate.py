"""`crosstable lab simulate`: rating systems in a made-up federation whose true strengths are known."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from crosstable.cli.lab_backtest import make_room_for_report, printed_as_json, report_arguments, write_report
from crosstable.cli.output import whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table

if TYPE_CHECKING:
    from crosstable.lab.setting import SimulationSetting

SYSTEMS = "us_chess,elo,glicko,glicko2,stephenson"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--systems", default=SYSTEMS, help=f"names, separated by commas ({SYSTEMS})")
    parser.add_argument("--players", type=whole, default=1200, help="at the beginning (1200)")
    parser.add_argument("--years", type=whole, default=8, help="how long (8)")
    parser.add_argument(
        "--events", type=whole, default=4, help="tournaments a week, most of them with two or three sections (4)"
    )
    parser.add_argument("--sandbaggers", type=int, default=12, help="players who lose on purpose (12)")
    parser.add_argument("--isolated", type=int, default=24, help="players who only ever meet each other (24)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--reform",
        action="append",
        default=[],
        metavar="FILE",
        help="rate the federation under this reform too: a TOML file, no-bonus or no-floors; instead of --systems",
    )
    parser.add_argument("--seeds", type=whole, default=5, help="with --reform: so many federations, for intervals (5)")
    parser.add_argument("--out", metavar="DIR", help="write the games as history tables: a SOURCE for the other tools")
    report_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from crosstable.lab.places import make_room
    from crosstable.lab.setting import SimulationSetting
    from crosstable.lab.tracking import track

    make_room_for_report(args)
    if args.out:
        make_room(Path(args.out) / "games.parquet")
    setting = SimulationSetting(
        players=args.players,
        years=args.years,
        seed=args.seed,
        events_per_week=args.events,
        sandbaggers=args.sandbaggers,
        isolated=args.isolated,
    )
    if args.reform:
        return _with_reforms(args, setting)
    systems = [name.strip() for name in args.systems.split(",") if name.strip()]
    with progress_bar("systems compared with the truth", quiet=args.json) as report:
        found = track(setting, systems, progress=report)
    if args.out:
        from crosstable.lab.history_tables import write_tables

        write_tables(found.simulation.games, Path(args.out))
    if args.report:
        from crosstable.lab.report.simulation import write_simulation_report

        write_report(args, found, write_simulation_report)
    if printed_as_json(args, found):
        return 0
    columns = ("system", "n", "deviance", "log_loss", "brier", "accuracy")
    rows = sorted(found.backtest.rows, key=lambda row: row["deviance"])
    print_table(
        columns, [[row[name] for name in columns] for row in rows], title="Prediction, with the truth beside it"
    )
    for title, table in (
        ("Year by year: rating less strength", found.years),
        ("How soon: mean distance from the truth, by events behind a player", found.soon),
        ("Sandbaggers and the isolated pool: rating less strength, against others", found.groups),
    ):
        print()
        print_table(table.columns, table.rows(), title=title)
    return 0


def _with_reforms(args: argparse.Namespace, setting: SimulationSetting) -> int:
    """Simulate a federation under reforms: does a reform find the true strengths sooner?"""
    from crosstable.lab.reform import find_reform
    from crosstable.lab.reform_simulation import recovery

    reforms = [find_reform(name) for name in args.reform]
    with progress_bar("federations", quiet=args.json) as report:
        found = recovery(setting, reforms, args.seeds, progress=report)
    if args.report:
        from crosstable.lab.report.recovery import write_recovery_report

        write_report(args, found, write_recovery_report)
    if printed_as_json(args, found):
        return 0
    from crosstable.lab.report.recovery import conclusions

    for sentence in conclusions(found):
        print(sentence)
    for title, table in (
        ("Newcomers: mean distance from the truth after so many events", found.newcomers),
        ("Established players at the end of each year: distance from the truth, and the level", found.years),
    ):
        print()
        print_table(table.columns, table.rows(), title=title)
    return 0
