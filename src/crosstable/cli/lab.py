"""`crosstable lab …`: a committee's tools. Each subcommand is one entry in TOOLS and one function, imported when
called.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crosstable.cli.output import day, pool_name, print_json
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.rulebook import PROFILES
from crosstable.systems.us_chess.pools import MAIN

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Tool:
    """One subcommand: a line of help, its arguments, and what it does."""

    words: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, tool in TOOLS.items():
        action = actions.add_parser(name, help=tool.words, description=tool.words[0].upper() + tool.words[1:] + ".")
        tool.configure(action)
        action.set_defaults(action_run=tool.run)


def run(args: argparse.Namespace) -> int:
    if getattr(args, "plot", None):
        from crosstable.lab.plots import make_room_for_picture

        make_room_for_picture(Path(args.plot))
    status: int = args.action_run(args)
    return status


def _on_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="sections.parquet, entries.parquet and games.parquet")
    _output(parser)


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw it (.png, .svg, .pdf)")


def _verify_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="sections.parquet, entries.parquet and games.parquet")
    parser.add_argument("--from", dest="since", type=day, metavar="DATE", help="events that ended on this day or later")
    parser.add_argument("--to", dest="until", type=day, metavar="DATE", help="events that ended on this day or earlier")
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="list the N largest misses")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _verify(args: argparse.Namespace) -> int:
    from crosstable.cli.verification import show

    return show(args)


def _module(name: str, words: str, suffix: str = "") -> Tool:
    """Return a subcommand that is a module of its own, imported when it is called."""

    def configure(parser: argparse.ArgumentParser) -> None:
        getattr(import_module(f"crosstable.cli.{name}"), f"configure{suffix}")(parser)

    def run(args: argparse.Namespace) -> int:
        status: int = getattr(import_module(f"crosstable.cli.{name}"), f"run{suffix}")(args)
        return status

    return Tool(words, configure, run)


def _of_record(words: str, module: str, compute: str, draw: str, title: str) -> Tool:
    """Return a subcommand that works out one table of a published record, and draws it."""

    def run(args: argparse.Namespace) -> int:
        found_in = import_module(f"crosstable.lab.{module}")
        with progress_bar("reading the record", quiet=args.json):
            found = getattr(found_in, compute)(args.folder)
        if args.plot:
            getattr(found_in, draw)(found, args.plot)
        return _show(args, found, title)

    return Tool(words, _on_record, run)


def _ages_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="an office's URL: history tables hold no birth dates")
    parser.add_argument("--pool", default=MAIN, type=pool_name, help="which ratings (OTBR, regular)")
    parser.add_argument("--youngest", type=int, default=35, help="35: the committee's ages")
    parser.add_argument("--oldest", type=int, default=45)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _drift_by_age(args: argparse.Namespace) -> int:
    from crosstable.lab.drift import drift_by_age
    from crosstable.lab.source import read_source

    with progress_bar("replaying", quiet=args.json):
        found = drift_by_age(read_source(args.source, args.pool), args.youngest, args.oldest)
    return _show(args, found, f"Drift of established active players aged {args.youngest} to {args.oldest}")


def _norms_arguments(parser: argparse.ArgumentParser) -> None:
    _on_record(parser)
    parser.add_argument(
        "--profile", choices=PROFILES, default="as-practised", help="the rules as printed, or as the record shows"
    )


def _norms(args: argparse.Namespace) -> int:
    from crosstable.lab.norms_record import draw_norm_agreement, norm_agreement

    with progress_bar("looking at norms", quiet=args.json):
        found = norm_agreement(args.folder, args.profile)
    if args.plot:
        draw_norm_agreement(args.folder, args.plot)
    return _show(args, found, f"Norms shown against the title system since 2010, {args.profile}")


def _title_chance_arguments(parser: argparse.ArgumentParser) -> None:
    _output(parser)
    parser.add_argument("--trials", type=int, default=20_000, help="players per line (20000)")
    parser.add_argument("--seed", type=int, default=1996)


def _title_chance(args: argparse.Namespace) -> int:
    from crosstable.errors import CrosstableError
    from crosstable.lab.title_chance import draw_principle, normal_model, principle_table

    if args.trials < 1:
        raise CrosstableError(f"{args.trials} trials: there must be at least one")
    with progress_bar("playing events", quiet=args.json):
        model = normal_model(args.trials, seed=args.seed)
        rows = principle_table(args.trials, seed=args.seed)
    if args.plot:
        draw_principle(rows, model, args.plot)
    if args.json:
        print_json({"normal_model": asdict(model), "games": [asdict(row) for row in rows]})
        return 0
    lines: list[tuple[Any, ...]] = [("normal scores (the report)", "any", "", model.norm, model.title)]
    for row in rows:
        opponents = "of equal strength" if row.spread == 0 else f"spread by {row.spread:g}"
        lines.append((f"games, opponents {opponents}", row.rounds or "4 to 9", row.draws, row.norm, row.title))
    print_table(
        ("model", "rounds", "draws", "norm in an event", "title in ten"),
        lines,
        title="A player of Y strength and the Y title (5.2 wants 0.50)",
    )
    return 0


def _show(args: argparse.Namespace, found: pl.DataFrame, title: str) -> int:
    if args.json:
        print_json({"rows": found.to_dicts()})
    else:
        print_table(found.columns, found.rows(), title=title)
    return 0


TOOLS: Mapping[str, Tool] = {
    "backtest": _module("lab_backtest", "which system predicts best: every game predicted before it is rated"),
    "leaderboard": _module("lab_leaderboard", "every quick system on one page, best first"),
    "games": _module("lab_leaderboard", "write the games that predictors see, to make predictions elsewhere", "_games"),
    "reform": _module("lab_reform", "what a rule change would have done, beside the actual rules"),
    "simulate": _module("lab_simulate", "rating systems in a made-up federation whose true strengths are known"),
    "tune": _module("lab_tune", "find a system's parameters on one window, with threads or a Dask cluster"),
    "cluster": _module("lab_tune", "print the two commands that start a Dask scheduler and its workers", "_cluster"),
    "verify": Tool("recompute every published rating of a record and count what agrees", _verify_arguments, _verify),
    "floors": _of_record(
        "share of established players who are on a floor, by year",
        "floors",
        "on_floors",
        "draw_on_floors",
        "Established ratings of 1400 to 2299 that end in 00 (figure 2.1 of the 1996 report)",
    ),
    "floor-effect": _of_record(
        "whether players on a floor score what their rating predicts",
        "floors",
        "floors_and_prediction",
        "draw_floors_and_prediction",
        "Do players on a hundred score what their rating predicts?",
    ),
    "distribution": _of_record(
        "established ratings by class, by year",
        "distribution",
        "distribution",
        "draw_distribution",
        "Active established players by class",
    ),
    "drift": _of_record(
        "how ratings of established active players move from year to year",
        "drift",
        "drift",
        "draw_drift",
        "Drift of established players active in both years",
    ),
    "drift-by-age": Tool("the same for players of an age, where birth dates are known", _ages_arguments, _drift_by_age),
    "norms": Tool("published norms against the title system since 2010", _norms_arguments, _norms),
    "title-chance": Tool("how far the 1996 titles keep their design principle", _title_chance_arguments, _title_chance),
}
