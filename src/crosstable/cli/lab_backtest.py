"""`crosstable lab backtest`: which system predicts best, on games that nothing was tuned on."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.output import day, pool_name, print_json, whole
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.systems.us_chess.pools import MAIN

if TYPE_CHECKING:
    from crosstable.lab.backtest import Backtest, Entry
    from crosstable.lab.cautions import Caution
    from crosstable.lab.source import Source

SYSTEMS = "constant,elo,glicko,glicko2,us_chess"


def source_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="a folder of history tables, a table of games, or an office's URL"
    )
    parser.add_argument(
        "--pool", default=MAIN, type=pool_name, help="which ratings, where the source has several (OTBR)"
    )
    parser.add_argument(
        "--no-colours",
        action="store_true",
        help="a table's white and black only name the players: predict without colours",
    )


def window_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="since", type=day, metavar="DATE", help="events that ended on this day or later")
    parser.add_argument("--to", dest="until", type=day, metavar="DATE", help="events that ended on this day or earlier")


def sampling_arguments(parser: argparse.ArgumentParser, samples: int, threads: str) -> None:
    parser.add_argument(
        "--samples", type=whole, default=samples, help=f"resampled events behind the intervals ({samples})"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=whole, help=f"{threads} at a time (one per processor)")


def report_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--report", metavar="FILE", help="write an HTML report, with CSV and Parquet beside it")
    parser.add_argument("--json", action="store_true", help="print JSON")


def make_room_for_report(args: argparse.Namespace) -> None:
    """Check that the report can be written before anything is computed."""
    if args.report:
        from crosstable.lab.report.page import make_room_for_page

        make_room_for_page(Path(args.report))


def own_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--own",
        action="append",
        default=[],
        metavar="FILE.py:CLASS",
        help="a predictor of your own: a class with predict(games), and learn(games) if it learns",
    )
    parser.add_argument(
        "--predictions",
        action="append",
        default=[],
        metavar="[LABEL=]FILE",
        help="predictions from elsewhere: the table of `lab games` with a column expected",
    )


def configure(parser: argparse.ArgumentParser) -> None:
    source_arguments(parser)
    window_arguments(parser)
    parser.add_argument("--systems", default=SYSTEMS, help=f"names, separated by commas ({SYSTEMS})")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="SYSTEM.PARAMETER=VALUE",
        help="another value, e.g. glicko.ageing.c=20",
    )
    parser.add_argument(
        "--tuned", action="append", default=[], metavar="[LABEL=]FILE", help="what `lab tune` found, as one more line"
    )
    own_arguments(parser)
    sampling_arguments(parser, 1000, "systems")
    report_arguments(parser)


def backtested(args: argparse.Namespace, entries_of: Callable[[Source], list[Entry]]) -> Backtest:
    """Read the source, backtest the entries that are chosen for it, and print the warnings."""
    from crosstable.lab.backtest import backtest
    from crosstable.lab.source import read_source

    with progress_bar("systems backtested", quiet=args.json) as report:
        source = read_source(args.source, args.pool, colours=not args.no_colours)
        found = backtest(
            source,
            entries_of(source),
            args.since,
            args.until,
            samples=args.samples,
            seed=args.seed,
            threads=args.threads,
            progress=report,
        )
    print_cautions(found.cautions)
    return found


def run(args: argparse.Namespace) -> int:
    make_room_for_report(args)
    entries = [*_entries(args.systems, args.set), *(_tuned(file) for file in args.tuned), *own_entries(args)]
    found = backtested(args, lambda _: entries)
    if args.report:
        from crosstable.lab.report.backtest import write_backtest_report

        write_report(args, found, write_backtest_report)
    if not printed_as_json(args, found):
        _print(found)
    return 0


def _entries(systems: str, settings: list[str]) -> list[Entry]:
    from crosstable.errors import CrosstableError
    from crosstable.lab.backtest import Entry
    from crosstable.lab.predictors import predictor

    names = [name.strip() for name in systems.split(",") if name.strip()]
    values: dict[str, dict[str, float]] = {name: {} for name in names}
    for text in settings:
        place, _, value = text.partition("=")
        name, _, parameter = place.partition(".")
        if name not in values or not parameter:
            raise CrosstableError(f"--set {text}: write SYSTEM.PARAMETER=VALUE with one of {', '.join(names)}")
        try:
            values[name][parameter] = float(value)
        except ValueError:
            raise CrosstableError(f"--set {text}: '{value}' is not a number") from None
    entries = [Entry(predictor(name), values[name]) for name in names]
    for entry in entries:
        entry.predictor.settings(entry.settings)  # an unknown parameter is said before anything is read
    return entries


def _tuned(text: str) -> Entry:
    from crosstable.lab.tune import read_tuned

    label, file = _labelled(text)
    return read_tuned(file).entry(label)


def own_entries(args: argparse.Namespace) -> list[Entry]:
    """Return the predictors of --own and --predictions."""
    if not args.own and not args.predictions:
        return []
    from crosstable.lab.backtest import Entry
    from crosstable.lab.own import load_predictor, table_predictor

    tables = [_labelled(text) for text in args.predictions]
    return [
        *(Entry(load_predictor(text)) for text in args.own),
        *(Entry(table_predictor(file, label or file.stem, args.since, args.until)) for label, file in tables),
    ]


def _labelled(text: str) -> tuple[str, Path]:
    """LABEL=FILE, or a file alone."""
    label, _, file = ("", "", text) if Path(text).exists() else text.rpartition("=")
    return label.strip(), Path(file)


def write_report(args: argparse.Namespace, found: Any, write: Callable[[Any, Path, list[str]], Iterable[Path]]) -> None:
    """Write the report, and say where."""
    with progress_bar("writing the report", quiet=args.json):
        written = write(found, Path(args.report), args.command)
    say_written(written)


def print_cautions(cautions: Iterable[Caution]) -> None:
    for one in cautions:
        print(f"warning: {one.text}", file=sys.stderr)


def say_written(paths: Iterable[Path]) -> None:
    for path in paths:
        print(f"wrote {path}", file=sys.stderr)


def printed_as_json(args: argparse.Namespace, found: Any) -> bool:
    """Whether JSON was asked for, and is now printed."""
    if args.json:
        print_json(found.as_json())
    return bool(args.json)


def _print(found: Backtest) -> None:
    games = found.source.games
    print(f"{int(found.window.sum()):,} games of {found.source.name}, rated from {len(games):,}\n")
    columns = ("system", "n", "deviance", "log_loss", "brier", "accuracy")
    print_table(columns, [_line(row, columns) for row in sorted(found.rows, key=lambda row: row["deviance"])])
    _print_known(found, columns)
    if found.pairs:
        print()
        lines = [(pair.a, pair.b, *pair.figures(), pair.players_interval()) for pair in found.pairs]
        print_table(("a", "b", "deviance of a minus b", "95 % of resampled events", "95 % of players"), lines)


def _print_known(found: Backtest, columns: tuple[str, ...]) -> None:
    """Print the same without the games whose ratings hold an event that ended after theirs began."""
    late = int(found.window.sum()) - found.known.games
    if not late or not found.known.rows:
        return
    share = 100 * late / int(found.window.sum())
    print(
        f"\nIn {late:,} games ({share:.1f} %) a rating already held an event that ended after this one began. Without"
        " them:"
    )
    print_table(columns, [_line(row, columns) for row in sorted(found.known.rows, key=lambda row: row["deviance"])])


def _line(row: dict[str, Any], columns: tuple[str, ...]) -> list[Any]:
    return [f"{row[name]:.5f}" if isinstance(row[name], float) else row[name] for name in columns]
